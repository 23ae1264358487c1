package slo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/apicall"
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
	// Passive is set if others submitted the pods, so that nobody knows when.
	Passive bool
	// Phases holds the samples by phase name. Phases that the provider cannot give are
	// absent.
	Phases map[string]Samples
	// MakespanSeconds is nil unless every pod was ready.
	MakespanSeconds *stats.Seconds
	// Calls are the requests to the API server.
	Calls apicall.Calls
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
	// Phase is the name of the phase, or "makespan". Absent if calls were judged.
	Phase string `json:"phase,omitempty"`
	// Call is the kind of requests to the API server that was judged: "create
	// pods/binding". Absent if a phase was.
	Call string `json:"call,omitempty"`
	// Stat is the statistic that is limited.
	Stat string `json:"stat"`
	// LimitSeconds is the largest value that passes.
	LimitSeconds stats.Seconds `json:"limitSeconds"`
	// ObservedSeconds is null where nothing could be observed (the verdict is then
	// invalid), and where the value is known only up to bounds.
	ObservedSeconds *stats.Seconds `json:"observedSeconds"`
	// ObservedLow is a bound in seconds that the value is not below. Absent where the value
	// is exact or not known.
	ObservedLow *stats.Seconds `json:"observedLowSeconds,omitempty"`
	// ObservedHigh is a bound in seconds that the value is not above. Absent like
	// ObservedLow.
	ObservedHigh *stats.Seconds `json:"observedHighSeconds,omitempty"`
	// Source says where the latency of calls was read: "audit" (exact, of the burst's
	// namespace), "metrics" (bounds, of the whole cluster) or "audit+metrics" (bursts of
	// both). Absent for phases.
	Source apicall.Source `json:"source,omitempty" jsonschema:"enum=audit,enum=metrics,enum=audit+metrics"`
	// Samples is how many values the statistic is of.
	Samples int `json:"samples"`
	// Verdict is what the check amounts to: inconclusive where the limit lies between
	// bounds.
	Verdict verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=fail,enum=inconclusive,enum=invalid"`
	// Message is one sentence with observed value, limit, number of samples and the
	// quantile's definition, or why nothing could be judged.
	Message string `json:"message"`
}

// LeftOut is an objective that was not judged, or not on all that it covers, because its
// file allows that where it is not available.
type LeftOut struct {
	// Name is the name of the objective.
	Name string `json:"name"`
	// Profile is the name of the profile.
	Profile string `json:"profile"`
	// Part is what was left out of the objective, the rest of which was judged. Absent
	// where all of it was left out.
	Part string `json:"part,omitempty"`
	// Reason says why.
	Reason string `json:"reason"`
}

// Judge applies each objective to each profile that it covers: those of the run, in order,
// then any others among the bursts. It does not judge invalid bursts or warm-ups. A profile
// without a valid burst is Invalid, whatever the scope. So is a phase that is unavailable,
// has no samples, or misses some, and so are calls that no burst had.
//
// An objective that covers no profile has no result. No results do not mean a pass. What
// an objective leaves out where it is not available is returned, too.
func Judge(objectives []Objective, profiles []string, bursts []Burst) ([]Result, []LeftOut) {
	results, left := []Result{}, []LeftOut{}
	for _, profile := range order(profiles, bursts) {
		var valid []Burst
		for _, burst := range bursts {
			if burst.Profile == profile && burst.Valid && !burst.Warmup {
				valid = append(valid, burst)
			}
		}
		for _, objective := range objectives {
			if !objective.covers(profile) {
				continue
			}
			if objective.APICalls != nil {
				judged, out := objective.judgeCalls(profile, valid)
				results, left = append(results, judged...), append(left, out...)
			} else if reason := objective.leftOut(valid); reason != "" {
				left = append(left, LeftOut{Name: objective.Name, Profile: profile, Reason: reason})
			} else {
				results = append(results, objective.judge(profile, valid)...)
			}
		}
	}
	return results, left
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

// leftOut says why the objective does not apply, because these bursts cannot give its
// phase; empty if it does.
func (o Objective) leftOut(valid []Burst) string {
	if !o.WhereAvailable || len(valid) == 0 {
		return ""
	}
	passive := true
	for i := range valid {
		passive = passive && valid[i].Passive
		if _, available := valid[i].Phases[o.Phase]; available {
			return ""
		}
	}
	switch {
	case passive && o.fromSubmit():
		return notSubmitted(o.Phase)
	case o.Phase == Makespan: // not every pod was ready
		return ""
	}
	return unavailable(o.Phase)
}

func unavailable(phase string) string {
	return phase + " is not available from this provider"
}

const noValidBurst = "the profile has no valid burst, so there is nothing to judge"

// blank is a result of the objective before anything is judged.
func (o Objective) blank(profile string) Result {
	return Result{Name: o.Name, Profile: profile, Phase: o.Phase, Stat: o.Stat, LimitSeconds: stats.SecondsOf(o.Limit.Duration)}
}

// whole makes r a result on all valid bursts of the profile.
func (r Result) whole() Result {
	r.Scope = ScopeProfile
	return r
}

func (o Objective) judge(profile string, valid []Burst) []Result {
	blank := o.blank(profile)
	whole := blank.whole()
	if len(valid) == 0 {
		return []Result{whole.invalid(noValidBurst)}
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
		return nil, unavailable(o.Phase)
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
