package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// phases shows how each phase's durations are distributed.
func (v *view) phases() document.Section {
	s := document.Section{ID: "phases", Heading: "How long each phase takes"}
	if len(v.profiles) == 0 {
		return s
	}
	f := v.ecdf()
	switch {
	case f == nil && v.timed:
		s.Text("No valid burst, so there is no distribution to show.")
	case f == nil && len(v.Bursts) > 0:
		s.Command("podburst report --format html RUN", "This page was made from report.json, which holds no single pods, so that there is no distribution to draw. To see one, make it from the recording:")
	}
	if f == nil {
		s.Table(v.phaseTable())
		return s
	}
	s.Figure(f)
	if missing := v.unavailable(); len(missing) > 0 {
		s.Text("Not available from this provider: %s. A phase that is not available is not zero.", humanize.And(missing))
	}
	return s
}

// unavailable lists the phases that no profile with a valid burst has.
func (v *view) unavailable() []string {
	var names []string
	for _, ph := range reports.ShownPhases() {
		valid, has := false, false
		for _, p := range v.profiles {
			if p.result != nil && len(p.valid) > 0 {
				valid = true
				has = has || p.result.Phases[ph.Name] != nil
			}
		}
		if valid && !has {
			names = append(names, ph.Name)
		}
	}
	return names
}

// ecdf is nil if no phase has samples.
func (v *view) ecdf() *document.Figure {
	f := &document.Figure{
		ID: "fig-ecdf", Layout: "panels", Name: "Share of pods that have finished each phase within a time.",
		Legend: v.legend(), Data: []*document.Table{v.phaseTable()},
	}
	var nothing []string
	for _, ph := range reports.ShownPhases()[:9] {
		if name := v.ecdfPanel(f, ph); name != "" {
			nothing = append(nothing, name)
		}
	}
	if len(f.Panels) == 0 {
		return nil
	}
	n := ""
	for _, p := range v.profiles {
		if len(p.valid) > 0 {
			n += fmt.Sprintf(" %s: %s.", p.short, humanize.Count(len(p.valid), "valid burst"))
		}
	}
	f.Caption = []string{
		fmt.Sprintf("Empirical distributions, one panel a phase. Horizontal: time since the phase began, each panel with an axis of its own. Vertical: share of pods. Thin: one burst (%s pods). Bold: all valid bursts of the profile pooled. A curve further left is faster, a long flat top is a tail.%s", v.pods(), n),
		quantiles() + fmt.Sprintf(" Curves have at most %d steps.", svg.MaxSteps),
	}
	if len(nothing) > 0 {
		f.Caption = append(f.Caption, humanize.And(nothing)+" took no time for any pod: both marks were read from the same write or event.")
	}
	if note := v.drawnNote(); note != "" {
		f.Caption = append(f.Caption, note)
	}
	for i := range v.Bursts {
		if v.Bursts[i].PodStartup.PulledPods > 0 {
			f.Caption = append(f.Caption, "Images were pulled: the table's pod_startup leaves that time out, the curve does not.")
			break
		}
	}
	return f
}

// edge is where a panel's axis ends: at the longest duration, or, if that would squeeze the
// rest against the left, some way beyond the p99.
func edge(all []curves, longest float64) float64 {
	p99 := 0.0
	for _, c := range all {
		if x, ok := stats.Quantile(c.pooled, 0.99); ok {
			p99 = max(p99, x)
		}
	}
	if p99 > 0 && longest > 2*p99 {
		return 1.4 * p99
	}
	return longest
}

// curves holds a profile's samples of a phase.
type curves struct {
	*profile
	bursts [][]float64
	pooled []float64
}

// ecdfPanel draws a phase that has samples. If the phase took no time for any pod there is
// nothing to see: it returns the phase's name instead.
func (v *view) ecdfPanel(f *document.Figure, ph timeline.Phase) (nothing string) {
	var all []curves
	low, high := 0.0, 0.0
	desc := "Time on the horizontal axis, share of pods on the vertical one."
	for _, p := range v.profiles {
		c := curves{profile: p}
		drawn := v.drawn(p)
		for _, i := range p.valid {
			s := v.samples(i, ph)
			c.pooled = append(c.pooled, s...)
			if len(s) > 0 && slices.Contains(drawn, i) {
				c.bursts = append(c.bursts, s)
			}
		}
		if len(c.pooled) == 0 {
			continue
		}
		slices.Sort(c.pooled)
		low, high = min(low, c.pooled[0]), max(high, c.pooled[len(c.pooled)-1])
		all = append(all, c)
		if r := v.phaseOf(p, ph.Name); r != nil {
			desc += fmt.Sprintf(" %s: median %s, p90 %s, p99 %s, longest %s.", p.short, humanize.Seconds(r.P50), humanize.Seconds(r.P90), humanize.Seconds(r.P99), humanize.Seconds(r.Max))
		}
	}
	switch {
	case len(all) == 0:
		return ""
	case low == 0 && high == 0:
		return ph.Name
	}
	longest := high
	high = edge(all, longest)
	limits := v.limits(ph.Name)
	for _, l := range limits {
		if limit := float64(l.LimitSeconds); limit <= 1.6*high {
			high = max(high, 1.05*limit)
		}
	}
	if high <= low {
		high = low + 1e-3
	}
	p := f.Panel(340, 196, "Distribution of "+ph.Name, desc)
	plot := svg.NewPlot(p, 42, 42, 318, 166, svg.Scale{Low: low, High: high}, svg.Scale{High: 1})
	p.Text("title", 0, 14, ph.Name)
	p.Text("name", 0, 29, v.whose(ph.Name))
	plot.YAxis([]float64{0.5, 0.9, 1}, humanize.Percent)
	plot.TimeAxis(4, "")
	for _, c := range all {
		for _, s := range c.bursts {
			distribution(plot, "thin "+c.class, s)
		}
	}
	for _, c := range all {
		distribution(plot, "bold "+c.class, c.pooled)
	}
	drawLimits(plot, limits)
	if longest > high {
		p.Text("name end", plot.Right, plot.Bottom-6, "longest "+humanize.Seconds(longest)+" →")
	}
	return ""
}

// distribution draws sorted samples and extends the curve to the right edge. It leaves out
// samples beyond the edge; the curve then ends below 100 %.
func distribution(p *svg.Plot, class string, sorted []float64) {
	var d svg.Path
	n := float64(len(sorted))
	within, _ := slices.BinarySearchFunc(sorted, p.X.High, func(x, high float64) int {
		if x <= high {
			return -1
		}
		return 1
	})
	d.Steps(sorted[:within], p.Left, p.X.At, func(k int) float64 { return p.Y.At(float64(k) / n) })
	if within > 0 {
		d.Line(p.Right, p.Y.At(float64(within)/n))
	}
	p.Path(class, d)
}

// limits returns the objectives of a phase, each statistic and limit once.
func (v *view) limits(phase string) []slo.Result {
	var all []slo.Result
	for i := range v.SLO {
		c := v.SLO[i]
		same := func(other slo.Result) bool { return other.Stat == c.Stat && other.LimitSeconds == c.LimitSeconds }
		if c.Phase == phase && finite(c.LimitSeconds) && c.LimitSeconds > 0 && len(all) < 3 && !slices.ContainsFunc(all, same) {
			all = append(all, c)
		}
	}
	return all
}

// drawLimits draws objectives as lines and names them above the plot. An arrow marks an
// objective beyond the axis.
func drawLimits(p *svg.Plot, all []slo.Result) {
	var names []string
	for _, c := range all {
		name := humanize.Shorten(c.Stat, 8) + " " + humanize.Seconds(c.LimitSeconds)
		if limit := float64(c.LimitSeconds); limit > p.X.High {
			name += " →"
		} else {
			x := p.X.At(limit)
			p.Rule("limit", x, p.Top-3, x, p.Bottom)
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		p.Text("limit-name end", p.Right, p.Top-13, "limit "+strings.Join(names, ", "))
	}
}

// phaseTable covers the profiles with a valid burst.
func (v *view) phaseTable() *document.Table {
	var profiles []*reports.Profile
	for _, p := range v.profiles {
		if p.result != nil && len(p.valid) > 0 {
			profiles = append(profiles, p.result)
		}
	}
	return reports.PhaseTable(profiles...)
}
