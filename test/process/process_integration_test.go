//go:build integration

package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/test/internal/suite"
)

func TestRunEndsWithTablesAndAValidReport(t *testing.T) {
	s := suite.Start(t, "PROFILES=default,tuned", "PODS=20", "BURSTS=2", "WARMUP=5", "PROGRESS=json", "GITHUB_ACTIONS=")
	if code := s.Exit(); code != verdict.ExitPass {
		t.Fatalf("exit code %d, want %d", code, verdict.ExitPass)
	}
	r := s.Report()
	if r.Verdict != verdict.Pass || !r.Run.Complete {
		t.Errorf("verdict %q, complete %t", r.Verdict, r.Run.Complete)
	}
	valid := map[string]int{}
	for _, b := range r.Bursts {
		if !b.Valid {
			t.Errorf("burst %s/%d: %v", b.Profile, b.Index, b.InvalidReasons)
		}
		if b.Warmup {
			continue
		}
		valid[b.Profile]++
		// Four control-plane components, two kubelets, the observer and the machine.
		suite.CheckUsage(t, &b, 4+2+2)
		if b.Accounting.Ready != 20 {
			t.Errorf("burst %s/%d: %d ready", b.Profile, b.Index, b.Accounting.Ready)
		}
		for _, name := range []string{"submit_to_create", "create_to_schedule", "schedule_to_accept", "accept_to_sandbox",
			"sandbox_to_started", "started_to_run", "run_to_observed", "pod_startup"} {
			p := b.Phases[name]
			if p == nil || p.Count != 20 || p.Missing != 0 {
				t.Errorf("burst %s/%d: phase %s is %+v, want 20 samples and none missing", b.Profile, b.Index, name, p)
			}
		}
	}
	if valid["default"] != 2 || valid["tuned"] != 2 {
		t.Errorf("bursts per profile: %v, want 2 each", valid)
	}
	for _, p := range r.Profiles {
		want := map[string]float64{"kube-scheduler": 50, "kube-controller-manager": 20}
		if p.Name == "tuned" {
			want = map[string]float64{"kube-scheduler": 150, "kube-controller-manager": 150}
		}
		for component, qps := range want {
			if got := p.Effective[component]; got.KubeAPIQPS != qps {
				t.Errorf("%s: %s runs with %g QPS (%s), want %g", p.Name, component, got.KubeAPIQPS, got.Source, qps)
			}
		}
	}
	for _, file := range []string{"junit.xml", "summary.md", "ginkgo-junit.xml", "ginkgo.json"} {
		if info, err := os.Stat(filepath.Join(s.Run(), file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if !strings.Contains(s.Stdout(), "create_to_schedule") {
		t.Error("the table was not printed")
	}
	t.Run("events stand apart from the report", func(t *testing.T) { checkEvents(t, s) })
	s.MustLeaveNothing(nil)
}

func TestAMissedObjectiveExitsWithTheSLOCodeAndNamesTheCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "impossible.yaml")
	text := "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: impossible}\nspec:\n  objectives:\n" +
		"  - {name: faster-than-light, phase: pod_startup, stat: p99, limit: 1us}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := suite.Start(t, "PODS=10", "SLO="+file)
	if code := s.Exit(); code != verdict.ExitFail {
		t.Fatalf("exit code %d, want %d", code, verdict.ExitFail)
	}
	if r := s.Report(); r.Verdict != verdict.Fail {
		t.Errorf("verdict %q", r.Verdict)
	}
	failures, errs := s.JUnit()
	if len(errs) != 0 || len(failures) == 0 || !strings.Contains(failures[0], "faster-than-light") {
		t.Errorf("JUnit failures %q, errors %q: want a failure that names the check", failures, errs)
	}
	s.MustLeaveNothing(nil)
}

func TestASchedulerThatStopsMidBurstMakesItInvalid(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "hung": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // both mostly wait
			s := suite.Start(t, "DEADLINE=20s")
			s.MustSay("sending 100 pods")
			if err := syscall.Kill(s.PID("kube-scheduler"), signal); err != nil {
				t.Fatal(err)
			}
			if code := s.Exit(); code != verdict.ExitInvalid {
				t.Errorf("exit code %d, want %d", code, verdict.ExitInvalid)
			}
			r := s.Report()
			if r.Verdict != verdict.Invalid {
				t.Errorf("verdict %q, want invalid", r.Verdict)
			}
			for _, b := range r.Bursts {
				a := b.Accounting
				if b.Valid || a.Expected != a.Ready+a.Failed+a.Pending+a.Lost || a.Ready == a.Expected {
					t.Errorf("burst: valid %t, accounting %+v", b.Valid, a)
				}
			}
			failures, errs := s.JUnit()
			if len(errs) == 0 || len(failures) != 0 {
				t.Errorf("JUnit failures %q, errors %q: want errors only", failures, errs)
			}
			if logs, _ := filepath.Glob(filepath.Join(s.Run(), "logs", "*")); len(logs) == 0 {
				t.Error("no evidence was collected")
			}
			s.MustLeaveNothing(nil)
		})
	}
}

func TestASignalMidBurstLeavesNothingBehindAndKeepsWhatWasRecorded(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := suite.Start(t, "BURSTS=2", "WARMUP=5")
			s.MustSay("sending 100 pods")
			ports := s.Ports()
			if len(ports) < 5 {
				t.Errorf("only %d open ports found: the check would prove nothing", len(ports))
			}
			s.Signal(signal)
			if code := s.Exit(); code != verdict.ExitInterrupted {
				t.Errorf("exit code %d, want %d", code, verdict.ExitInterrupted)
			}
			r := s.Report()
			if r.Run.Interrupted == "" || r.Run.Complete || r.Verdict != verdict.Invalid {
				t.Errorf("interrupted %q, complete %t, verdict %q", r.Run.Interrupted, r.Run.Complete, r.Verdict)
			}
			if len(r.Bursts) == 0 || !r.Bursts[0].Warmup || !r.Bursts[0].Valid {
				t.Errorf("the warm-up before the signal is not in the report: %+v", r.Bursts)
			}
			s.MustLeaveNothing(ports)
		})
	}
}

func TestAKilledSuiteLeavesNoProcessPortOrFolder(t *testing.T) {
	s := suite.Start(t, "BURSTS=2", "WARMUP=5")
	s.MustSay("sending 100 pods")
	ports := s.Ports()
	s.Signal(os.Kill)
	s.Exit()
	s.MustLeaveNothing(ports)
	if r := s.Report(); r.Run.Complete || r.Verdict == verdict.Pass {
		t.Errorf("a killed run claims complete %t, verdict %q", r.Run.Complete, r.Verdict)
	}
}

func TestBadInputExitsWithTheUsageCodeBeforeAnythingStarts(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	slo := "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: x}\nspec:\n  objectives:\n  - {name: a, phase: pod_startp, stat: p99, limit: 5s}\n"
	profile := "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: x}\nspec:\n  kubeScheduler: {kubeAPIQSP: 5, kubeAPIBurst: 5}\n"
	for name, c := range map[string]struct{ env, want string }{
		"unknown provider":       {"PROVIDER=embeded", "embedded"},
		"unknown profile":        {"PROFILES=defualt", "default"},
		"empty profile name":     {"PROFILES=default,,tuned", "stray comma"},
		"duplicate profile":      {"PROFILES=default,default", "default"},
		"no pods":                {"PODS=0", "PODS"},
		"more pods than fit":     {"PODS=100000", "110"},
		"unknown phase":          {"SLO=" + file("slo.yaml", slo), "pod_startup"},
		"missing SLO file":       {"SLO=" + filepath.Join(dir, "absent.yaml"), "absent.yaml"},
		"misspelled field":       {"PROFILES=" + file("p.yaml", profile), "kubeAPIQPS"},
		"unwritable artifacts":   {"ARTIFACTS=" + filepath.Join(file("plain", ""), "artifacts"), "artifacts"},
		"label filter of no one": {"LABELS=(((", "LABELS"},
	} {
		t.Run(name, func(t *testing.T) {
			s := suite.Start(t, c.env)
			if code := s.Exit(); code != verdict.ExitUsage {
				t.Errorf("exit code %d, want %d", code, verdict.ExitUsage)
			}
			if !strings.Contains(s.Text(), c.want) {
				t.Errorf("the message does not say %q", c.want)
			}
			s.MustLeaveNothing(nil)
		})
	}
}
