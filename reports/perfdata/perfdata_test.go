package perfdata_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports/internal/specimen"
	"github.com/podburst/podburst/reports/perfdata"
)

func TestGolden(t *testing.T) {
	r := specimen.Golden(t)
	for i := range r.Profiles {
		var out bytes.Buffer
		if err := perfdata.Write(&out, r, &r.Profiles[i]); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join("testdata", perfdata.FileName(r.Profiles[i].Name)), out.String())
	}
}

// The types that perf-dash decodes, copied by hand from perf-tests.
type perfDashData struct {
	Version   string `json:"version"`
	DataItems []struct {
		Data   map[string]float64 `json:"data"`
		Unit   string             `json:"unit"`
		Labels map[string]string  `json:"labels"`
	} `json:"dataItems"`
	Labels map[string]string `json:"labels"`
}

func TestExtremesAreWhatPerfDashReads(t *testing.T) {
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			for i := range r.Profiles {
				var out bytes.Buffer
				if err := perfdata.Write(&out, r, &r.Profiles[i]); err != nil {
					t.Fatal(err)
				}
				var data perfDashData
				in := json.NewDecoder(&out)
				in.DisallowUnknownFields()
				if err := in.Decode(&data); err != nil {
					t.Fatal(err)
				}
				checkItems(t, &data, r.Profiles[i].ValidBursts > 0)
			}
		})
	}
}

func checkItems(t *testing.T, data *perfDashData, measured bool) {
	t.Helper()
	if data.Version != "v1" || data.DataItems == nil {
		t.Errorf("version %q, items %v", data.Version, data.DataItems)
	}
	if measured == (len(data.DataItems) == 0) {
		t.Errorf("%d items, measured: %t", len(data.DataItems), measured)
	}
	var metrics []string
	for _, item := range data.DataItems {
		metrics = append(metrics, item.Labels["Metric"])
		d := item.Data
		if item.Unit != "ms" || len(d) != 4 || d["Perc50"] > d["Perc90"] || d["Perc90"] > d["Perc99"] || d["Perc99"] > d["Perc100"] {
			t.Errorf("item %+v", item)
		}
	}
	if !slices.IsSorted(metrics) || len(slices.Compact(slices.Clone(metrics))) != len(metrics) {
		t.Errorf("metrics are %q, want them sorted and unique", metrics)
	}
}

func TestValuesAreThoseOfTheReportInMilliseconds(t *testing.T) {
	r := specimen.Golden(t)
	found := 0
	for _, item := range perfdata.Of(r, &r.Profiles[0]).DataItems {
		want := r.Profiles[0].MakespanSeconds.P50
		if metric := item.Labels["Metric"]; metric != "makespan" {
			want = r.Profiles[0].Phases[metric].P50
			found++
		}
		if got := item.Data["Perc50"]; math.Abs(got-want*1e3) > 1e-6 {
			t.Errorf("%v is %g ms, the report says %g s", item.Labels, got, want)
		}
	}
	// "creation" and "startup" need component logs, which the recording lacks.
	if want := len(timeline.Phases()) - 2; found != want {
		t.Errorf("%d phases, want %d", found, want)
	}
}

func TestFileNamesAreStableAndUnlike(t *testing.T) {
	seen := map[string]string{}
	for _, profile := range []string{"default", "tuned", "a_b", "a-b", "a:b", "..", "", "פ", specimen.Hostile, strings.Repeat("x", 253)} {
		name := perfdata.FileName(profile)
		if other, twice := seen[name]; twice {
			t.Errorf("%q and %q are both %s", profile, other, name)
		}
		seen[name] = profile
		if strings.ContainsAny(name, ":/\\ \n") || len(name) > 200 {
			t.Errorf("%q is no file's name for artifacts", name)
		}
		if id := strings.Split(strings.TrimPrefix(name, "PodStartupLatency_podburst_"), "_"); len(id) != 2 || id[1] != ".json" {
			t.Errorf("perf-dash reads %q of %s", id, name)
		}
	}
	if got := perfdata.FileName("default"); got != "PodStartupLatency_podburst_default_.json" {
		t.Errorf("the file of default is %s", got)
	}
}

func TestANumberThatIsNotFiniteIsRefused(t *testing.T) {
	r := specimen.Golden(t)
	r.Profiles[0].Phases["total"].Max = math.NaN()
	if err := perfdata.Write(io.Discard, r, &r.Profiles[0]); err == nil {
		t.Error("NaN was written")
	}
}
