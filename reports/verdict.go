package reports

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/framework/verdict"
)

// Conclude sets Verdict and Reasons from everything else in the report. Build
// has done so; call it again after Comparisons were filled in.
//
// The first of these that holds is the verdict: invalid (the run was
// interrupted or is not complete, a burst that counts cannot be trusted, a
// check could not be judged), fail (an objective was missed), regressed,
// inconclusive (a comparison was, or nothing at all was judged), pass. All
// reasons are listed, also those that another outranks.
func (r *Report) Conclude() {
	reasons := map[verdict.Verdict][]string{}
	add := func(v verdict.Verdict, format string, args ...any) {
		reasons[v] = append(reasons[v], fmt.Sprintf(format, args...))
	}
	if r.Run.Interrupted != "" {
		add(verdict.Invalid, "the run was interrupted: %s", r.Run.Interrupted)
	}
	recorded := 0
	for i := range r.Bursts {
		if !r.Bursts[i].Warmup {
			recorded++
		}
	}
	switch {
	case r.Run.PlannedBursts == 0:
		add(verdict.Invalid, "the run planned no burst")
	case !r.Run.Complete && r.Run.Comparison != nil:
		add(verdict.Invalid, "the comparison is not complete: it has %d of %d planned valid blocks", r.validBlocks(), plannedBlocks(r.Run.Comparison))
	case !r.Run.Complete:
		add(verdict.Invalid, "the run is not complete: %d of %d planned bursts were recorded", recorded, r.Run.PlannedBursts)
	}
	for _, folder := range r.Run.Unfinished {
		add(verdict.Invalid, "%s was being written when the run ended", folder)
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
		add(verdict.Invalid, "%s burst %d is invalid: %s%s", b.Profile, b.Index, first, more)
	}
	for _, c := range r.SLO {
		if c.Verdict != verdict.Pass {
			add(c.Verdict, "%s: %s", c.Name, c.Message)
		}
	}
	for _, c := range r.Comparisons {
		if c.Gated && c.Verdict != verdict.Pass && c.Verdict != verdict.Improved {
			add(c.Verdict, "%s against %s, %s", c.Head, c.Base, c.Message)
		}
	}
	if len(r.SLO) == 0 && len(r.Comparisons) == 0 {
		add(verdict.Inconclusive, "no objective covers any profile of the run, so nothing was judged")
	}

	r.Verdict, r.Reasons = verdict.Pass, []string{}
	for _, v := range []verdict.Verdict{verdict.Inconclusive, verdict.Regressed, verdict.Fail, verdict.Invalid} {
		if len(reasons[v]) > 0 {
			r.Verdict = v
			r.Reasons = slices.Concat(reasons[v], r.Reasons)
		}
	}
}
