package slo

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/podburst/podburst"
	"github.com/podburst/podburst/internal/strictyaml/yamltest"
)

func TestFiles(t *testing.T) {
	yamltest.Files(t, Load, func(_ *testing.T, parsed SLO) SLO { return parsed })
}

// The Kubernetes SLO is 5 s at p99. No other limit in the file may be looser than the
// makespan that the limits add up to.
func TestDefaultHoldsTheKubernetesObjective(t *testing.T) {
	parsed, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]float64{}
	calls := map[string]float64{}
	for _, objective := range parsed.Spec.Objectives {
		if objective.APICalls != nil {
			calls[objective.APICalls.String()+" "+objective.Stat] = objective.Limit.Seconds()
			continue
		}
		limits[objective.Phase+" "+objective.Stat] = objective.Limit.Seconds()
	}
	if limits["pod_startup p99"] != 5 {
		t.Errorf("pod_startup p99 is limited to %v s, want 5", limits["pod_startup p99"])
	}
	if want := map[string]float64{
		"mutating of any resource p99": 1, "single-object-reads of any resource p99": 1,
	}; !maps.Equal(calls, want) {
		t.Errorf("calls are limited to %v, want %v", calls, want)
	}
	for name, limit := range limits {
		if limit > limits["makespan max"] {
			t.Errorf("%s may take %v s, longer than the makespan", name, limit)
		}
	}
	if err := parsed.CheckProfiles(nil); err != nil {
		t.Error(err)
	}
}

func TestCheckProfiles(t *testing.T) {
	parsed := SLO{Spec: Spec{Objectives: []Objective{
		{Name: "a", Profiles: []string{"tuned", "mine"}}, {Name: "b", Profiles: []string{"tunde"}}, {Name: "c"},
	}}}
	err := parsed.CheckProfiles([]string{"mine"})
	if want := `objective "b": unknown profile "tunde"; did you mean tuned?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := parsed.CheckProfiles([]string{"mine", "tunde"}); err != nil {
		t.Error(err)
	}
}

// FuzzParse checks that Parse never panics and that it accepts the JSON form of what it
// accepted.
func FuzzParse(f *testing.F) {
	f.Add([]byte(podburst.DefaultSLO))
	yamltest.Seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := Parse("f.yaml", data)
		if err != nil {
			return
		}
		if len(parsed.Spec.Objectives) == 0 {
			t.Error("accepted a file without objectives")
		}
		for _, objective := range parsed.Spec.Objectives {
			if objective.Limit.Duration <= 0 {
				t.Errorf("accepted the limit %v", objective.Limit)
			}
		}
		encoded, err := json.Marshal(parsed)
		if err != nil {
			t.Fatal(err)
		}
		var again SLO
		if err := json.Unmarshal(encoded, &again); err != nil || again.faults() != nil {
			t.Errorf("%s: %v, %v", encoded, err, again.faults())
		}
	})
}
