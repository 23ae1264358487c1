package html

import (
	"fmt"
	"strconv"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// comparison is the forest plot of a run that compares profiles.
func (v *view) comparison() document.Section {
	s := document.Section{ID: "comparison", Heading: "Faster or slower"}
	if len(v.Comparisons) == 0 {
		return s
	}
	shown := v.Comparisons[:min(len(v.Comparisons), 24)]
	s.Figure(forest(shown))
	for _, group := range reports.Compared(v.Comparisons) {
		s.Subheading(group.Heading())
		s.List(group.Messages())
	}
	if plan := v.Plan(); plan != "" {
		s.Text("%s", plan)
	}
	if n := len(v.Comparisons) - len(shown); n > 0 {
		s.Text("%d more comparisons are in report.json.", n)
	}
	return s
}

// forestRow is the height of one comparison: a line of text above its interval.
// forestMiddle is the interval's position in it, and forestNames is the height of the line
// that names head and base.
const (
	forestRow    = 46.0
	forestMiddle = 31.0
	forestNames  = 20.0
)

// pairsDrawn is the largest number of blocks that are drawn for a comparison.
const pairsDrawn = 64

func forest(all []gate.Result) *document.Figure {
	f := &document.Figure{
		ID: "fig-forest", Layout: "solo", Name: "Ratio of each endpoint, head over base.",
		Caption: []string{
			"Horizontal: how many times as long the head takes, on a logarithmic axis; left of 1 it is faster. Diamond: the Hodges-Lehmann estimate over blocks. Bar: from its lower to its upper one-sided bound, with an arrow where a bound is missing or off the axis. Dots: the single blocks.",
			"Dashed: the margin. A comparison is regressed when the whole bar lies right of it and the change exceeds the floor, passed when the whole bar lies left of it, improved when it lies left of its mirror (1 / 1.1 for a margin of 10 %), and inconclusive otherwise.",
		},
		Legend: []svg.Key{svg.NewKey("mark", svg.Marker(3, 13, 6, 5), "estimate"), svg.NewKey("interval", svg.KeyLine(), "bounds"), svg.NewKey("margin", svg.KeyLine(), "margin"), svg.NewKey("dot", svg.Marker(0, 13, 6, 2.4), "one block")},
	}
	low, high := 0.9, 1.1
	include := func(x float64) {
		if x > 0 && finite(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	for i := range all {
		c := &all[i]
		for _, x := range []*float64{c.Ratio, c.Low, c.High} {
			if value, ok := known(x); ok {
				include(value)
			}
		}
		include(1 + c.Margin)
		for _, pair := range c.Pairs[:min(len(c.Pairs), pairsDrawn)] {
			include(float64(pair.HeadSeconds / pair.BaseSeconds))
		}
	}
	low, high = max(low/1.04, 0.01), min(high*1.04, 100)

	tops, bottom := forestTops(all)
	height := bottom + 30
	p := f.Panel(440, height, "Forest plot of the ratios of head over base", forestDesc(all))
	plot := svg.NewPlot(p, 8, 0, 432, bottom, svg.Scale{Low: low, High: high, Log: true}, svg.Scale{})
	for _, t := range ratioTicks(low, high) {
		x := plot.X.At(t)
		for i := range all { // beside the text, not through it
			y := tops[i] + forestMiddle
			plot.Rule("grid", x, y-11, x, y+11)
		}
		plot.Text("tick mid", x, plot.Bottom+14, "×"+strconv.FormatFloat(t, 'f', -1, 64))
	}
	plot.Rule("axis", plot.Left, plot.Bottom, plot.Right, plot.Bottom)
	for i := range all {
		if begins(all, i) {
			plot.Text("name", plot.Left, tops[i]-6, humanize.Shorten(all[i].Head, 28)+" against "+humanize.Shorten(all[i].Base, 28))
		}
		drawComparison(plot, &all[i], tops[i])
	}
	t := reports.ComparisonTable(all)
	f.Data = []*document.Table{t}
	if t.Note != "" { // the table is folded, but the figure is not
		f.Caption = append(f.Caption, t.Note)
	}
	return f
}

// begins tells whether the i-th comparison is the first of its head and base.
func begins(all []gate.Result, i int) bool {
	return i == 0 || all[i].Head != all[i-1].Head || all[i].Base != all[i-1].Base
}

// forestTops returns where the rows begin, those of each head and base below a line that
// names them, and where the last one ends.
func forestTops(all []gate.Result) (tops []float64, bottom float64) {
	for i := range all {
		if begins(all, i) {
			bottom += forestNames
		}
		tops = append(tops, bottom)
		bottom += forestRow
	}
	return tops, bottom
}

// drawComparison draws one comparison below top.
func drawComparison(p *svg.Plot, c *gate.Result, top float64) {
	y := top + forestMiddle
	p.Rule("zero", p.X.At(1), y-11, p.X.At(1), y+11)
	p.Rule("separator", p.Left, top+forestRow-1, p.Right, top+forestRow-1)
	p.Text("label", p.Left, top+15, humanize.Shorten(c.Endpoint, 24))
	verdict := reports.ComparisonCell(c)
	class := "label end v-" + string(verdict.Verdict)
	if !c.Gated {
		class = "name end"
	}
	p.Text(class, p.Right, top+15, reports.RatioText(c)+" "+humanize.Shorten(verdict.Text, 16))
	margin := p.X.At(1 + c.Margin)
	p.Rule("margin", margin, y-11, margin, y+11)
	for _, pair := range c.Pairs[:min(len(c.Pairs), pairsDrawn)] {
		if r := float64(pair.HeadSeconds / pair.BaseSeconds); r >= p.X.Low && r <= p.X.High {
			p.Path("dot", svg.Marker(0, p.X.At(r), y, 2.2))
		}
	}
	ratio, ok := known(c.Ratio)
	if !ok || ratio <= 0 {
		p.Text("name", p.Left, y+4, "no estimate")
		return
	}
	low, high := bound(p, c.Low, p.Left, y, -1), bound(p, c.High, p.Right, y, 1)
	p.Rule("interval", low, y, high, y)
	p.Path("mark", svg.Marker(3, p.X.At(ratio), y, 4.5))
}

// bound returns the position of an interval's end. If it is unknown or off the axis, an
// arrow at the end of the axis marks it.
func bound(p *svg.Plot, x *float64, edge, y, side float64) float64 {
	value, ok := known(x)
	if ok && value >= p.X.Low && value <= p.X.High {
		p.Rule("interval", p.X.At(value), y-4, p.X.At(value), y+4)
		return p.X.At(value)
	}
	var arrow svg.Path
	arrow.Move(edge-side*5, y-4)
	arrow.Line(edge, y)
	arrow.Line(edge-side*5, y+4)
	p.Path("interval", arrow)
	return edge
}

// ratioTicks returns the round ratios within the axis.
func ratioTicks(low, high float64) []float64 {
	candidates := []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100}
	if high/low < 6 {
		candidates = []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5}
	}
	if high/low < 1.6 {
		candidates = []float64{0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5}
	}
	var all []float64
	for _, t := range candidates {
		if t >= low && t <= high {
			all = append(all, t)
		}
	}
	return all
}

func forestDesc(all []gate.Result) string {
	desc := fmt.Sprintf("%s, one row each.", humanize.Count(len(all), "comparison"))
	for i := range all[:min(len(all), 8)] {
		c := &all[i]
		desc += fmt.Sprintf(" %s of %s over %s: %s, margin %s, %s.", humanize.Shorten(c.Endpoint, 40), humanize.Shorten(c.Head, 40), humanize.Shorten(c.Base, 40), reports.RatioText(c), humanize.Percent(c.Margin), reports.ComparisonCell(c).Text)
	}
	return desc
}
