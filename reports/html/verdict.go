package html

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// reasonsShown is how many reasons of the verdict are shown unfolded.
const reasonsShown = 6

// summary shows the verdict's reasons, the profiles at a glance and the objectives.
func (v *view) summary() document.Section {
	s := document.Section{ID: "verdict", Heading: "Verdict"}
	reasons := v.Why()
	first := reasons[:min(len(reasons), reasonsShown)]
	if len(reasons) == reasonsShown+1 {
		first = reasons
	}
	s.List(first)
	if more := reasons[len(first):]; len(more) > 0 {
		s.Blocks = append(s.Blocks, document.Block{Folded: &document.Folded{Summary: humanize.Count(len(more), "more reason"), List: more}})
	}
	if v.others > 0 {
		s.Text("Figures and this table show %d of %d profiles; report.json has all.", len(v.profiles), len(v.profiles)+v.others)
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

// sample says what the numbers were computed from.
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
	t := document.NewTable("Profiles at a glance", "profile", "valid bursts", "pod_startup p50", "p90", "p99", "makespan median", "lowest", "highest", " most of the makespan (median burst)")
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

// phaseOf returns a phase of the profile's valid bursts; nil without samples.
func (v *view) phaseOf(p *profile, name string) *stats.Summary {
	if p.result == nil {
		return nil
	}
	if ph := p.result.Phases[name]; ph != nil && ph.Count > 0 {
		return ph
	}
	return nil
}

// heldUp names what took most of the makespan of the profile's median burst.
func (v *view) heldUp(p *profile) string {
	if p.median < 0 {
		return "not known"
	}
	return reports.MostOf(&v.Bursts[p.median])
}

// objectives shows the checks over all valid bursts, profile beside profile, and those of
// each burst folded.
func (v *view) objectives(s *document.Section) {
	if len(v.SLO) == 0 {
		s.Text("Nothing was judged by an objective.")
		s.List(v.LeftOutLines(""))
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
	for i := range v.SLO {
		c := &v.SLO[i]
		what := c.Phase
		if c.Call != "" {
			what = "API calls, each kind"
		}
		o := objective{c.Name, what, c.Stat, c.LimitSeconds}
		at := place{o, c.Profile}
		if c.Burst == 0 {
			if !slices.Contains(rows, o) {
				rows = append(rows, o)
			}
			if known := pooled[at]; known == nil || reports.Worse(c, known) {
				pooled[at] = c
			}
			continue
		}
		judged[at]++
		if c.Verdict == verdict.Pass {
			met[at]++
		}
	}
	columns := []string{"objective", " phase or calls", " statistic", "limit"}
	for _, p := range v.profiles {
		columns = append(columns, p.short, "met in", " verdict")
	}
	t := document.NewTable("Objectives: observed over all valid bursts, and in how many bursts met", columns...)
	for _, o := range rows {
		cells := []any{o.name, o.phase, o.stat, o.limit}
		for _, p := range v.profiles {
			at := place{o, p.key}
			if c := pooled[at]; c != nil {
				observed, in := reports.Observed(c), "-"
				if c.Call != "" {
					observed += ", " + humanize.Shorten(c.Call, 40)
				}
				if judged[at] > 0 {
					in = fmt.Sprintf("%d/%d", met[at], judged[at])
				}
				cells = append(cells, observed, in, reports.VerdictCell(c.Verdict))
			} else {
				cells = append(cells, "-", "-", "")
			}
		}
		t.Row(cells...)
	}
	s.Table(t)
	s.List(v.LeftOutLines(""))
	s.Fold("Objectives burst by burst", reports.ObjectiveTable(v.SLO))
	if calls := reports.CallTable(v.SLO, true); len(calls.Rows) > 0 {
		s.Fold("Objectives on API calls, kind by kind", calls)
	}
}
