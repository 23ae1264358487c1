package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/reports/progress"
)

func environment(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// defaults are the documented ones, at the time 7 ns.
func defaults(image string) experiment.Plan {
	return experiment.Plan{Spec: burst.Spec{Load: load.Job{Pods: 100, Image: image}, Deadline: 2 * time.Minute},
		Bursts: 3, Warmup: 10, Artifacts: "artifacts", Seed: 7}
}

func TestParseConfigTakesTheDocumentedDefaults(t *testing.T) {
	// make exports its variables even if the user set none: empty is unset.
	got, err := ParseConfig(environment(map[string]string{"PODS": "", "PROFILES": ""}), time.Unix(0, 7))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Provider: "auto", ProfileNames: []string{"default", "tuned"}, Progress: progress.Auto, Plan: defaults("")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestParseConfigReadsEveryVariable(t *testing.T) {
	got, err := ParseConfig(environment(map[string]string{
		"PROVIDER": "embedded", "PROFILES": "a,./b.yaml", "PODS": "20", "BURSTS": "1", "WARMUP": "30",
		"SLO": "mine.yaml", "ARTIFACTS": "out", "DEADLINE": "90s", "LABELS": "profile:a", "SEED": "3",
		"PROGRESS": "json", "PPROF": "1",
	}), time.Unix(0, 7))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Provider: "embedded", ProfileNames: []string{"a", "./b.yaml"}, SLO: "mine.yaml", Labels: "profile:a", Progress: progress.JSON,
		Plan: experiment.Plan{Spec: burst.Spec{Load: load.Job{Pods: 20}, Deadline: 90 * time.Second}, Bursts: 1, Warmup: 30, Artifacts: "out", Seed: 3, Profile: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestOnlyTheExistingProviderReadsTheUsersKubeconfig(t *testing.T) {
	vars := map[string]string{"KUBECONFIG": "a:b", "KUBECONTEXT": "c", "AUDIT_LOG": "d", "IMAGE": "e"}
	for provider, want := range map[string]Config{
		"existing": {ProfileNames: []string{"default"}, Kubeconfig: "a:b", Context: "c", AuditLog: "d"},
		"embedded": {ProfileNames: []string{"default", "tuned"}},
	} {
		vars["PROVIDER"] = provider
		got, err := ParseConfig(environment(vars), time.Unix(0, 7))
		if err != nil {
			t.Fatal(err)
		}
		want.Provider, want.Plan, want.Progress = provider, defaults("e"), progress.Auto
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", provider, diff)
		}
	}
}

func TestParseConfigReportsAllFaultsAtOnce(t *testing.T) {
	_, err := ParseConfig(environment(map[string]string{
		"PODS": "0", "BURSTS": "three", "WARMUP": "-1", "DEADLINE": "-5s", "SEED": "1.5", "PROGRESS": "jsn",
	}), time.Unix(0, 0))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`PODS="0"`, `BURSTS="three"`, `WARMUP="-1"`, `DEADLINE="-5s"`, `SEED="1.5"`, `PROGRESS="jsn"; did you mean json?`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not name %s:\n%v", want, err)
		}
	}
}

func TestProfilingIsAskedForInSoManyWordsAndNeverCompared(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true} {
		got, err := ParseConfig(environment(map[string]string{"PPROF": value}), time.Unix(0, 7))
		if err != nil || got.Profile != want {
			t.Errorf("PPROF=%q: %t (%v)", value, got.Profile, err)
		}
	}
	for name, c := range map[string]struct {
		vars map[string]string
		want string
	}{
		"another word": {map[string]string{"PPROF": "yes"}, `PPROF="yes": want 1`},
		"a comparison": {map[string]string{"PPROF": "1", "BASE": "default", "HEAD": "tuned"}, "profiled bursts are never compared"},
	} {
		if _, err := ParseConfig(environment(c.vars), time.Unix(0, 7)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.want)
		}
	}
}
