package csv_test

import (
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	reportcsv "github.com/podburst/podburst/reports/csv"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func written(t testing.TB, r *reports.Report) string {
	t.Helper()
	return specimen.Text(t, r, reportcsv.Write)
}

func TestGolden(t *testing.T) {
	golden.Check(t, filepath.Join("testdata", "pods.csv"), written(t, specimen.Golden(t)))
}

// rows parses strictly: every row must be as long as the header.
func rows(t testing.TB, text string) [][]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all[0], reportcsv.Header()) {
		t.Fatalf("header is %q", all[0])
	}
	return all[1:]
}

func TestExtremesParse(t *testing.T) {
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			text := written(t, r)
			if strings.Count(text, "\n") != strings.Count(text, "\r\n") {
				t.Error("a line does not end in CRLF")
			}
			for _, row := range rows(t, text) {
				if seconds := row[9]; seconds != "" {
					if _, err := strconv.ParseFloat(seconds, 64); err != nil || row[10] == "" {
						t.Errorf("row %q", row)
					}
				}
				for _, cell := range slices.Concat(row[:9], row[10:]) {
					if strings.ContainsAny(cell, "\r\n\x00\x1b\u202e") || cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
						t.Errorf("cell %q", cell)
					}
				}
			}
		})
	}
}

func TestCellsAreNoFormulas(t *testing.T) {
	for name, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", " =1": "' =1", "\t=1": "\ufffd=1", "＝1": "'＝1",
		"default": "default", "a=b": "a=b", "'=1": "'=1", `say "hi", you`: `say "hi", you`,
	} {
		b := synthetic.Burst(synthetic.Options{Index: 1, Pods: 1})
		b.Profile = name
		for _, row := range rows(t, written(t, specimen.Build(t, specimen.Run(b)))) {
			if row[1] != want {
				t.Errorf("%q is the cell %q, want %q", name, row[1], want)
			}
		}
	}
}

func TestEveryPodAndPhaseHasItsRow(t *testing.T) {
	pods := map[string]map[string]string{}
	for _, row := range rows(t, written(t, specimen.Pods(t, 5))) {
		if pods[row[6]] == nil {
			pods[row[6]] = map[string]string{}
		}
		pods[row[6]][row[8]] = row[9]
	}
	if len(pods) != 5 {
		t.Fatalf("rows of %d pods, want 5", len(pods))
	}
	for pod, phases := range pods {
		if len(phases) != 14 { // 16 without creation and startup, which need component logs
			t.Errorf("%s has %d phases: %v", pod, len(phases), phases)
		}
		var sum float64
		for _, ph := range []string{"submit_to_create", "create_to_schedule", "schedule_to_accept", "accept_to_sandbox", "sandbox_to_started", "started_to_run", "run_to_observed"} {
			v, err := strconv.ParseFloat(phases[ph], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += v
		}
		if total, _ := strconv.ParseFloat(phases["total"], 64); sum-total > 1e-9 || total-sum > 1e-9 {
			t.Errorf("the phases of %s sum up to %g, not to %g", pod, sum, total)
		}
	}
}

// The cell holds what the statistics count: pod_startup without image pulls.
func TestPodStartupIsWithoutPulls(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, Pods: 1})
	of := func(b recording.Burst) float64 {
		for _, row := range rows(t, written(t, specimen.Build(t, specimen.Run(b)))) {
			if row[8] == "pod_startup" {
				v, _ := strconv.ParseFloat(row[9], 64)
				return v
			}
		}
		return -1
	}
	without := of(b)
	b.Events = []recording.KubeEvent{{Reason: "Pulled", Kind: "Pod", UID: b.Watch[0].UID, Message: `Successfully pulled image "x" in 10ms`}}
	if got := of(b); without-got < 0.0099 || without-got > 0.0101 {
		t.Errorf("pod_startup is %g with a pull of 10 ms and %g without", got, without)
	}
}

func TestAMissingMarkIsAnEmptyCell(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, Pods: 2, NoAudit: true})
	last := b.Watch[len(b.Watch)-1].UID
	b.Watch = slices.DeleteFunc(b.Watch, func(o recording.Observation) bool { return o.UID == last && o.Phase == "Running" })
	empty := 0
	for _, row := range rows(t, written(t, specimen.Build(t, specimen.Run(b)))) {
		if row[9] == "" {
			empty++
		}
	}
	if empty == 0 {
		t.Error("no cell tells of the missing marks")
	}
}

func FuzzName(f *testing.F) {
	f.Add("=1+1")
	f.Add("\u00a0＝cmd")
	f.Fuzz(func(t *testing.T, name string) {
		b := synthetic.Burst(synthetic.Options{Index: 1, Pods: 1})
		b.Profile = name
		for _, row := range rows(t, written(t, specimen.Build(t, specimen.Run(b)))) {
			cell := strings.TrimLeftFunc(row[1], unicode.IsSpace)
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Fatalf("%q is the cell %q", name, row[1])
			}
		}
	})
}
