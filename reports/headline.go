package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/humanize"
)

// headline is one sentence that says what the verdict means for this run.
func (r *Report) headline() string {
	recorded, valid := r.counted()
	bursts := fmt.Sprintf("%d of %s valid", valid, humanize.Count(max(recorded, r.Run.PlannedBursts), "burst"))
	missed, undecided, gated, regressed, open := 0, 0, 0, 0, 0
	for i := range r.SLO {
		switch r.SLO[i].Verdict {
		case verdict.Fail:
			missed++
		case verdict.Inconclusive:
			undecided++
		}
	}
	left := r.leftOutPhrase()
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
			parts = append(parts, "all "+humanize.Count(n, "check")+" of objectives met"+left)
			left = ""
		}
		if n := gated; n > 0 {
			parts = append(parts, "none of "+humanize.Count(n, "comparison")+" regressed")
		}
		return humanize.UpperFirst(strings.Join(append([]string{bursts}, parts...), ", ")) + left + "."
	case verdict.Fail:
		return fmt.Sprintf("%d of %s of objectives missed; %s%s.", missed, humanize.Count(len(r.SLO), "check"), bursts, left)
	case verdict.Regressed:
		return fmt.Sprintf("%d of %s slower by more than the margin; %s.", regressed, humanize.Count(gated, "comparison"), bursts)
	case verdict.Invalid:
		return "The measurement cannot be trusted, whatever its numbers say; " + bursts + "."
	}
	switch {
	case undecided > 0 && open > 0:
		return fmt.Sprintf("The measurement does not decide %d of %s of objectives and %d of %s; %s%s.", undecided, humanize.Count(len(r.SLO), "check"), open, humanize.Count(gated, "comparison"), bursts, left)
	case undecided > 0:
		return fmt.Sprintf("The measurement does not decide %d of %s of objectives; %s%s.", undecided, humanize.Count(len(r.SLO), "check"), bursts, left)
	case open > 0:
		return fmt.Sprintf("The measurement does not decide %d of %s; %s.", open, humanize.Count(gated, "comparison"), bursts)
	}
	return "The measurement decides nothing; " + bursts + left + "."
}

// leftOutShown is how many objectives that were left out a headline names.
const leftOutShown = 3

// leftOutPhrase says which objectives were left out, to be appended to what was judged;
// empty if none was.
func (r *Report) leftOutPhrase() string {
	var whole, part []string
	for _, l := range r.SLOLeftOut {
		name := fmt.Sprintf("%s (%s)", l.Name, humanize.Shorten(l.Profile, 40))
		if l.Part == "" {
			whole = append(whole, name)
		} else {
			part = append(part, name)
		}
	}
	phrase := ""
	for _, group := range []struct {
		names []string
		how   string
	}{{whole, " left out"}, {part, " left out in part"}} {
		if n := len(group.names); n > 0 {
			shown := group.names[:min(n, leftOutShown)]
			if more := n - len(shown); more > 0 {
				shown = append(slices.Clone(shown), fmt.Sprintf("%d more", more))
			}
			phrase += "; " + humanize.Count(n, "objective") + group.how + ": " + strings.Join(shown, ", ")
		}
	}
	return phrase
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
