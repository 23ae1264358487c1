package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// headline says in one sentence what the verdict means for this run.
func (v *view) headline() string {
	recorded, valid := 0, 0
	for i := range v.Bursts {
		if !v.Bursts[i].Warmup {
			recorded++
			if v.Bursts[i].Valid {
				valid++
			}
		}
	}
	bursts := fmt.Sprintf("%d of %s valid", valid, humanize.Count(max(recorded, v.Run.PlannedBursts), "burst"))
	missed, gated, regressed, open := 0, 0, 0, 0
	for i := range v.SLO {
		if v.SLO[i].Verdict == verdict.Fail {
			missed++
		}
	}
	for i := range v.Comparisons {
		if !v.Comparisons[i].Gated {
			continue
		}
		gated++
		switch v.Comparisons[i].Verdict {
		case verdict.Regressed:
			regressed++
		case verdict.Inconclusive:
			open++
		}
	}
	switch v.Verdict {
	case verdict.Pass:
		var parts []string
		if n := len(v.SLO); n > 0 {
			parts = append(parts, "all "+humanize.Count(n, "check")+" of objectives met")
		}
		if n := gated; n > 0 {
			parts = append(parts, "none of "+humanize.Count(n, "comparison")+" regressed")
		}
		return humanize.UpperFirst(strings.Join(append([]string{bursts}, parts...), ", ")) + "."
	case verdict.Fail:
		return fmt.Sprintf("%d of %s of objectives missed; %s.", missed, humanize.Count(len(v.SLO), "check"), bursts)
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

// reasonsShown are the reasons of the verdict that are shown without being asked for.
const reasonsShown = 6

// summary is the verdict's reasons, the profiles at a glance and the objectives.
func (v *view) summary() document.Section {
	s := document.Section{ID: "verdict", Heading: "Verdict"}
	var reasons []string
	for _, reason := range v.Reasons {
		reasons = append(reasons, reason.Message)
	}
	first := reasons[:min(len(reasons), reasonsShown)]
	if len(reasons) == reasonsShown+1 {
		first = reasons
	}
	s.List(first)
	if more := reasons[len(first):]; len(more) > 0 {
		s.Blocks = append(s.Blocks, document.Block{Folded: &document.Folded{Summary: humanize.Count(len(more), "more reason"), List: more}})
	}
	if len(v.others) > 0 {
		s.Text("Figures and this table show %d of %d profiles; report.json has all.", len(v.profiles), len(v.profiles)+len(v.others))
	}
	if len(v.profiles) > 0 {
		s.Table(v.glance())
		s.Text("%s %s", v.sample(), quantiles())
	}
	if len(v.profiles) > 1 && len(v.Comparisons) == 0 {
		s.Command("podburst compare", "Differences between profiles are described here, not tested. To test them, in blocks of random order:")
	}
	v.objectives(&s)
	return s
}

// sample says what the numbers are of.
func (v *view) sample() string {
	for i := range v.Bursts {
		if p := v.Bursts[i].Passive; p != nil {
			return fmt.Sprintf("The numbers are of %s pods that others made in namespace %s. When they were submitted is not known, so there is no makespan and no phase that begins with submit.", v.pods(), p.Namespace)
		}
	}
	kind := v.Workload().Kind
	return fmt.Sprintf("Each burst is one %s of %s pods. Pod figures pool the pods of all valid bursts; the makespan, from the %s's submission to the last pod ready, is one number a burst.", kind, v.pods(), kind)
}

func (v *view) glance() *document.Table {
	t := document.NewTable("Profiles at a glance", "profile", "valid bursts", "pod_startup p50", "p90", "p99", "makespan median", "lowest", "highest", " held up by a limiter (median burst)")
	for _, p := range v.profiles {
		cells := []any{cellFor(p), fmt.Sprintf("%d of %d", len(p.valid), len(p.recorded))}
		ph := v.phaseOf(p, "pod_startup")
		if ph == nil {
			cells = append(cells, "-", "-", "-")
		} else {
			cells = append(cells, ph.P50, ph.P90, ph.P99)
		}
		if p.result == nil || p.result.MakespanSeconds == nil || p.result.MakespanSeconds.Count == 0 {
			cells = append(cells, "-", "-", "-")
		} else {
			m := p.result.MakespanSeconds
			cells = append(cells, m.P50, m.Min, m.Max)
		}
		t.Row(append(cells, v.heldUp(p))...)
	}
	return t
}

// phaseOf is a phase of the profile's valid bursts with samples; nil without.
func (v *view) phaseOf(p *profile, name string) *stats.Summary {
	if p.result == nil {
		return nil
	}
	if ph := p.result.Phases[name]; ph != nil && ph.Count > 0 {
		return ph
	}
	return nil
}

// heldUp names the limiters that held a phase up in the profile's median burst.
func (v *view) heldUp(p *profile) string {
	if p.median < 0 {
		return "not known"
	}
	var who []string
	throttles := v.Bursts[p.median].Throttle
	known := false
	for i := range throttles {
		l := &throttles[i]
		known = known || l.Phase != ""
		if l.HeldUp && len(who) < 4 {
			who = append(who, l.Component+" ("+humanize.Seconds(l.HeldSeconds)+")")
		}
	}
	switch {
	case !known:
		return "not known"
	case len(who) == 0:
		return "none"
	}
	return humanize.And(who)
}

// objectives are the checks over all valid bursts, profile beside profile, and
// each burst's on demand.
func (v *view) objectives(s *document.Section) {
	if len(v.SLO) == 0 {
		s.Text("No objective covers any profile of this run.")
		return
	}
	type objective struct {
		name, phase, stat string
		limit             stats.Seconds
	}
	type place struct {
		objective
		profile string
	}
	var rows []objective
	pooled := map[place]*slo.Result{}
	met, judged := map[place]int{}, map[place]int{}
	each := document.NewTable("Objectives burst by burst", "objective", " profile", "burst", "observed", "limit", "n", " verdict")
	for i := range v.SLO {
		c := &v.SLO[i]
		o := objective{c.Name, c.Phase, c.Stat, c.LimitSeconds}
		at := place{o, c.Profile}
		if c.Burst == 0 {
			if !slices.Contains(rows, o) {
				rows = append(rows, o)
			}
			pooled[at] = c
			continue
		}
		judged[at]++
		if c.Verdict == verdict.Pass {
			met[at]++
		}
		each.Row(c.Name, c.Profile, c.Burst, c.ObservedSeconds, c.LimitSeconds, c.Samples, verdictCell(c.Verdict))
	}
	columns := []string{"objective", " phase", " statistic", "limit"}
	for _, p := range v.profiles {
		columns = append(columns, p.short, "met in", " verdict")
	}
	t := document.NewTable("Objectives: observed over all valid bursts, and in how many bursts met", columns...)
	for _, o := range rows {
		cells := []any{o.name, o.phase, o.stat, o.limit}
		for _, p := range v.profiles {
			at := place{o, p.key}
			if c := pooled[at]; c != nil {
				cells = append(cells, c.ObservedSeconds, fmt.Sprintf("%d/%d", met[at], judged[at]), verdictCell(c.Verdict))
			} else {
				cells = append(cells, "-", "-", "")
			}
		}
		t.Row(cells...)
	}
	if len(t.Rows) > 0 {
		s.Table(t)
	}
	if len(each.Rows) > 0 {
		s.Fold("Objectives burst by burst", each)
	}
}
