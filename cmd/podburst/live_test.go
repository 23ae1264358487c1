package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/session"
)

// stage is a sender that makes up bursts: the Job controller is as fast as the
// profile lets it be. It records them like a real run.
type stage struct {
	t *testing.T
	// sent is what it was last asked for.
	sent session.Options
	// deaf: the limits of the profiles have no effect.
	deaf bool
	// most caps the pods of a burst. Default 40: fewer are quicker to make up, but
	// show no limit.
	most int
}

func (s *stage) send(_ context.Context, o session.Options, strict bool) (outcome, error) {
	s.t.Helper()
	s.sent = o
	plan, pods := *o.Comparison, min(o.Load.Terms().Pods, cmp.Or(s.most, 40))
	plan.Layout, plan.Looks = recording.SideBySide, 1
	manifest := recording.Manifest{
		StartedAt: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), Seed: o.Seed, Provider: "embedded", BurstsPerProfile: plan.Blocks, PodsPerBurst: pods,
		Comparison: &plan, Environment: []byte(`{"cpus": 2}`),
	}
	for _, p := range o.Profiles {
		manifest.Profiles = append(manifest.Profiles, p.Metadata.Name)
	}
	w, err := recording.Create(o.Artifacts, manifest, recording.WithFileSystem(unsynced{}))
	if err != nil {
		return outcome{}, err
	}
	for _, p := range o.Profiles {
		limits := clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30, Source: "configz"}
		if q, b := p.Spec.KubeControllerManager.KubeAPIQPS, p.Spec.KubeControllerManager.KubeAPIBurst; q != nil && !s.deaf {
			limits.KubeAPIQPS, limits.KubeAPIBurst = *q, *b
		}
		effective := clusters.Effective{string(clusters.KubeControllerManager): limits}
		if err := w.WriteProfile(recording.Profile{Name: p.Metadata.Name, Provider: "embedded", Spec: p, Effective: effective}); err != nil {
			return outcome{}, err
		}
		for block := 1; block <= plan.Blocks; block++ {
			b := synthetic.Burst(synthetic.Options{
				Profile: p.Metadata.Name, Index: block, Pods: pods, JobController: limits, Seed: uint64(block),
				Kubelet: clusters.Limits{KubeAPIQPS: 5000, KubeAPIBurst: 10000},
				Start:   manifest.StartedAt.Add(time.Duration(block) * time.Minute),
			})
			b.Block = block
			if err := w.WriteBurst(b); err != nil {
				return outcome{}, err
			}
		}
	}
	if err := w.Finish(); err != nil {
		return outcome{}, err
	}
	run, err := recording.Read(w.Dir())
	if err != nil {
		return outcome{}, err
	}
	report, err := reports.Build(run, o.Objectives)
	return outcome{w.Dir(), report, report.Verdict.ExitCode(strict)}, err
}

// unsynced is a disk without syncs: what a test writes need not last.
type unsynced struct{ recording.Disk }

func (d unsynced) CreateTemp(dir, pattern string) (recording.File, error) {
	f, err := d.Disk.CreateTemp(dir, pattern)
	return unsyncedFile{f}, err
}

type unsyncedFile struct{ recording.File }

func (unsyncedFile) Sync() error { return nil }

// on runs a command line in an empty folder, with made-up bursts.
func on(t *testing.T, s *stage, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	s.t = t
	t.Chdir(t.TempDir())
	return s.execute(args...)
}

func (s *stage) execute(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = execute(s.t.Context(), rootCommand(s.send), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestCompareExitsWithTheVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"a faster head":         {[]string{"--base", "default", "--head", "tuned"}, verdict.ExitPass, "tuned against default: improved"},
		"a slower head":         {[]string{"--base", "tuned", "--head", "default"}, verdict.ExitRegressed, "default against tuned: REGRESSED"},
		"a profile and itself":  {[]string{"--base", "default", "--head", "default"}, verdict.ExitPass, "default-head against default-base: pass"},
		"six blocks, undecided": {[]string{"--base", "tuned", "--head", "default", "--blocks", "6", "--strict"}, verdict.ExitInconclusive, "INCONCLUSIVE"},
		"a margin of 500 %":     {[]string{"--base", "tuned", "--head", "default", "--margin", "9"}, verdict.ExitPass, "pass"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := on(t, &stage{}, append([]string{"compare"}, c.args...)...)
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("exit code %d, want %d; stdout lacks %q:\n%s%s", code, c.code, c.says, out, errs)
			}
		})
	}
}

func TestComparisonsAreRefusedBeforeAnythingStarts(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("criteria.yaml", []byte("apiVersion: podburst.dev/v1alpha1\nkind: Gate\nspec:\n  margins: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	unreachable := func(context.Context, session.Options, bool) (outcome, error) {
		t.Error("a run was started")
		return outcome{}, nil
	}
	for name, c := range map[string]struct {
		args string
		says string
	}{
		"no head":                  {"compare --base default", "head is required"},
		"unknown profile":          {"compare --base defualt --head tuned", "did you mean default?"},
		"unknown provider":         {"compare --base default --head tuned --provider embeded", "embedded"},
		"the existing provider":    {"compare --base default --head tuned --provider existing", "--base-run and --head-run"},
		"unknown layout":           {"compare --base default --head tuned --layout side", "side-by-side"},
		"unknown format":           {"compare --base default --head tuned --format tabel", "table"},
		"too few blocks":           {"compare --base default --head tuned --blocks 5", "must be 6 to"},
		"less than planned":        {"compare --base default --head tuned --blocks 8 --max-blocks 7", "must be 8"},
		"a margin of nothing":      {"compare --base default --head tuned --margin -0.1", "margin"},
		"a misspelled criterion":   {"compare --base default --head tuned --criteria criteria.yaml", "spec.margins"},
		"absent criteria":          {"compare --base default --head tuned --criteria absent.yaml", "absent.yaml"},
		"no pods":                  {"compare --base default --head tuned --pods 0", "--pods 0"},
		"one run only":             {"compare --base-run x", "--base-run and --head-run go together"},
		"absent runs":              {"compare --base-run x --head-run y", "x"},
		"gate of nothing":          {"gate x", "x"},
		"a file that is there":     {"calibrate --output criteria.yaml", "exists already"},
		"no objective":             {"sweep", "--meet 'makespan <= 2s'"},
		"objective in bad form":    {"sweep --meet makespan<2s", "write 'PHASE [STAT] <= LIMIT'"},
		"unknown phase":            {"sweep --meet makespn<=2s", "did you mean makespan?"},
		"unknown statistic":        {"sweep --meet pod_startup=p99", "write 'PHASE"},
		"no duration":              {"sweep --meet makespan<=2", "positive duration"},
		"both objectives":          {"sweep --meet makespan<=2s --slo f", "give one of them"},
		"unknown component":        {"sweep --component kube-schduler --meet makespan<=2s", "kube-scheduler"},
		"one setting":              {"sweep --qps 20 --meet makespan<=2s", "at least 2 settings"},
		"a setting twice":          {"sweep --qps 20,20/30 --meet makespan<=2s", "there twice"},
		"a setting of no number":   {"sweep --qps 20,x --meet makespan<=2s", `"x"`},
		"a burst of nothing":       {"sweep --qps 20,40/0 --meet makespan<=2s", "after /"},
		"a ratio of nothing":       {"sweep --burst-ratio 0 --meet makespan<=2s", "--burst-ratio 0"},
		"no block":                 {"sweep --blocks 0 --meet makespan<=2s", "at least 1 block"},
		"self-test of no profile":  {"self-test --profile nosuch", "unknown profile"},
		"calibrate of few blocks":  {"calibrate --blocks 3", "must be 6 to"},
		"profiles of a comparison": {"compare --base default --head tuned --pprof", "profiled bursts are never compared"},
		"profiles of noise":        {"calibrate --pprof", "profiled bursts are never compared"},
		"profiles of a self-test":  {"self-test --pprof", "profiled bursts are never compared"},
		"a run that compares none": {"gate " + filepath.Join(start(t), recorded), "compares nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := execute(t.Context(), rootCommand(unreachable), strings.Fields(c.args), &out, &errs)
			if code != verdict.ExitUsage || !strings.Contains(errs.String(), c.says) {
				t.Errorf("exit code %d, want %d; stderr lacks %q:\n%s", code, verdict.ExitUsage, c.says, errs.String())
			}
		})
	}
}

// start is the folder in which the tests were started.
func start(t *testing.T) string {
	t.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("where am I?")
	}
	return filepath.Dir(file)
}

func TestGateJudgesARecordedComparisonAgain(t *testing.T) {
	s := &stage{}
	if code, _, errs := on(t, s, "compare", "--base", "tuned", "--head", "default"); code != verdict.ExitRegressed {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	runs, _ := filepath.Glob("artifacts/*")
	if code, out, _ := s.execute("gate", runs[0]); code != verdict.ExitRegressed || !strings.Contains(out, "REGRESSED") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, _, _ := s.execute("gate", "--margin", "9", runs[0]); code != verdict.ExitPass {
		t.Errorf("with a wide margin: exit code %d", code)
	}
}

func TestTwoRunsAreComparedOfflineUnlessTheirMachinesDiffer(t *testing.T) {
	s := &stage{}
	on(t, s, "compare", "--base", "default", "--head", "tuned", "--artifacts", "a")
	s.execute("compare", "--base", "default", "--head", "tuned", "--artifacts", "b")
	first, _ := filepath.Glob("a/*")
	second, _ := filepath.Glob("b/*")
	runs := []string{"compare", "--base-run", first[0], "--head-run", second[0]}

	code, out, errs := s.execute(runs...)
	if code != verdict.ExitPass || !strings.Contains(out, "default against default of ") || !strings.Contains(out, "tuned against tuned of ") {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
	if code, out, _ = s.execute(append(runs, "--base", "tuned", "--head", "default")...); code != verdict.ExitRegressed {
		t.Errorf("default of one run against tuned of another: exit code %d\n%s", code, out)
	}
	if code, _, errs = s.execute(append(runs, "--base", "tunde")...); code != verdict.ExitUsage || !strings.Contains(errs, "tunde") {
		t.Errorf("a profile that is not there: exit code %d: %s", code, errs)
	}

	manifest := filepath.Join(second[0], "raw", "run.json")
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(text, []byte(`"cpus": 2`), []byte(`"cpus": 16`), 1)
	if bytes.Equal(text, other) {
		t.Fatalf("no environment in %s", text)
	}
	if err := os.WriteFile(manifest, other, 0o600); err != nil {
		t.Fatal(err)
	}
	runs = append(runs, "--base", "tuned", "--head", "default")
	if code, _, errs = s.execute(runs...); code != verdict.ExitUsage || !strings.Contains(errs, "cpus: 2 and 16") {
		t.Errorf("another machine: exit code %d: %s", code, errs)
	}
	if code, out, _ = s.execute(append(runs, "--force")...); code != verdict.ExitPass || !strings.Contains(out, "a trend only") {
		t.Errorf("forced: exit code %d\n%s", code, out)
	}
}

func TestCalibrateWritesCriteriaWithTheirEvidence(t *testing.T) {
	code, out, errs := on(t, &stage{}, "calibrate", "--blocks", "12", "--pods", "50")
	if code != verdict.ExitPass || !strings.Contains(out, "gate.yaml") {
		t.Fatalf("exit code %d:\n%s%s", code, out, errs)
	}
	c, err := gate.LoadCriteria("gate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	e := c.Spec.Evidence
	if e == nil || e.Blocks != 12 || e.Pods != 50 || e.Provider != "embedded" || len(e.Endpoints) != len(c.Spec.Endpoints) {
		t.Errorf("evidence %+v", e)
	}
	// Made-up bursts with the same seed are the same in both arms.
	for _, endpoint := range c.Spec.Endpoints {
		if endpoint.Margin != gate.MinMargin {
			t.Errorf("margin of %s without noise: %g", endpoint.Name(), endpoint.Margin)
		}
	}
}

func TestSelfTestTripsOnlyWhereTheLimitsAreHalved(t *testing.T) {
	s := &stage{}
	code, out, errs := on(t, s, "self-test")
	if code != verdict.ExitPass || !strings.Contains(out, "default-half against default: REGRESSED") || !strings.Contains(out, "default-same against default: pass") {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
	half := s.sent.Profiles[2].Spec.KubeControllerManager
	if *half.KubeAPIQPS != 10 || *half.KubeAPIBurst != 15 {
		t.Errorf("half of 20/30 is %g/%d", *half.KubeAPIQPS, *half.KubeAPIBurst)
	}
	// If the limits have no effect, the gate has nothing to find, and says that it
	// cannot be trusted.
	if code, _, errs = on(t, &stage{deaf: true}, "self-test"); code != verdict.ExitInternal || !strings.Contains(errs, "not called regressed") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestAFalseAlarmFailsTheSelfTest(t *testing.T) {
	regressed := func(head string) gate.Result {
		return gate.Result{Head: head, Endpoint: slo.Makespan, Gated: true, Verdict: verdict.Regressed, Message: "makespan: slower"}
	}
	r := reports.Report{Comparisons: []gate.Result{regressed("p-half"), regressed("p-same")}}
	if faults := tripped(r, "p-same", "p-half"); len(faults) != 1 || !strings.Contains(faults[0], "nothing changed") {
		t.Errorf("%q", faults)
	}
}

// 40 pods through q/b take (40-b)/q: 10/10 takes 3 s, 20/20 1 s, 40/40 nothing.
func TestSweepFindsTheSmallestSettingThatMeets(t *testing.T) {
	code, out, errs := on(t, &stage{}, "sweep", "--meet", "makespan <= 2s", "--qps", "10,20,40", "--burst-ratio", "1", "--format", "json")
	var found reports.Sweep
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		t.Fatalf("%v: exit code %d:\n%s%s", err, code, out, errs)
	}
	if code != verdict.ExitPass || found.Smallest == nil || found.Smallest.QPS != 20 || len(found.Points) != 3 || found.Points[0].Meets {
		t.Errorf("exit code %d, smallest %+v", code, found.Smallest)
	}
	if written, _ := filepath.Glob("artifacts/*/sweep.json"); len(written) != 1 {
		t.Errorf("no sweep.json: %v", written)
	}
	code, out, _ = on(t, &stage{}, "sweep", "--meet", "makespan <= 2s", "--qps", "5/5,10/10")
	if code != verdict.ExitFail || !strings.Contains(out, "No setting meets the objectives.") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	code, out, _ = on(t, &stage{}, "sweep", "--meet", "makespan <= 2s", "--qps", "150,10/10")
	if code != verdict.ExitPass || !strings.Contains(out, "kube-controller-manager 150/225") || !strings.Contains(out, "10/10") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// What a help text shows must work as it stands. Commands that need a cluster, an
// engine or a compiler are only parsed; all others run with made-up bursts.
func TestExamplesOfTheHelpWork(t *testing.T) {
	parsed := []string{"clusters", "controlplane", "doctor", "list-cost", "node-image", "observe"}
	const few = 4 // the commands' results are tested elsewhere
	on(t, &stage{most: few}, "compare", "--base", "default", "--head", "tuned")
	run := golden.Files(t, "artifacts/*")[0]
	recorded, err := filepath.Abs(run)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range leaves(rootCommand(nil)) {
		for _, line := range strings.Split(c.Example, "\n") {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			t.Run(line, func(t *testing.T) {
				s := &stage{t: t, most: few}
				t.Chdir(t.TempDir())
				if strings.Contains(line, "artifacts/") {
					if err := os.CopyFS(run, os.DirFS(recorded)); err != nil {
						t.Fatal(err)
					}
				}
				for _, file := range []string{"mine.yaml", "ci.yaml"} {
					writeText(t, file, "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: "+strings.TrimSuffix(file, ".yaml")+"}\n")
				}
				if !strings.Contains(line, "--output gate.yaml") {
					writeText(t, "gate.yaml", "apiVersion: podburst.dev/v1alpha1\nkind: Gate\nspec: {}\n")
				}
				for _, file := range []string{"slo.yaml", "my-slo.yaml"} {
					writeText(t, file, "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: mine}\nspec:\n  objectives:\n  - {name: all, phase: makespan, stat: max, limit: 1m}\n")
				}
				writeText(t, "before.txt", "")
				first := strings.Fields(line)[1]
				if first == "self-test" {
					s.most = 0 // its limits must show
				}
				words, ok := shellWords(line, run)
				if !ok {
					t.Fatalf("%q is not understood by this test", line)
				}
				for _, name := range parsed {
					if first == name {
						leaf, rest, err := rootCommand(s.send).Find(words)
						if err == nil {
							err = leaf.ParseFlags(rest)
						}
						if err != nil {
							t.Error(err)
						}
						return
					}
				}
				code, out, errs := s.execute(words...)
				if code == verdict.ExitUsage || code == verdict.ExitInternal {
					t.Errorf("exit code %d\n%s%s", code, out, errs)
				}
			})
		}
	}
}

func leaves(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		if len(sub.Commands()) > 0 {
			all = append(all, leaves(sub)...)
			continue
		}
		all = append(all, sub)
	}
	return all
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shellWords are the arguments of the line's podburst command as a shell would split
// them; placeholders for run IDs become run.
func shellWords(line, run string) (words []string, ok bool) {
	line, _, _ = strings.Cut(line, " > ")
	line, _, _ = strings.Cut(line, " | ")
	quoted := false
	word, inWord := "", false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted, inWord = !quoted, true
		case r == ' ' && !quoted:
			if inWord {
				words = append(words, word)
			}
			word, inWord = "", false
		default:
			word, inWord = word+string(r), true
		}
	}
	if quoted || len(words) < 2 || words[0] != "podburst" {
		return nil, false
	}
	for i, w := range words {
		if strings.HasPrefix(w, "artifacts/") {
			words[i] = run
		}
	}
	return words[1:], true
}
