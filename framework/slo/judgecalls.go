package slo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/apicall"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/nearest"
)

// otherCalls stands for the calls that only the API server's metrics would tell of.
const otherCalls = "calls that are not in the audit log"

// noMetrics says that nothing is known outside of the audit log, and is followed by why.
const noMetrics = "the API server's metrics, which would tell of others, cannot be used: "

// judgeCalls judges each kind of request that the objective chooses and that some burst
// had.
func (o Objective) judgeCalls(profile string, valid []Burst) (results []Result, left []LeftOut) {
	blank := o.blank(profile)
	if len(valid) == 0 {
		blank.Call = o.APICalls.String()
		return []Result{blank.whole().invalid(noValidBurst)}, nil
	}
	var found, others []apicall.Call
	for i := range valid {
		for _, call := range valid[i].Calls.Seen() {
			if o.APICalls.matches(call) {
				found = append(found, call)
			} else {
				others = append(others, call)
			}
		}
	}
	slices.SortFunc(found, apicall.Call.Compare)
	for _, call := range slices.Compact(found) {
		one := blank
		one.Call = call.String()
		results = append(results, o.judgeCall(one, call, valid)...)
	}
	if len(found) > 0 && o.APICalls.single() {
		return results, nil
	}
	why, known := unknown(valid)
	if len(found) > 0 && why == "" {
		return results, nil
	}
	// What follows is about calls of which nothing is known.
	blank.Call = o.APICalls.String()
	reason := "no burst had such a request"
	switch {
	case len(found) > 0:
		blank.Call = otherCalls
		reason = noMetrics + why
	case why != "":
		reason = "the audit log has no such request, and " + noMetrics + why
	default:
		reason += near(o.APICalls, others)
	}
	if o.WhereAvailable && known {
		out := LeftOut{Name: o.Name, Profile: profile, Reason: reason}
		if len(found) > 0 {
			out.Part = otherCalls
		} else {
			out.Reason = blank.Call + ": " + reason
		}
		return results, []LeftOut{out}
	}
	return append(results, blank.whole().invalid(reason)), nil
}

// unknown says why some burst's calls outside the audit log are not known; empty if they
// all are. absent tells that such clusters do not give them: a metric that could be read
// and makes no sense is a fault, and never left out.
func unknown(valid []Burst) (why string, absent bool) {
	absent = true
	for i := range valid {
		err := valid[i].Calls.Err
		if err == nil {
			continue
		}
		if fault := !apicall.Absent(err); why == "" || fault && absent {
			why = fmt.Sprintf("burst %d: %v", valid[i].Index, err)
		}
		absent = absent && apicall.Absent(err)
	}
	return why, absent
}

// near suggests a call that there was, if the objective names a single one.
func near(a *APICalls, others []apicall.Call) string {
	if !a.single() {
		return ""
	}
	var names []string
	for _, call := range others {
		names = append(names, call.String())
	}
	if match, ok := nearest.Match(a.String(), names); ok {
		return "; did you mean " + match + "?"
	}
	return ""
}

// judgeCall judges one kind of request, burst by burst and over all.
func (o Objective) judgeCall(blank Result, call apicall.Call, valid []Burst) []Result {
	var results []Result
	var pooled apicall.Latencies
	var source apicall.Source
	var reasons []string
	for i := range valid {
		burst := &valid[i]
		one := blank
		one.Scope, one.Burst = ScopeBurst, burst.Index
		latencies, from, err := burst.Calls.Latencies(call)
		reason := ""
		switch {
		case apicall.Absent(err), err == nil && latencies.Count() == 0:
			// Such a burst says nothing about the call, unless it had to have it.
			if !o.APICalls.single() || o.WhereAvailable {
				continue
			}
			reason = "it had no such request"
			if err != nil {
				reason = fmt.Sprintf("its audit log has no such request, and %s%v", noMetrics, err)
			}
		case err != nil:
			reason = err.Error()
		}
		if reason != "" {
			reasons = append(reasons, fmt.Sprintf("burst %d: %s", burst.Index, reason))
			one = one.invalid(reason)
		} else {
			pooled = pooled.With(latencies)
			source = both(source, from)
			one = one.compareCalls(latencies, from)
		}
		if o.Scope != ScopeProfile {
			results = append(results, one)
		}
	}
	if o.Scope == ScopeBurst {
		return results
	}
	whole := blank.whole()
	whole.Samples = pooled.Count()
	if len(reasons) > 0 {
		return append(results, whole.invalid(strings.Join(reasons, "; ")))
	}
	return append(results, whole.compareCalls(pooled, source))
}

func both(a, b apicall.Source) apicall.Source {
	if a == "" || a == b {
		return b
	}
	return apicall.Both
}

// compareCalls compares where the statistic lies with the limit. A limit between the two
// ends decides nothing.
func (r Result) compareCalls(latencies apicall.Latencies, from apicall.Source) Result {
	r.Samples, r.Source = latencies.Count(), from
	at, err := latencies.Stat(r.Stat)
	if err != nil {
		return r.invalid(err.Error())
	}
	if at.Exact() {
		r.ObservedSeconds = &at.Low
	} else {
		r.ObservedLow, r.ObservedHigh = &at.Low, &at.High
	}
	switch {
	case at.High <= r.LimitSeconds:
		r.Verdict = verdict.Pass
	case at.Low > r.LimitSeconds, at.Open && at.Low == r.LimitSeconds:
		r.Verdict = verdict.Fail
	default:
		r.Verdict = verdict.Inconclusive
	}
	r.Message = r.callSentence(at)
	return r
}
