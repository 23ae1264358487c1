package slo

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/timeline"
)

// Kind of the files, whose apiVersion is clusters.APIVersion.
const Kind = "SLO"

// Makespan stands for a phase in objectives: submission until the last pod is ready. A
// burst has only one, so a profile's samples are its bursts.
const Makespan = "makespan"

// SLO is a file of objectives.
type SLO struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Metadata names the set of objectives.
	Metadata clusters.Metadata `json:"metadata"`
	// Spec has the objectives.
	Spec Spec `json:"spec"`
}

// Spec is a list of objectives.
type Spec struct {
	// Objectives are what a run is judged by, at least one.
	Objectives []Objective `json:"objectives" jsonschema:"minItems=1"`
}

// Objective is a limit on one statistic of a phase, or of requests to the API server.
type Objective struct {
	// Name is unique in the file: at most 63 lower-case letters, digits and '-'. It
	// becomes the name of a test case.
	Name string `json:"name" jsonschema:"minLength=1,maxLength=63,pattern=^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"`
	// Phase is the phase that is limited. "makespan" is the time from submission until the
	// last pod is ready. Either phase or apiCalls.
	Phase string `json:"phase,omitempty"`
	// APICalls are the requests to the API server whose latency is limited. Either phase or
	// apiCalls.
	APICalls *APICalls `json:"apiCalls,omitempty"`
	// Stat is the statistic that is limited. Quantiles are by nearest rank.
	Stat string `json:"stat"`
	// Limit is the largest value that passes, above 0 and at most 24h.
	Limit metav1.Duration `json:"limit"`
	// Profiles are the names of the profiles that are judged. Default: all.
	Profiles []string `json:"profiles,omitempty"`
	// Scope says what is judged: each burst by itself, the pooled pods of all valid bursts
	// of a profile, or both. Default: both.
	Scope Scope `json:"scope,omitempty"`
	// WhereAvailable leaves the objective out where no burst of a profile can give the
	// phase (run_to_observed needs an audit log) or has such requests, and the report says
	// so. Default false: what cannot be judged is invalid.
	WhereAvailable bool `json:"whereAvailable,omitempty"`
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

// covers tells whether the objective applies to the profile.
func (o Objective) covers(profile string) bool {
	for _, name := range o.Profiles {
		if name == profile {
			return true
		}
	}
	return len(o.Profiles) == 0
}
