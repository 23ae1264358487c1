package listcost

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/internal/golden"
)

// reportOf is the report of the recorded run after change has changed it.
func reportOf(t *testing.T, change func(*Recording)) Report {
	t.Helper()
	run, err := Read(filepath.Join("testdata", "run"))
	if err != nil {
		t.Fatal(err)
	}
	change(&run)
	r, err := Build(run)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func asItIs(*Recording) {}

func TestTheReportOfARecordedRun(t *testing.T) {
	r := reportOf(t, asItIs)
	if r.Verdict != verdict.Pass || len(r.Reasons) != 0 || len(r.Profiles) != 1 || !r.Profiles[0].Complete {
		t.Errorf("verdict %s: %q", r.Verdict, r.Reasons)
	}
	for _, f := range Formats() {
		file := f.File
		if file == "" {
			file = "table.txt"
		}
		var got bytes.Buffer
		if err := f.Write(r, &got); err != nil {
			t.Fatal(err)
		}
		text := got.String()
		if i := strings.Index(text, "<main"); i >= 0 {
			text = text[i:] // the style above is internal/document's
		}
		golden.Check(t, filepath.Join("testdata", "golden", file), text)
	}
}

func TestTheTableFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	if err := reportOf(t, asItIs).WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestTheVerdictOfARun(t *testing.T) {
	faster := func(run *Recording) {
		for i := range run.Observations[0].Sizes {
			size := &run.Observations[0].Sizes[i]
			for j := range size.Lists {
				if size.Lists[j].Strategy == "table" {
					size.Lists[j].Bytes *= int64(size.Pods)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		change  func(*Recording)
		verdict verdict.Verdict
		says    string
	}{
		"not measured":          {func(r *Recording) { r.Observations = nil }, verdict.Invalid, "the list costs of profile default were not measured"},
		"cut short":             {func(r *Recording) { r.Observations[0].FinishedAt = nil }, verdict.Invalid, "not measured at every size"},
		"of a profile too few":  {func(r *Recording) { r.Manifest.Profiles = []string{"default", "tuned"} }, verdict.Invalid, "profile tuned were not measured"},
		"a list failed":         {func(r *Recording) { r.Observations[0].Sizes[0].Lists[0].Error = "reset" }, verdict.Invalid, "reset"},
		"grows faster":          {faster, verdict.Fail, "growth of table in bytes"},
		"the watcher is greedy": {func(r *Recording) { r.Observations[0].Watcher["pods"] = watch.Requests{Lists: 2} }, verdict.Fail, "the suite's watcher"},
		"not what the profile asks for": {func(r *Recording) { r.Observations[0].Problems = []string{"kubelet-a: maxPods is 110, asked for 250"} },
			verdict.Invalid, "asked for 250"},
		"too few sizes to judge": {func(r *Recording) {
			r.Observations[0].Sizes = r.Observations[0].Sizes[:2]
			r.Observations[0].Plan.Sizes = r.Observations[0].Plan.Sizes[:2]
		}, verdict.Pass, ""},
		"interrupted":            {func(r *Recording) { r.Manifest.Interrupted = "signal" }, verdict.Invalid, "interrupted"},
		"fails and is not whole": {func(r *Recording) { faster(r); r.Manifest.Interrupted = "signal" }, verdict.Invalid, "growth of table in bytes"},
	} {
		r := reportOf(t, c.change)
		if r.Verdict != c.verdict || !strings.Contains(strings.Join(r.Reasons, "\n"), c.says) {
			t.Errorf("%s: %s, %q; want %s that says %q", name, r.Verdict, r.Reasons, c.verdict, c.says)
		}
		for _, f := range Formats() {
			var out bytes.Buffer
			if err := f.Write(r, &out); err != nil {
				t.Errorf("%s: %s: %v", name, f.Name, err)
			}
			failed := strings.Contains(out.String(), "<failure") || strings.Contains(out.String(), "<error")
			if f.Name == "junit" && failed != (c.verdict != verdict.Pass) {
				t.Errorf("%s: JUnit has a failure or an error: %t", name, failed)
			}
		}
	}
}

func TestTheResultIsReadAsItWasWritten(t *testing.T) {
	r := reportOf(t, asItIs)
	var first, second bytes.Buffer
	if err := r.WriteJSON(&first); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(first.Bytes(), &again); err != nil {
		t.Fatal(err)
	}
	if err := again.WriteJSON(&second); err != nil {
		t.Fatal(err)
	}
	if second.String() != first.String() {
		t.Error("what is read and written again differs")
	}
}

// Errors and findings hold what servers answer.
func TestHostileAnswersCannotInject(t *testing.T) {
	const hostile = "\x1b[2J<script>alert(1)</script>|`@team`\n# heading"
	for name, r := range map[string]Report{
		"recorded": reportOf(t, func(run *Recording) {
			run.Observations[0].Sizes[0].Lists[0].Error = hostile
			run.Observations[0].AuditUnavailable = hostile
			run.Observations[0].KubernetesVersion = "v1\n| x |"
		}),
		"everywhere": listed(hostile),
	} {
		for _, f := range Formats() {
			var out bytes.Buffer
			if err := f.Write(r, &out); err != nil {
				t.Fatal(err)
			}
			bad := map[string][]string{
				"table": {"\x1b"}, "markdown": {"<script", "\n# heading", "@team", "\n| x |"}, "junit": {"\x1b", "<script"}, "html": {"<script", "\x1b"}, "bench": {"\x1b", "\n# heading"},
			}
			for _, b := range bad[f.Name] {
				if strings.Contains(out.String(), b) {
					t.Errorf("%s, %s holds %q", name, f.Name, b)
				}
			}
		}
	}
}

// listed is a report with name wherever a name or a message goes.
func listed(name string) Report {
	took := func(s float64) *stats.Summary {
		return &stats.Summary{Count: 5, Min: s, Mean: s, P50: s, P90: s, P95: s, P99: 1.5 * s, Max: 1.5 * s}
	}
	middle, low, high := 3.3, 2.9, 3.8
	result := Result{
		ListDifferences: []ListDifference{{List: name, Pods: 100, Quantity: name, Ratio: Ratio{Rounds: 20, Median: &middle, Low: &low, High: &high, Beyond: true}}},
		Differences:     []StyleDifference{{Pods: 100, Consumers: 4, Quantity: "bytes", Ratio: Ratio{}}},
		Profile:         name, Complete: true, Limit: 500, Findings: []string{name + ": a finding"},
		Checks: []Check{
			{Name: "one", Verdict: verdict.Pass, Message: name}, {Name: "two", Verdict: verdict.Fail, Message: name},
			{Name: name, Verdict: verdict.Inconclusive, Message: name},
		},
		Informers: []InformerResult{{Style: name, Consumers: 4, Pods: 100, FullReads: 4, Watches: 4, SyncedSeconds: took(0.1), SyncBytes: 1 << 21, LiveBytes: 900}},
	}
	for i, strategy := range []string{"all at once", "pages of 500", "stream", name} {
		s := StrategyResult{Name: strategy}
		for _, pods := range []int{100, 1000, 5000} {
			s.Points = append(s.Points, Point{
				Pods: pods, Tries: 5, Pages: 1 + pods/500, Bytes: int64(pods) * 3000, WireBytes: int64(pods) * 300,
				Seconds: took(float64(pods*(i+1)) * 40e-6), FirstByteSeconds: took(0.002),
			})
		}
		result.Strategies = append(result.Strategies, s)
	}
	result.Strategies[3].Points[0].Seconds = nil
	r := Report{Run: Manifest{ID: name, Provider: name, Profiles: []string{name}}, Profiles: []Result{result, {Profile: "nothing"}}}
	r.conclude()
	return r
}

func TestAMeasurementOfNothingIsShownAsSuch(t *testing.T) {
	r := listed("default")
	for _, f := range Formats() {
		var out bytes.Buffer
		if err := f.Write(r, &out); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	negative := reportOf(t, func(r *Recording) { r.Observations[0].Sizes[0].Lists[0].Seconds = -1 })
	if negative.Verdict != verdict.Pass {
		t.Errorf("a negative time is a finding of the growth: %s, %q", negative.Verdict, negative.Reasons)
	}
	if MaxExponent != 1.2 {
		t.Error("docs/list-cost.md says 1.2")
	}
}

func TestAFormatThatCannotBeWrittenKeepsNoOther(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "summary.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := reportOf(t, asItIs).WriteFiles(recording.Disk{}, dir)
	if err == nil || !strings.Contains(err.Error(), "summary.md") {
		t.Errorf("error %v", err)
	}
	for _, name := range []string{"listcost.json", "report.html", "junit.xml", "bench.txt"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAClusterThatDoesNotStartLeavesAnInvalidReport(t *testing.T) {
	r := begun(t)
	if err := r.Measure(t.Context()); err == nil || !strings.Contains(err.Error(), "no cluster today") {
		t.Errorf("error %v", err)
	}
	report, err := r.Finish("")
	if err != nil || report.Verdict != verdict.Invalid {
		t.Errorf("verdict %s, %v", report.Verdict, err)
	}
	if _, err := os.Stat(filepath.Join(r.Dir(), "report.html")); errors.Is(err, fs.ErrNotExist) {
		t.Error("it has no page")
	}
}

func TestAnInterruptedRunStartsNoFurtherCluster(t *testing.T) {
	r := begun(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Measure(ctx); err != nil {
		t.Errorf("a cluster was started: %v", err)
	}
	report, err := r.Finish("signal: interrupt")
	if err != nil || report.Run.FinishedAt != nil || !strings.Contains(strings.Join(report.Reasons, "\n"), "signal: interrupt") {
		t.Errorf("%q, %v", report.Reasons, err)
	}
}
