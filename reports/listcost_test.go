package reports_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
)

const listCostRun = "listcost"

func listCostRecording(t *testing.T) recording.Run {
	t.Helper()
	run, err := recording.Read(filepath.Join(testdata, listCostRun))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func listCostReport(t *testing.T, change func(*recording.Run)) reports.Report {
	t.Helper()
	run := listCostRecording(t)
	change(&run)
	// Objectives are for bursts: such a run has none to judge.
	r, err := reports.Build(run, goldenObjectives())
	if err != nil {
		t.Fatal(err)
	}
	checkSchema(t, r)
	return r
}

func asItIs(*recording.Run) {}

func TestTheReportOfARecordedListCost(t *testing.T) {
	r := listCostReport(t, asItIs)
	if r.Verdict != verdict.Pass || !r.Run.Complete || len(r.Reasons) != 0 || len(r.SLO) != 0 || len(r.ListCost.Profiles) != 1 {
		t.Errorf("verdict %s, complete %t: %q", r.Verdict, r.Run.Complete, r.Reasons)
	}
	for _, name := range []string{"junit.xml", "summary.md", "table.txt"} {
		var got bytes.Buffer
		if err := formats[name](&got, r); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join(testdata, "golden", "listcost."+name), got.String())
	}
}

func TestTheListCostTableFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	if err := reports.WriteTable(&out, listCostReport(t, asItIs), "artifacts/run"); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// A run that sends no burst is judged by what it planned: its list costs.
func TestTheVerdictOfARunThatSendsNoBurst(t *testing.T) {
	faster := func(run *recording.Run) {
		for i := range run.ListCosts[0].Sizes {
			size := &run.ListCosts[0].Sizes[i]
			for j := range size.Lists {
				if size.Lists[j].Strategy == "table" {
					size.Lists[j].Bytes *= int64(size.Pods)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		change  func(*recording.Run)
		verdict verdict.Verdict
		says    string
	}{
		"not measured":          {func(r *recording.Run) { r.ListCosts = nil }, verdict.Invalid, "the list costs of profile default were not measured"},
		"cut short":             {func(r *recording.Run) { r.ListCosts[0].FinishedAt = nil }, verdict.Invalid, "not measured at every size"},
		"of a profile too few":  {func(r *recording.Run) { r.Manifest.Profiles = []string{"default", "tuned"} }, verdict.Invalid, "profile tuned were not measured"},
		"a list failed":         {func(r *recording.Run) { r.ListCosts[0].Sizes[0].Lists[0].Error = "reset" }, verdict.Invalid, "reset"},
		"grows faster":          {faster, verdict.Fail, "growth of table in bytes"},
		"the watcher is greedy": {func(r *recording.Run) { r.ListCosts[0].Watcher["pods"] = recording.WatcherRequests{Lists: 2} }, verdict.Fail, "the suite's watcher"},
		"too few sizes to judge": {func(r *recording.Run) {
			r.ListCosts[0].Sizes = r.ListCosts[0].Sizes[:2]
			r.ListCosts[0].Plan.Sizes = r.ListCosts[0].Plan.Sizes[:2]
		}, verdict.Pass, ""},
		"interrupted": {func(r *recording.Run) { r.Manifest.Interrupted = "signal" }, verdict.Invalid, "interrupted"},
	} {
		r := listCostReport(t, c.change)
		if r.Verdict != c.verdict || !strings.Contains(strings.Join(r.Reasons, "\n"), c.says) {
			t.Errorf("%s: %s, %q; want %s that says %q", name, r.Verdict, r.Reasons, c.verdict, c.says)
		}
		for format, write := range formats {
			var out bytes.Buffer
			if err := write(&out, r); err != nil {
				t.Errorf("%s: %s: %v", name, format, err)
			}
			if format == "junit.xml" && c.verdict != verdict.Pass && !strings.Contains(out.String(), "<failure") && !strings.Contains(out.String(), "<error") {
				t.Errorf("%s: JUnit has neither a failure nor an error", name)
			}
		}
	}
}

func TestListCostsSurviveReportJSON(t *testing.T) {
	r := listCostReport(t, asItIs)
	var first, second bytes.Buffer
	if err := reports.WriteJSON(&first, r); err != nil {
		t.Fatal(err)
	}
	text := first.String()
	again, err := reports.ReadJSON(&first)
	if err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteJSON(&second, again); err != nil {
		t.Fatal(err)
	}
	if second.String() != text {
		t.Error("what is read and written again differs")
	}
}

// Errors and findings hold what servers answer.
func TestHostileListCostsCannotInject(t *testing.T) {
	r := listCostReport(t, func(run *recording.Run) {
		l := &run.ListCosts[0].Sizes[0].Lists[0]
		l.Error = "\x1b[2J<script>alert(1)</script>|`@team`\n# heading"
		run.ListCosts[0].AuditUnavailable = l.Error
		run.Profiles[0].KubernetesVersion = "v1\n| x |"
	})
	for name, bad := range map[string][]string{"table.txt": {"\x1b"}, "summary.md": {"<script", "\n# heading", "@team", "\n| x |"}, "junit.xml": {"\x1b", "<script"}} {
		var out bytes.Buffer
		if err := formats[name](&out, r); err != nil {
			t.Fatal(err)
		}
		for _, b := range bad {
			if strings.Contains(out.String(), b) {
				t.Errorf("%s holds %q", name, b)
			}
		}
	}
}

func TestAReportWithoutListCostsHasNoSuchField(t *testing.T) {
	data, err := json.Marshal(goldenReport(t))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("listCost")) {
		t.Error("it has")
	}
	run := listCostRecording(t)
	run.ListCosts[0].Sizes[0].Lists[0].Seconds = -1
	if _, err := reports.Build(run, []slo.Objective{}); err != nil {
		t.Errorf("a negative time is a finding of the growth, not an error: %v", err)
	}
	if listcost.MaxExponent != 1.2 {
		t.Error("docs/list-cost.md says 1.2")
	}
}
