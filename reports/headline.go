package reports

import (
	"fmt"
	"strings"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/humanize"
)

// headline is one sentence that says what the verdict means for this run.
func (r *Report) headline() string {
	recorded, valid := r.counted()
	bursts := fmt.Sprintf("%d of %s valid", valid, humanize.Count(max(recorded, r.Run.PlannedBursts), "burst"))
	missed, gated, regressed, open := 0, 0, 0, 0
	for i := range r.SLO {
		if r.SLO[i].Verdict == verdict.Fail {
			missed++
		}
	}
	for i := range r.Comparisons {
		if !r.Comparisons[i].Gated {
			continue
		}
		gated++
		switch r.Comparisons[i].Verdict {
		case verdict.Regressed:
			regressed++
		case verdict.Inconclusive:
			open++
		}
	}
	switch r.Verdict {
	case verdict.Pass:
		var parts []string
		if n := len(r.SLO); n > 0 {
			parts = append(parts, "all "+humanize.Count(n, "check")+" of objectives met")
		}
		if n := gated; n > 0 {
			parts = append(parts, "none of "+humanize.Count(n, "comparison")+" regressed")
		}
		return humanize.UpperFirst(strings.Join(append([]string{bursts}, parts...), ", ")) + "."
	case verdict.Fail:
		return fmt.Sprintf("%d of %s of objectives missed; %s.", missed, humanize.Count(len(r.SLO), "check"), bursts)
	case verdict.Regressed:
		return fmt.Sprintf("%d of %s slower by more than the margin; %s.", regressed, humanize.Count(gated, "comparison"), bursts)
	case verdict.Invalid:
		return "The measurement cannot be trusted, whatever its numbers say; " + bursts + "."
	}
	if open > 0 {
		return fmt.Sprintf("The measurement does not decide %d of %s; %s.", open, humanize.Count(gated, "comparison"), bursts)
	}
	return "The measurement decides nothing; " + bursts + "."
}

// counted returns how many bursts were recorded and how many of them are valid, without
// warm-ups.
func (r *Report) counted() (recorded, valid int) {
	for i := range r.Bursts {
		if !r.Bursts[i].Warmup {
			recorded++
			if r.Bursts[i].Valid {
				valid++
			}
		}
	}
	return recorded, valid
}
