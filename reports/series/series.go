// Package series writes a run as series.json: one number per profile and endpoint, for the
// chart that github-action-benchmark keeps over commits. The format is that action's tool
// "customSmallerIsBetter" (https://github.com/benchmark-action/github-action-benchmark): a
// list of name, unit, value, range and extra.
//
// A value is the median over the profile's valid bursts, in seconds. Its range is half the
// distance from the fastest burst to the slowest. Profiled bursts are left out, for
// profiling slows them. A profile without any other valid burst has no entry, and the action refuses a file without entries.
//
// Such a chart shows a trend, and over different machines. Leave the action's alerts off:
// framework/gate decides whether a change made things worse.
package series

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/reports"
)

// Entry is one number of the file.
type Entry struct {
	// Name is "<profile>/<endpoint>", the same from run to run. It shows in pages
	// and comments, where a name with markup in it would be more than text: the
	// profile is as recording.PathName leaves it.
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	// Range is "± <seconds>"; empty with one burst.
	Range string `json:"range,omitempty"`
	Extra string `json:"extra,omitempty"`
}

// endpoint is one number of a burst.
type endpoint struct {
	name string
	of   func(b *reports.Burst) *float64
}

func endpoints() []endpoint {
	return []endpoint{
		{"makespan", func(b *reports.Burst) *float64 { return (*float64)(b.MakespanSeconds) }},
		podStartup("p50", func(p *stats.Summary) *float64 { return &p.P50 }),
		podStartup("p90", func(p *stats.Summary) *float64 { return &p.P90 }),
		podStartup("p99", func(p *stats.Summary) *float64 { return &p.P99 }),
	}
}

func podStartup(stat string, of func(p *stats.Summary) *float64) endpoint {
	const phase = "pod_startup"
	return endpoint{phase + "/" + stat, func(b *reports.Burst) *float64 {
		if p := b.Phases[phase]; p != nil && p.Count > 0 {
			return of(p)
		}
		return nil
	}}
}

// Entries returns the run's numbers, by profile and endpoint.
func Entries(r *reports.Report) ([]Entry, error) {
	entries := []Entry{}
	for i := range r.Profiles {
		profile := r.Profiles[i].Name
		for _, e := range endpoints() {
			var values []float64
			pods := 0
			for j := range r.Bursts {
				b := &r.Bursts[j]
				if b.Profile != profile || !b.Comparable() {
					continue
				}
				if v := e.of(b); v != nil {
					values = append(values, *v)
					pods = max(pods, b.Pods)
				}
			}
			if len(values) == 0 {
				continue
			}
			s, err := stats.Summarize(values, 0)
			if err != nil {
				return nil, fmt.Errorf("%s of profile %s: %w", e.name, profile, err)
			}
			entry := Entry{
				Name: recording.PathName(profile) + "/" + e.name, Unit: "s", Value: s.P50,
				Extra: fmt.Sprintf("median of %d valid bursts of %d pods, run %s", len(values), pods, id(r.Run.ID)),
			}
			if len(values) > 1 {
				entry.Range = fmt.Sprintf("± %.6f", (s.Max-s.Min)/2)
			}
			entries = append(entries, entry)
		}
	}
	return entries, nil
}

// id returns a run's ID: unchanged if podburst made it, else as recording.PathName changes
// it.
func id(run string) string {
	plain := strings.IndexFunc(run, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	}) < 0
	if plain {
		return run
	}
	return recording.PathName(run)
}

// Write writes series.json.
func Write(w io.Writer, r *reports.Report) error {
	entries, err := Entries(r)
	if err != nil {
		return fmt.Errorf("write series: %w", err)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(entries); err != nil {
		return fmt.Errorf("write series: %w", err)
	}
	return nil
}
