package slo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// Burst is what judging needs of a recorded burst.
type Burst struct {
	Profile string
	// Index counts the profile's bursts from 1.
	Index  int
	Warmup bool
	Valid  bool
	// Phases holds the samples by phase name. Phases that the provider cannot give are
	// absent.
	Phases map[string]Samples
	// MakespanSeconds is nil unless every pod was ready.
	MakespanSeconds *stats.Seconds
}

// Samples are the durations of one phase in seconds, one for each pod that has both marks,
// and the number of pods that lack a mark.
type Samples struct {
	Seconds []float64
	Missing int
}

// Result is one objective judged on one burst, or on all valid bursts of a profile
// together.
type Result struct {
	// Name is the name of the objective.
	Name string `json:"name"`
	// Profile is the name of the profile.
	Profile string `json:"profile"`
	// Scope says what was judged: one burst, or the pooled pods of all valid bursts of the
	// profile.
	Scope Scope `json:"scope" jsonschema:"enum=burst,enum=profile"`
	// Burst is the number of the burst. Absent where all were judged together.
	Burst int `json:"burst,omitempty" jsonschema:"minimum=1"`
	// Phase is the name of the phase, or "makespan".
	Phase string `json:"phase"`
	// Stat is the statistic that is limited.
	Stat string `json:"stat"`
	// LimitSeconds is the largest value that passes.
	LimitSeconds stats.Seconds `json:"limitSeconds"`
	// ObservedSeconds is null where nothing could be observed. The verdict is then
	// invalid.
	ObservedSeconds *stats.Seconds `json:"observedSeconds"`
	// Samples is how many values the statistic is of.
	Samples int `json:"samples"`
	// Verdict is what the check amounts to.
	Verdict verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=fail,enum=invalid"`
	// Message is one sentence with observed value, limit, number of samples and the
	// quantile's definition, or why nothing could be judged.
	Message string `json:"message"`
}

// Judge applies each objective to each profile that it covers: those of the run, in order,
// then any others among the bursts. It does not judge invalid bursts or warm-ups. A profile
// without a valid burst is Invalid, whatever the scope. So is a phase that is unavailable,
// has no samples, or misses some.
//
// An objective that covers no profile has no result. No results do not mean a pass.
func Judge(objectives []Objective, profiles []string, bursts []Burst) []Result {
	results := []Result{}
	for _, profile := range order(profiles, bursts) {
		var valid []Burst
		for _, burst := range bursts {
			if burst.Profile == profile && burst.Valid && !burst.Warmup {
				valid = append(valid, burst)
			}
		}
		for _, objective := range objectives {
			if objective.covers(profile) && !objective.leftOut(valid) {
				results = append(results, objective.judge(profile, valid)...)
			}
		}
	}
	return results
}

func order(profiles []string, bursts []Burst) []string {
	var ordered []string
	for _, profile := range profiles {
		if !slices.Contains(ordered, profile) {
			ordered = append(ordered, profile)
		}
	}
	for _, burst := range bursts {
		if !slices.Contains(ordered, burst.Profile) {
			ordered = append(ordered, burst.Profile)
		}
	}
	return ordered
}

// leftOut tells whether the objective does not apply because these bursts cannot give its
// phase.
func (o Objective) leftOut(valid []Burst) bool {
	return o.WhereAvailable && o.Phase != Makespan && len(valid) > 0 && !slices.ContainsFunc(valid, func(b Burst) bool {
		_, available := b.Phases[o.Phase]
		return available
	})
}

func (o Objective) judge(profile string, valid []Burst) []Result {
	blank := Result{Name: o.Name, Profile: profile, Phase: o.Phase, Stat: o.Stat, LimitSeconds: stats.SecondsOf(o.Limit.Duration)}
	whole := blank
	whole.Scope = ScopeProfile
	if len(valid) == 0 {
		return []Result{whole.invalid("the profile has no valid burst, so there is nothing to judge")}
	}
	var results []Result
	var pooled []float64
	var reasons []string
	for _, burst := range valid {
		samples, reason := o.samples(burst)
		pooled = append(pooled, samples...)
		one := blank
		one.Scope, one.Burst, one.Samples = ScopeBurst, burst.Index, len(samples)
		if reason != "" {
			reasons = append(reasons, fmt.Sprintf("burst %d: %s", burst.Index, reason))
			one = one.invalid(reason)
		} else {
			one = one.compare(samples)
		}
		if o.Scope != ScopeProfile {
			results = append(results, one)
		}
	}
	if o.Scope == ScopeBurst {
		return results
	}
	whole.Samples = len(pooled)
	if len(reasons) > 0 {
		return append(results, whole.invalid(strings.Join(reasons, "; ")))
	}
	return append(results, whole.compare(pooled))
}

// samples returns the burst's samples of the objective's phase, and the reason if they are
// not complete.
func (o Objective) samples(burst Burst) (seconds []float64, reason string) {
	if o.Phase == Makespan {
		if burst.MakespanSeconds == nil {
			return nil, "there is no makespan, for not every pod was ready"
		}
		return []float64{float64(*burst.MakespanSeconds)}, ""
	}
	samples, available := burst.Phases[o.Phase]
	switch {
	case !available:
		return nil, fmt.Sprintf("%s is not available from this provider", o.Phase)
	case samples.Missing != 0:
		return samples.Seconds, fmt.Sprintf("%s is missing for %d of %d pods, and the slowest may be among them",
			o.Phase, samples.Missing, samples.Missing+len(samples.Seconds))
	case len(samples.Seconds) == 0:
		return nil, fmt.Sprintf("%s has no samples", o.Phase)
	}
	return samples.Seconds, ""
}

func (r Result) compare(samples []float64) Result {
	summary, err := stats.Summarize(samples, 0)
	if err != nil {
		return r.invalid(err.Error())
	}
	value, err := summary.Get(r.Stat)
	if err != nil {
		return r.invalid(err.Error())
	}
	observed := stats.Seconds(value)
	r.ObservedSeconds, r.Verdict = &observed, verdict.Fail
	if observed <= r.LimitSeconds {
		r.Verdict = verdict.Pass
	}
	r.Message = r.sentence(observed)
	return r
}
