package slo

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/timeline"
)

// Kind of the files, whose apiVersion is clusters.APIVersion.
const Kind = "SLO"

// Makespan stands for a phase in objectives: submission until the last pod is ready.
// A burst has one, so that a profile's samples are its bursts.
const Makespan = "makespan"

// SLO is a file of objectives.
type SLO struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Metadata has the name of the set of objectives, which is required, and a description.
	Metadata clusters.Metadata `json:"metadata"`
	Spec     Spec              `json:"spec"`
}

// Spec holds at least one objective.
type Spec struct {
	Objectives []Objective `json:"objectives" jsonschema:"minItems=1"`
}

// Objective limits one statistic of one phase.
type Objective struct {
	// Name is unique in the file: lower-case letters, digits and '-', at most 63
	// (it becomes a test case's name).
	Name string `json:"name" jsonschema:"minLength=1,maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// Phase is a phase, or "makespan": submission until the last pod is ready.
	Phase string `json:"phase"`
	// Stat is the statistic that is limited; quantiles are by nearest rank.
	Stat string `json:"stat"`
	// Limit is the largest value that passes, above 0 and at most 24 h.
	Limit metav1.Duration `json:"limit"`
	// Profiles are the names of the profiles judged. Default: all.
	Profiles []string `json:"profiles,omitempty"`
	// Scope says whether each burst is judged by itself, the pooled pods of all valid
	// bursts of a profile, or both. Default both.
	Scope Scope `json:"scope,omitempty"`
}

// Scope says which samples an objective is judged on.
type Scope string

// The scopes.
const (
	// ScopeBurst judges each valid burst by itself.
	ScopeBurst Scope = "burst"
	// ScopeProfile judges the pooled samples of all valid bursts of a profile.
	ScopeProfile Scope = "profile"
	// ScopeBoth does both.
	ScopeBoth Scope = "both"
)

func scopes() []string {
	return []string{string(ScopeBoth), string(ScopeBurst), string(ScopeProfile)}
}

// Phases lists what an objective may limit.
func Phases() []string {
	var names []string
	for _, phase := range timeline.Phases() {
		names = append(names, phase.Name)
	}
	return append(names, Makespan)
}

// covers tells whether the objective judges the profile.
func (o Objective) covers(profile string) bool {
	for _, name := range o.Profiles {
		if name == profile {
			return true
		}
	}
	return len(o.Profiles) == 0
}
