package github

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// runner is a step of a workflow with its own files.
type runner struct {
	t        *testing.T
	dir      string
	unset    map[string]bool
	log      bytes.Buffer
	openErrs map[string]error
}

func newRunner(t *testing.T) *runner {
	return &runner{t: t, dir: t.TempDir(), unset: map[string]bool{}, openErrs: map[string]error{}}
}

func (r *runner) actions() Actions {
	return Actions{
		Lookup: func(name string) (string, bool) {
			values := map[string]string{
				actionsVariable: "true", summaryVariable: filepath.Join(r.dir, "summary"), outputVariable: filepath.Join(r.dir, "output"),
			}
			v, ok := values[name]
			return v, ok && !r.unset[name]
		},
		Open: func(path string) (File, error) {
			if err := r.openErrs[filepath.Base(path)]; err != nil {
				return nil, err
			}
			return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		},
		Log: &r.log,
	}
}

func (r *runner) tell(end End) {
	r.t.Helper()
	if err := r.actions().Tell(end); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) file(name string) string {
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(data)
}

// outputs reads the file as GitHub's runner does: a name and a delimiter, then lines until
// the delimiter.
func (r *runner) outputs() map[string]string {
	r.t.Helper()
	found := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(r.file("output"), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		name, delimiter, ok := strings.Cut(lines[i], "<<")
		if !ok || strings.Contains(name, "=") {
			r.t.Fatalf("line %d begins no output: %q", i+1, lines[i])
		}
		var value []string
		for i++; i < len(lines) && lines[i] != delimiter; i++ {
			value = append(value, lines[i])
		}
		if i == len(lines) {
			r.t.Fatalf("output %s has no end", name)
		}
		found[name] = strings.Join(value, "\n")
	}
	return found
}

// sample is a complete run with only what change adds to it.
func sample(change func(*reports.Report)) reports.Report {
	r := reports.Report{Run: reports.Run{ID: "20261129T150405Z-1f3a", Provider: "embedded", Complete: true, PlannedBursts: 2}}
	change(&r)
	r.Conclude()
	return r
}

func comparison(v verdict.Verdict, message string) gate.Result {
	return gate.Result{Base: "ci-base", Head: "ci-head", Endpoint: "makespan", Gated: true, Paired: true, Blocks: 8, Verdict: v, Message: message}
}

func TestARegressionIsInTheSummaryTheOutputsAndAnAnnotation(t *testing.T) {
	r := newRunner(t)
	report := sample(func(r *reports.Report) {
		r.Comparisons = []gate.Result{comparison(verdict.Regressed, "makespan is 41 % slower (27 % to 55 %)")}
	})
	r.tell(End{Report: report, Dir: "artifacts/run", Code: verdict.ExitRegressed})

	if s := r.file("summary"); !strings.HasPrefix(s, "## podburst: REGRESSED\n") || !strings.Contains(s, "41 % slower") {
		t.Errorf("summary:\n%s", s)
	}
	got := r.outputs()
	absolute, err := filepath.Abs("artifacts/run/report.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got["verdict"] != "regressed" || got["report"] != absolute || got["exit-code"] != "5" {
		t.Errorf("outputs %q", got)
	}
	want := "::error title=podburst%3A regressed::ci-head against ci-base, makespan is 41 %25 slower (27 %25 to 55 %25)\n"
	if r.log.String() != want {
		t.Errorf("annotations:\n%swant:\n%s", r.log.String(), want)
	}
}

func TestWithoutARunnerNothingIsWritten(t *testing.T) {
	r := newRunner(t)
	for _, name := range []string{actionsVariable, summaryVariable, outputVariable} {
		r.unset[name] = true
	}
	r.tell(End{Report: sample(func(*reports.Report) {}), Code: verdict.ExitPass})
	if r.file("summary")+r.file("output")+r.log.String() != "" {
		t.Error("something was written")
	}
}

func TestLevelsFollowTheVerdictsAndTheGravestAreFirst(t *testing.T) {
	fail := slo.Result{Name: "pod-startup-p99 for tuned", Verdict: verdict.Fail, Message: "7.1 s, limit 5 s"}
	improved := comparison(verdict.Improved, "makespan is 45 % faster")
	undecided := comparison(verdict.Inconclusive, "makespan +4 % (-9 % to +18 %)")
	bad := func(r *reports.Report) {
		r.Bursts = []reports.Burst{{Profile: "tuned", Index: 1, InvalidReasons: []recording.Problem{{Code: "watch-gap", Detail: "the watch was cut"}}}}
	}
	for name, c := range map[string]struct {
		change func(*reports.Report)
		code   int
		probe  bool
		want   []string
	}{
		"passed": {
			change: func(r *reports.Report) { r.SLO = []slo.Result{{Name: "x", Verdict: verdict.Pass}} },
		},
		"improved": {
			change: func(r *reports.Report) { r.Comparisons = []gate.Result{improved} },
			want:   []string{"::notice title=podburst%3A improved::ci-head against ci-base, makespan is 45"},
		},
		"regressed where nothing is decided": {
			change: func(r *reports.Report) {
				watched := comparison(verdict.Regressed, "pod_startup/p50 is slower")
				watched.Gated = false
				r.Comparisons = []gate.Result{improved, watched}
			},
			want: []string{"::notice title=podburst%3A improved::"},
		},
		"inconclusive": {
			change: func(r *reports.Report) { r.Comparisons = []gate.Result{undecided} },
			want:   []string{"::warning title=podburst%3A inconclusive::ci-head against ci-base, makespan +4"},
		},
		"inconclusive, strict": {
			change: func(r *reports.Report) { r.Comparisons = []gate.Result{undecided} },
			code:   verdict.ExitInconclusive,
			want:   []string{"::error title=podburst%3A inconclusive::"},
		},
		"a failure beside what is not decided": {
			change: func(r *reports.Report) {
				r.Comparisons, r.SLO = []gate.Result{undecided}, []slo.Result{fail}
			},
			code: verdict.ExitFail,
			want: []string{"::error title=podburst%3A fail::pod-startup-p99 for tuned: 7.1 s", "::warning title=podburst%3A inconclusive::"},
		},
		"invalid beside a failure": {
			change: func(r *reports.Report) { r.SLO = []slo.Result{fail}; bad(r) },
			code:   verdict.ExitInvalid,
			want:   []string{"::error title=podburst%3A invalid::tuned burst 1 is invalid: watch-gap: the watch was cut", "::error title=podburst%3A fail::"},
		},
		"a probe that finds what it looks for": {
			change: func(r *reports.Report) {
				r.Comparisons, r.SLO = []gate.Result{comparison(verdict.Regressed, "slower")}, []slo.Result{fail}
			},
			code:  verdict.ExitRegressed,
			probe: true,
		},
		"a probe that cannot be trusted": {
			change: func(r *reports.Report) { r.SLO = []slo.Result{fail}; bad(r) },
			code:   verdict.ExitInvalid,
			probe:  true,
			want:   []string{"::error title=podburst%3A invalid::"},
		},
		"a report that could not be written": {
			change: func(r *reports.Report) { r.SLO = []slo.Result{{Name: "x", Verdict: verdict.Pass}} },
			code:   verdict.ExitInternal,
			want:   []string{"::error title=podburst%3A internal error::podburst ended with exit code 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			r.tell(End{Report: sample(c.change), Code: c.code, Probe: c.probe})
			got := strings.Split(strings.TrimSuffix(r.log.String(), "\n"), "\n")
			if r.log.Len() == 0 {
				got = nil
			}
			if len(got) != len(c.want) {
				t.Fatalf("annotations %q, want %d", got, len(c.want))
			}
			for i, want := range c.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("annotation %d is %q, want it to begin with %q", i+1, got[i], want)
				}
			}
		})
	}
}

func TestHostileTextCannotBecomeACommandOrAnOutput(t *testing.T) {
	const hostile = "x\n::add-mask::a\r\n::error::b%0A::set-output name=verdict::pass,title=c::d\u202e\u001b[31m\x00 <img src=x> @everyone"
	r := newRunner(t)
	report := sample(func(r *reports.Report) {
		r.Run.ID = hostile
		r.SLO = []slo.Result{{Name: hostile, Profile: hostile, Verdict: verdict.Fail, Message: hostile}}
		r.Comparisons = []gate.Result{{Base: hostile, Head: hostile, Gated: true, Verdict: verdict.Regressed, Message: hostile}}
	})
	r.tell(End{Report: report, Dir: "a\npodburst_end\nverdict=pass\nverdict<<podburst_end\npass\npodburst_end\nb", Code: verdict.ExitFail})

	lines := strings.Split(strings.TrimSuffix(r.log.String(), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines of annotations, want 2:\n%s", len(lines), r.log.String())
	}
	for i, title := range []string{"fail", "regressed"} {
		if !strings.HasPrefix(lines[i], "::error title=podburst%3A "+title+"::") || strings.ContainsAny(lines[i], "\r\x00\x1b\u202e") || !strings.Contains(lines[i], "b%250A") {
			t.Errorf("annotation %q", lines[i])
		}
	}
	got := r.outputs()
	if len(got) != 3 || got["verdict"] != "fail" || got["exit-code"] != "4" || !strings.HasSuffix(got["report"], "\npass\npodburst_end\nb/report.json") {
		t.Errorf("outputs %q", got)
	}
	if s := r.file("summary"); strings.ContainsAny(s, "\x00\x1b\u202e") || strings.Contains(s, "<img") || strings.Contains(s, "@everyone") {
		t.Errorf("summary:\n%s", s)
	}
}

func TestAnUnknownVerdictNeverPasses(t *testing.T) {
	r := newRunner(t)
	r.tell(End{Report: reports.Report{Verdict: "pass\nexit-code=0"}, Code: verdict.ExitInternal})
	if got := r.outputs()["verdict"]; got != "invalid" {
		t.Errorf("verdict %q", got)
	}
}

func TestAtMostTenAnnotationsAndTheLastSaysHowManyMore(t *testing.T) {
	r := newRunner(t)
	report := sample(func(r *reports.Report) {
		for i := range 25 {
			r.SLO = append(r.SLO, slo.Result{Name: strings.Repeat("é", 2000) + string(rune('a'+i)), Verdict: verdict.Fail, Message: "m"})
		}
	})
	r.tell(End{Report: report, Code: verdict.ExitFail})
	lines := strings.Split(strings.TrimSuffix(r.log.String(), "\n"), "\n")
	if len(lines) != MaxAnnotations || !strings.HasSuffix(lines[9], "%0Aand 15 more: see the step's summary") || strings.Contains(lines[8], "more") {
		t.Errorf("%d annotations, the last %q", len(lines), lines[len(lines)-1])
	}
	for _, l := range lines {
		if len(l) > 2*maxMessage+200 {
			t.Errorf("an annotation of %d bytes", len(l))
		}
	}
}

func TestTheSummaryStaysBelowWhatGitHubDrops(t *testing.T) {
	report := sample(func(r *reports.Report) {
		for range 5000 {
			r.SLO = append(r.SLO, slo.Result{Name: "check", Profile: "p", Verdict: verdict.Fail, Message: strings.Repeat("long ", 100)})
		}
	})
	for name, c := range map[string]struct {
		before int
		says   string
		fails  bool
	}{
		"there is room":          {before: 10, says: "### Why"},
		"there is room for some": {before: MaxSummarySize - 5000, says: "no room for the rest"},
		"there is none":          {before: MaxSummarySize - 3, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			if err := os.WriteFile(filepath.Join(r.dir, "summary"), bytes.Repeat([]byte("x"), c.before), 0o600); err != nil {
				t.Fatal(err)
			}
			err := r.actions().Tell(End{Report: report, Code: verdict.ExitFail})
			if (err != nil) != c.fails {
				t.Errorf("error %v", err)
			}
			s := r.file("summary")
			if len(s) > MaxSummarySize || !strings.Contains(s[c.before:], c.says) || !c.fails && !strings.HasPrefix(s[c.before:], "\n\n## podburst: FAIL\n") {
				t.Errorf("%d bytes, %d before; new: %.300s", len(s), c.before, s[c.before:])
			}
			if r.outputs()["verdict"] != "fail" {
				t.Error("no outputs")
			}
		})
	}
}

func TestAFileThatCannotBeWrittenIsSaidAndLeavesTheRest(t *testing.T) {
	r := newRunner(t)
	r.openErrs["summary"] = errors.New("no space left on device")
	err := r.actions().Tell(End{Report: sample(func(r *reports.Report) { r.SLO = []slo.Result{{Name: "x", Verdict: verdict.Fail}} }), Code: verdict.ExitFail})
	if err == nil || !strings.Contains(err.Error(), "GITHUB_STEP_SUMMARY") || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
	if r.outputs()["verdict"] != "fail" || !strings.HasPrefix(r.log.String(), "::error ") {
		t.Error("the outputs or the annotations are missing")
	}
}
