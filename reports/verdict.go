package reports

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/framework/verdict"
)

// Conclude sets Verdict and Reasons from everything else in the report. Build has called
// it; call it again after changing Comparisons.
//
// The verdict is the first of these that holds: invalid (the run was interrupted or is not
// complete, a burst that counts cannot be trusted, or a check could not be judged), fail
// (an objective was missed), regressed, inconclusive (a comparison was, or nothing was
// judged), pass. All reasons are listed, including those that another outranks.
func (r *Report) Conclude() {
	r.Reasons = []verdict.Reason{}
	r.concludeRun()
	add := func(v verdict.Verdict, about verdict.Subject, format string, args ...any) {
		r.Reasons = append(r.Reasons, verdict.Reason{Verdict: v.Known(), Subject: about, Message: fmt.Sprintf(format, args...)})
	}
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Warmup || b.Valid || r.replaced(b) {
			continue
		}
		more := ""
		if n := len(b.InvalidReasons) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more reasons)", n)
		}
		first := "no reason was given"
		if len(b.InvalidReasons) > 0 {
			first = b.InvalidReasons[0].Code + ": " + b.InvalidReasons[0].Detail
		}
		add(verdict.Invalid, verdict.Subject{Profile: b.Profile, Burst: b.Index}, "%s burst %d is invalid: %s%s", b.Profile, b.Index, first, more)
	}
	for _, c := range r.SLO {
		if c.Verdict != verdict.Pass {
			add(c.Verdict, verdict.Subject{Profile: c.Profile, Burst: c.Burst, Check: c.Name, Call: c.Call}, "%s: %s", c.Name, c.Message)
		}
	}
	for _, c := range r.Comparisons {
		if c.Gated && c.Verdict != verdict.Pass && c.Verdict != verdict.Improved {
			add(c.Verdict, verdict.Subject{Profile: c.Head, Base: c.Base, Endpoint: c.Endpoint}, "%s against %s, %s", c.Head, c.Base, c.Message)
		}
	}
	if len(r.SLO) == 0 && len(r.Comparisons) == 0 {
		why := "no objective covers any profile of the run"
		if len(r.SLOLeftOut) > 0 {
			why = "every objective was left out"
		}
		add(verdict.Inconclusive, verdict.Subject{}, "%s, so nothing was judged", why)
	}

	slices.SortStableFunc(r.Reasons, func(a, b verdict.Reason) int { return verdict.Compare(a.Verdict, b.Verdict) })
	r.Verdict = verdict.Pass
	if len(r.Reasons) > 0 {
		r.Verdict = r.Reasons[0].Verdict
	}
}

// concludeRun adds the reasons why the run as a whole differs from its plan.
func (r *Report) concludeRun() {
	add := func(format string, args ...any) {
		r.Reasons = append(r.Reasons, verdict.Reason{Verdict: verdict.Invalid, Message: fmt.Sprintf(format, args...)})
	}
	if r.Run.Interrupted != "" {
		add("the run was interrupted: %s", r.Run.Interrupted)
	}
	recorded, _ := r.counted()
	switch {
	case r.Run.PlannedBursts == 0:
		add("the run planned no burst")
	case !r.Run.Complete && r.Run.Comparison != nil:
		add("the comparison is not complete: it has %d of %d planned valid blocks", r.validBlocks(), plannedBlocks(r.Run.Comparison))
	case !r.Run.Complete:
		add("the run is not complete: %d of %d planned bursts were recorded", recorded, r.Run.PlannedBursts)
	}
	for _, folder := range r.Run.Unfinished {
		add("%s was being written when the run ended", folder)
	}
}
