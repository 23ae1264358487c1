package html

import (
	"fmt"
	"strconv"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
)

// stack shows where a typical pod's time goes, profile by profile.
func (v *view) stack() document.Section {
	s := document.Section{ID: "bottleneck", Heading: "The typical pod, phase by phase"}
	var bars []bar
	high := 0.0
	for _, p := range v.profiles {
		if b, ok := v.bar(p); ok {
			bars = append(bars, b)
			high = max(high, b.sum)
		}
	}
	if len(bars) > 0 {
		s.Figure(v.stackFigure(bars, high))
	}
	return s
}

// bar is one profile's phase medians in seconds, in the chain's order; 0 if not known.
type bar struct {
	*profile
	medians []float64
	sum     float64
	longest int
	n       int
}

func (v *view) bar(p *profile) (bar, bool) {
	b := bar{profile: p}
	for i, ph := range timeline.Chain() {
		median := 0.0
		if r := v.phaseOf(p, ph.Name); r != nil && finite(r.P50) {
			median = max(0, r.P50)
			b.n = max(b.n, r.Count)
		}
		b.medians = append(b.medians, median)
		b.sum += median
		if median > b.medians[b.longest] {
			b.longest = i
		}
	}
	return b, b.sum > 0
}

// share says which phase takes the largest share of the sum.
func (b *bar) share() string {
	return fmt.Sprintf("%s, of which %s %s", humanize.Seconds(b.sum), timeline.Chain()[b.longest].Name, humanize.Percent(b.medians[b.longest]/b.sum))
}

func (v *view) stackFigure(bars []bar, high float64) *document.Figure {
	f := &document.Figure{
		ID: "fig-stack", Layout: "solo", Name: "Median of each phase, stacked by profile.", Legend: v.phaseKeys(),
		Caption: []string{
			"Horizontal: the medians (p50, " + "nearest-rank, pods of all valid bursts) of the seven phases from submission to the watcher, in the order in which a pod passes them. Where the widest piece changes between profiles, the bottleneck has moved.",
			"The sum of medians is not the median of sums: pods differ in which phase they wait. Compare pieces, not ends.",
		},
	}
	const row, left, right = 50.0, 4.0, 416.0
	height := row*float64(len(bars)) + 34
	desc := "Time on the horizontal axis."
	t := document.NewTable("Phase medians by profile", append([]string{"profile"}, append(chainNames(), "sum of medians", "n")...)...)
	for i := range bars {
		desc += " " + bars[i].short + ": " + bars[i].share() + "."
		cells := []any{bars[i].name}
		for _, median := range bars[i].medians {
			cells = append(cells, median)
		}
		t.Row(append(cells, bars[i].sum, bars[i].n)...)
	}
	f.Data = []*document.Table{t}
	p := f.Panel(440, height, "Stacked phase medians by profile", desc)
	plot := svg.NewPlot(p, left, 2, right, height-32, svg.Scale{High: high}, svg.Scale{})
	plot.TimeAxis(6, "sum of phase medians")
	for i := range bars {
		drawBar(plot, &bars[i], row*float64(i))
	}
	return f
}

func chainNames() []string {
	var names []string
	for _, ph := range timeline.Chain() {
		names = append(names, ph.Name)
	}
	return names
}

// drawBar draws one profile's segments, each with its number if there is room.
func drawBar(p *svg.Plot, b *bar, top float64) {
	p.Text("label", p.Left, top+14, b.short)
	p.Text("name end", p.Right, top+14, b.share())
	at := 0.0
	for i, median := range b.medians {
		x1, x2 := p.X.At(at), p.X.At(at+median)
		at += median
		if x2-x1 < 0.1 {
			continue
		}
		var d svg.Path
		gap := min(0.6, (x2-x1)/4)
		d.Box(x1, top+20, x2-x1-gap, 22)
		n := strconv.Itoa(i)
		p.Path("f"+n, d)
		if x2-x1 > 12 {
			p.Text("digit mid on"+n, (x1+x2)/2, top+35, strconv.Itoa(i+1))
		}
	}
}
