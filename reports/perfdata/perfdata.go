// Package perfdata writes a run for perf-dash, the dashboard of Kubernetes'
// scalability tests (https://github.com/kubernetes/perf-tests/tree/master/perfdash):
// one PerfData file per profile, in milliseconds as the files of clusterloader2 are.
//
// perf-dash finds files by OutputFilePrefix and Name of its configuration. It takes the
// rest of the file name as the ID of a suite's test. With the prefix "PodStartupLatency"
// and the name "podburst" each profile becomes a category:
//
//	PodStartupLatency_podburst_<profile>_.json
//
// Names are the same from run to run and contain no colon, so that artifacts can be
// unpacked anywhere.
//
// The data are quantiles over the pods of all valid bursts of the profile (for the
// makespan: over the bursts), by nearest rank. Perc100 is the maximum, which clusterloader2
// does not report. A profile without a valid burst has a file without items: nothing was
// measured, which does not mean 0 ms.
package perfdata

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/reports"
)

// Version is the version of the format; perf-dash ignores files of other versions.
const Version = "v1"

// PerfData is one file.
type PerfData struct {
	Version   string     `json:"version"`
	DataItems []DataItem `json:"dataItems"`
	// Labels are of the whole file.
	Labels map[string]string `json:"labels,omitempty"`
}

// DataItem is one line of a chart.
type DataItem struct {
	// Data are values by bucket, such as "Perc90".
	Data map[string]float64 `json:"data"`
	Unit string             `json:"unit"`
	// Labels tell the items of a file apart: {"Metric": "pod_startup"}.
	Labels map[string]string `json:"labels,omitempty"`
}

// FileName returns the name of a profile's file.
func FileName(profile string) string {
	id := recording.PathName(profile)
	if strings.Contains(id, "_") {
		// perf-dash cuts the ID at the first "_". Names of profiles have none, but a
		// recording may come from anywhere. A name that PathName must change gets a hash,
		// which keeps "a_b" distinct from "a-b".
		id = strings.ReplaceAll(recording.PathName(profile+"\n"), "_", "-")
	}
	return "PodStartupLatency_podburst_" + id + "_.json"
}

// Of returns the data of one profile, sorted by Metric. There are none if a burst among
// them was profiled: profiling slows the components, and perf-dash shows a trend.
func Of(r *reports.Report, p *reports.Profile) PerfData {
	data := PerfData{
		Version: Version, DataItems: []DataItem{},
		Labels: map[string]string{"profile": recording.PathName(p.Name), "provider": recording.PathName(r.Run.Provider)},
	}
	if slices.ContainsFunc(r.Bursts, func(b reports.Burst) bool { return b.Profile == p.Name && b.Profiled }) {
		return data
	}
	for name, phase := range p.Phases {
		if phase != nil && phase.Count > 0 {
			data.DataItems = append(data.DataItems, item(name, phase))
		}
	}
	if p.MakespanSeconds != nil && p.MakespanSeconds.Count > 0 {
		data.DataItems = append(data.DataItems, item("makespan", p.MakespanSeconds))
	}
	slices.SortFunc(data.DataItems, func(a, b DataItem) int { return cmp.Compare(a.Labels["Metric"], b.Labels["Metric"]) })
	return data
}

func item(metric string, s *stats.Summary) DataItem {
	return DataItem{
		Data: map[string]float64{
			"Perc50": milliseconds(s.P50), "Perc90": milliseconds(s.P90), "Perc99": milliseconds(s.P99), "Perc100": milliseconds(s.Max),
		},
		Unit: "ms", Labels: map[string]string{"Metric": metric},
	}
}

// milliseconds rounds to nanoseconds, so that no digits of binary fractions appear.
func milliseconds(seconds float64) float64 { return math.Round(seconds*1e9) / 1e6 }

// Write writes the file of one profile.
func Write(w io.Writer, r *reports.Report, p *reports.Profile) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(Of(r, p)); err != nil {
		return fmt.Errorf("write perf data of profile %s: %w", p.Name, err)
	}
	return nil
}
