package series_test

import (
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
	"github.com/podburst/podburst/reports/series"
)

func written(t testing.TB, r *reports.Report) string {
	t.Helper()
	return specimen.Text(t, r, series.Write)
}

func TestGolden(t *testing.T) {
	golden.Check(t, filepath.Join("testdata", "series.json"), written(t, specimen.Golden(t)))
}

// rangeOf matches a range as the action does (its extractRangeInfo).
var rangeOf = regexp.MustCompile(`^(\+-|±)\s*(\d.+)$`)

func TestExtremesAreWhatTheActionReads(t *testing.T) {
	count := map[string]int{"golden": 8, "zero bursts": 0, "all invalid": 0, "nothing seen": 0, "hostile faults": 0, "pods of others": 3}
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			text := written(t, r)
			var entries []struct {
				Name, Unit, Range, Extra string
				Value                    *float64
			}
			in := json.NewDecoder(strings.NewReader(text))
			in.DisallowUnknownFields()
			if err := in.Decode(&entries); err != nil {
				t.Fatal(err)
			}
			want, listed := count[name]
			if !listed {
				want = 4
			}
			if len(entries) != want || entries == nil {
				t.Errorf("%d entries, want %d", len(entries), want)
			}
			seen := map[string]bool{}
			for _, e := range entries {
				if e.Value == nil || e.Unit != "s" || seen[e.Name] || strings.ContainsAny(e.Name+e.Extra, "<>@[]`\n\x1b\u202e") {
					t.Errorf("entry %+v", e)
				}
				if e.Range != "" && !rangeOf.MatchString(e.Range) {
					t.Errorf("the action reads no range of %q", e.Range)
				}
				seen[e.Name] = true
			}
		})
	}
}

// From reports/testdata: slow has makespans of 1.611416 and 1.599572 s. The nearest-rank
// median is the lower one, the range half their distance.
func TestAValueIsTheMedianOverBursts(t *testing.T) {
	entries, err := series.Entries(specimen.Golden(t))
	if err != nil {
		t.Fatal(err)
	}
	want := series.Entry{Name: "slow/makespan", Unit: "s", Value: 1.599572, Range: "± 0.005922", Extra: "median of 2 valid bursts of 8 pods, run run"}
	if entries[0] != want {
		t.Errorf("first entry is %+v, want %+v", entries[0], want)
	}
}

func TestANumberThatIsNotFiniteIsRefused(t *testing.T) {
	r := specimen.Golden(t)
	nan := stats.Seconds(math.NaN())
	for i := range r.Bursts {
		r.Bursts[i].MakespanSeconds = &nan
	}
	if err := series.Write(io.Discard, r); err == nil {
		t.Error("NaN was written")
	}
}
