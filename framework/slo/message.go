package slo

import (
	"fmt"
	"strings"

	"github.com/podburst/podburst/framework/apicall"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/humanize"
)

// What names what was judged: the phase or the call.
func (r Result) What() string {
	if r.Call != "" {
		return r.Call
	}
	return r.Phase
}

// invalid turns r into the result for which nothing can be concluded.
func (r Result) invalid(reason string) Result {
	r.Verdict, r.ObservedSeconds, r.ObservedLow, r.ObservedHigh = verdict.Invalid, nil, nil, nil
	r.Message = fmt.Sprintf("%s: %s %s not judged against its limit of %s: %s", r.where(), r.What(), r.Stat, humanize.Seconds(float64(r.LimitSeconds)), reason)
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
		return fmt.Sprintf("%s: %s %s is %s, within its limit of %s (%s)", r.where(), r.What(), r.Stat, value, limit, of)
	}
	return fmt.Sprintf("%s: %s %s is %s, above its limit of %s by %s (%s)",
		r.where(), r.What(), r.Stat, value, limit, humanize.Overrun(float64(observed/r.LimitSeconds)), of)
}

// callSentence is the message of a result about calls.
func (r Result) callSentence(at apicall.Interval) string {
	of := humanize.Count(r.Samples, "request")
	if strings.HasPrefix(r.Stat, "p") {
		of += ", " + stats.QuantileDefinition + " quantile"
	}
	origin := origins[r.Source]
	if at.Exact() { // as a mean is, which is a sum by a count
		origin = strings.TrimPrefix(origin, "bounds ")
	}
	of += ", " + origin
	value, limit := humanize.Apart(float64(at.Low), float64(r.LimitSeconds))
	subject := fmt.Sprintf("%s: %s %s", r.where(), r.Call, r.Stat)
	if at.Exact() {
		if r.Verdict == verdict.Pass {
			return fmt.Sprintf("%s is %s, within its limit of %s (%s)", subject, value, limit, of)
		}
		return fmt.Sprintf("%s is %s, above its limit of %s by %s (%s)", subject, value, limit, humanize.Overrun(float64(at.Low/r.LimitSeconds)), of)
	}
	high, limit := humanize.Apart(float64(at.High), float64(r.LimitSeconds))
	from := "above"
	if !at.Open {
		from = "at least"
	}
	subject = fmt.Sprintf("%s is %s %s and at most %s", subject, from, humanize.Seconds(at.Low), high)
	switch r.Verdict {
	case verdict.Pass:
		return fmt.Sprintf("%s, within its limit of %s (%s)", subject, limit, of)
	case verdict.Fail:
		return fmt.Sprintf("%s, above its limit of %s (%s)", subject, limit, of)
	}
	return fmt.Sprintf("%s: its limit of %s lies between these bounds, so nothing can be said (%s)", subject, limit, of)
}

// origins say where latencies come from and what they do not show.
var origins = map[apicall.Source]string{
	apicall.Audit:   "from the audit log: of the burst's namespace only, with the time in webhooks and in priority and fairness",
	apicall.Metrics: "bounds from the API server's metrics: of the whole cluster, without the time in webhooks and in priority and fairness",
	apicall.Both:    "from the audit log of some bursts and, as bounds, from the API server's metrics of the others",
}

func (r Result) where() string {
	if r.Scope == ScopeBurst {
		return fmt.Sprintf("%s, burst %d", r.Profile, r.Burst)
	}
	return r.Profile + ", all valid bursts"
}
