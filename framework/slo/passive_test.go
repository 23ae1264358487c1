package slo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestObjectivesOnWhatAPassiveRunCannotKnow(t *testing.T) {
	s, err := LoadForPassive("")
	if err != nil {
		t.Fatal(err)
	}
	var phases []string
	for _, o := range s.Spec.Objectives {
		phases = append(phases, o.Phase)
	}
	if got := strings.Join(phases, " "); got != "pod_startup create_to_schedule schedule_to_run run_to_observed" {
		t.Errorf("the defaults left are on %s", got)
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
