package e2e

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// Judged holds the checks of one burst (or of a profile), and what explains a miss.
type Judged struct {
	Profile string
	// Burst is 0 for the checks over all bursts of the profile.
	Burst  int
	Checks []slo.Result
	// Worst are the slowest pods of the burst, worst first.
	Worst []reports.WorstPod
}

// BurstOf finds a measured burst in the report. If there is none, it returns the zero
// value, which the matchers refuse.
func BurstOf(r reports.Report, profile string, index int) reports.Burst {
	for _, b := range r.Bursts {
		if b.Profile == profile && b.Index == index && !b.Warmup {
			return b
		}
	}
	return reports.Burst{Profile: profile, Index: index}
}

// ChecksOf returns the checks of one burst, or, with index 0, of the whole profile.
func ChecksOf(r reports.Report, profile string, index int) Judged {
	j := Judged{Profile: profile, Burst: index, Worst: BurstOf(r, profile, index).Worst}
	for _, c := range r.SLO {
		if c.Profile == profile && c.Burst == index {
			j.Checks = append(j.Checks, c)
		}
	}
	return j
}

// BeValid succeeds for a reports.Burst whose measurement can be trusted. A failure is
// not about speed: the message says INVALID and lists the reasons.
func BeValid() types.GomegaMatcher { return validMatcher{} }

type validMatcher struct{}

func (validMatcher) Match(actual any) (bool, error) {
	b, ok := actual.(reports.Burst)
	if !ok {
		return false, fmt.Errorf("BeValid wants a reports.Burst, got %T", actual)
	}
	return b.Valid, nil
}

func (validMatcher) FailureMessage(actual any) string {
	b := actual.(reports.Burst)
	var s strings.Builder
	fmt.Fprintf(&s, "INVALID: burst %d of profile %q cannot be trusted (%d expected = %d ready + %d failed + %d pending + %d lost):",
		b.Index, b.Profile, b.Accounting.Expected, b.Accounting.Ready, b.Accounting.Failed, b.Accounting.Pending, b.Accounting.Lost)
	for _, r := range b.InvalidReasons {
		fmt.Fprintf(&s, "\n  %s: %s", r.Code, r.Detail)
	}
	if len(b.InvalidReasons) == 0 {
		s.WriteString("\n  it was not recorded")
	}
	return s.String()
}

func (validMatcher) NegatedFailureMessage(actual any) string {
	b := actual.(reports.Burst)
	return fmt.Sprintf("burst %d of profile %q is valid, and should not be", b.Index, b.Profile)
}

// MeetObjectives succeeds for Judged checks that all pass. It fails as INVALID for
// objectives that could not be judged (no samples). It succeeds if there are no
// checks, because all objectives name other profiles, and where bounds decide nothing:
// that is the run's verdict.
func MeetObjectives() types.GomegaMatcher { return objectivesMatcher{} }

type objectivesMatcher struct{}

func (objectivesMatcher) Match(actual any) (bool, error) {
	j, ok := actual.(Judged)
	if !ok {
		return false, fmt.Errorf("MeetObjectives wants a Judged, got %T", actual)
	}
	return !slices.ContainsFunc(j.Checks, missed), nil
}

func missed(c slo.Result) bool {
	return c.Verdict != verdict.Pass && c.Verdict != verdict.Inconclusive
}

func (objectivesMatcher) FailureMessage(actual any) string {
	j := actual.(Judged)
	var s strings.Builder
	of := fmt.Sprintf("burst %d of profile %q", j.Burst, j.Profile)
	if j.Burst == 0 {
		of = fmt.Sprintf("profile %q over all bursts", j.Profile)
	}
	fmt.Fprintf(&s, "%s misses objectives (quantiles: %s):", of, stats.QuantileDefinition)
	for _, c := range j.Checks {
		if missed(c) {
			fmt.Fprintf(&s, "\n  %s %s", label(c.Verdict), describe(c))
		}
	}
	if len(j.Worst) > 0 {
		s.WriteString("\nslowest pods, phases in seconds:")
	}
	for _, p := range j.Worst {
		fmt.Fprintf(&s, "\n  %s on %s:", p.Name, p.Node)
		for _, ph := range timeline.Chain() {
			if v, ok := p.Phases[ph.Name]; ok {
				fmt.Fprintf(&s, " %s=%.3f", ph.Name, v)
			}
		}
	}
	return s.String()
}

func (objectivesMatcher) NegatedFailureMessage(actual any) string {
	j := actual.(Judged)
	return fmt.Sprintf("all %d checks of profile %q pass, and should not", len(j.Checks), j.Profile)
}

func label(v verdict.Verdict) string {
	if v == verdict.Invalid {
		return "INVALID"
	}
	return "SLO"
}

func describe(c slo.Result) string {
	observed := "nothing observed"
	if c.ObservedSeconds != nil {
		observed = fmt.Sprintf("observed %.3f s", *c.ObservedSeconds)
	} else if c.ObservedLow != nil && c.ObservedHigh != nil {
		observed = fmt.Sprintf("observed %.3f to %.3f s", *c.ObservedLow, *c.ObservedHigh)
	}
	return fmt.Sprintf("%s: %s %s %s, limit %g s, n=%d", c.Name, c.What(), c.Stat, observed, c.LimitSeconds, c.Samples)
}
