package slo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
)

func TestObjectivesOnWhatAPassiveRunCannotKnow(t *testing.T) {
	s, err := LoadForPassive("")
	if err != nil {
		t.Fatal(err)
	}
	// A passive burst has neither a makespan nor a phase from submit on.
	passive := Burst{Profile: "p", Index: 1, Valid: true, Passive: true, Phases: map[string]Samples{}}
	for _, phase := range []string{"pod_startup", "create_to_schedule", "schedule_to_run", "run_to_observed"} {
		passive.Phases[phase] = Samples{Seconds: []float64{1}}
	}
	results, left := Judge(s.Spec.Objectives, []string{"p"}, []Burst{passive})
	for _, r := range results {
		if r.Verdict != verdict.Pass {
			t.Errorf("%+v", r)
		}
	}
	var names []string
	for _, l := range left {
		if strings.Contains(l.Reason, "begins with the submission, which is not known") {
			names = append(names, l.Name)
		}
	}
	if got := strings.Join(names, " "); got != "submit-to-create-p99 makespan-max" {
		t.Errorf("left out for want of a submission: %s, want the two that need it", got)
	}
	// One that podburst sent has a makespan unless a pod hung.
	hung := passive
	hung.Passive = false
	results, _ = Judge(s.Spec.Objectives, []string{"p"}, []Burst{hung})
	if !slices.ContainsFunc(results, func(r Result) bool { return r.Phase == Makespan && r.Verdict == verdict.Invalid }) {
		t.Errorf("a burst whose pods were not all ready has no check of its makespan: %+v", results)
	}
	for phase, refused := range map[string]bool{
		"makespan": true, "submit_to_create": true, "submit_to_ready": true, "scheduling": true, "total": true,
		"pod_startup": false, "create_to_schedule": false,
	} {
		path := filepath.Join(t.TempDir(), "slo.yaml")
		text := "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: x}\nspec:\n  objectives:\n  - {name: a, phase: " + phase + ", stat: p99, limit: 5s}\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := LoadForPassive(path)
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), path+`: objective "a": `+phase) {
			t.Errorf("%s: error %v, refused should be %t", phase, err, refused)
		}
	}
}
