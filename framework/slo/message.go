package slo

import (
	"fmt"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/humanize"
)

// invalid turns r into the result for which nothing can be concluded.
func (r Result) invalid(reason string) Result {
	r.Verdict, r.ObservedSeconds = verdict.Invalid, nil
	r.Message = fmt.Sprintf("%s: %s %s not judged against its limit of %s: %s", r.where(), r.Phase, r.Stat, humanize.Seconds(float64(r.LimitSeconds)), reason)
	return r
}

// sentence is the message of a result with an observed value.
func (r Result) sentence(observed stats.Seconds) string {
	of := fmt.Sprintf("n = %d", r.Samples)
	if r.Phase == Makespan {
		of += ", one a burst"
	}
	if strings.HasPrefix(r.Stat, "p") {
		of += ", " + stats.QuantileDefinition + " quantile"
	}
	value, limit := humanize.Apart(float64(observed), float64(r.LimitSeconds))
	if r.Verdict == verdict.Pass {
		return fmt.Sprintf("%s: %s %s is %s, within its limit of %s (%s)", r.where(), r.Phase, r.Stat, value, limit, of)
	}
	return fmt.Sprintf("%s: %s %s is %s, above its limit of %s by %s (%s)",
		r.where(), r.Phase, r.Stat, value, limit, humanize.Overrun(float64(observed/r.LimitSeconds)), of)
}

func (r Result) where() string {
	if r.Scope == ScopeBurst {
		return fmt.Sprintf("%s, burst %d", r.Profile, r.Burst)
	}
	return r.Profile + ", all valid bursts"
}
