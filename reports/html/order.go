package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// order shows the makespans in the order of submission, which makes drift visible.
func (v *view) order() document.Section {
	s := document.Section{ID: "order", Heading: "Drift over the run"}
	if len(v.Bursts) < 2 {
		return s
	}
	order := make([]int, len(v.Bursts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return v.Bursts[a].SubmittedAt.Compare(v.Bursts[b].SubmittedAt) })
	t := reports.BurstTable(v.Report, order)
	high, blocks, warmups := 0.0, 0, 0
	for _, i := range order {
		b := &v.Bursts[i]
		if m, ok := known(b.MakespanSeconds); ok {
			high = max(high, m)
		}
		blocks = max(blocks, b.Block)
		if b.Warmup {
			warmups++
		}
	}
	if high <= 0 {
		s.Table(t)
		return s
	}
	f := &document.Figure{
		ID: "fig-order", Layout: "solo", Name: "Makespans in the order of the run.", Data: []*document.Table{t},
		Caption: []string{"From left to right the bursts in the order in which they were submitted, upward the makespan. Hollow: a warm-up, which is in no other figure and may have fewer pods. Cross: an invalid burst; at the foot where not all its pods became ready. A slope that all profiles share is the machine's or the cluster's drift and no profile's doing."},
	}
	if blocks > 0 {
		f.Caption = append(f.Caption, fmt.Sprintf("Shaded and numbered: the %s, in each of which every profile runs one burst in random order.", humanize.Count(blocks, "block")))
	}
	if len(order) > document.MaxRows {
		f.Caption = append(f.Caption, fmt.Sprintf("The first %d of %d bursts are drawn.", document.MaxRows, len(order)))
		order = order[:document.MaxRows]
	}
	for _, p := range v.profiles {
		if len(p.recorded) > 0 {
			f.Legend = append(f.Legend, svg.Key{Class: "mark " + p.class, Path: svg.Marker(p.number, 13, 6, 4.5).String(), Label: p.name})
		}
	}
	desc := fmt.Sprintf("%s in the order of submission, %s among them.", humanize.Count(len(v.Bursts), "burst"), humanize.Count(warmups, "warm-up"))
	for _, p := range v.profiles {
		if p.result != nil && p.result.MakespanSeconds != nil {
			m := p.result.MakespanSeconds
			desc += fmt.Sprintf(" %s: makespan from %s to %s, median %s.", p.short, humanize.Seconds(m.Min), humanize.Seconds(m.Max), humanize.Seconds(m.P50))
		}
	}
	limits := v.limits("makespan")
	for _, l := range limits {
		if limit := float64(l.LimitSeconds); limit < 1.6*high {
			high = max(high, limit)
		}
	}
	p := f.Panel(440, 226, "Makespans in run order", desc)
	plot := svg.NewPlot(p, 46, 16, 416, 192, svg.Scale{Low: 0.4, High: max(float64(len(order)), 4) + 0.6}, svg.Scale{High: high * 1.06})
	v.strip(plot, order)
	for _, l := range limits {
		if limit := float64(l.LimitSeconds); limit <= plot.Y.High {
			y := plot.Y.At(limit)
			plot.Rule("limit", plot.Left, y, plot.Right, y)
			plot.Text("limit-name", plot.Left+4, y-4, "limit "+humanize.Shorten(l.Stat, 8)+" "+humanize.Seconds(l.LimitSeconds))
		}
	}
	s.Figure(f)
	return s
}

// strip draws blocks, axes and markers.
func (v *view) strip(p *svg.Plot, order []int) {
	for n := 0; n < len(order); {
		end, block := n, v.Bursts[order[n]].Block
		for end < len(order) && v.Bursts[order[end]].Block == block {
			end++
		}
		if block > 0 {
			x1, x2 := p.X.At(float64(n)+0.5), p.X.At(float64(end)+0.5)
			if block%2 == 1 {
				var d svg.Path
				d.Box(x1, p.Top, x2-x1, p.Bottom-p.Top)
				p.Path("block", d)
			}
			if x2-x1 > 12 {
				p.Text("tick mid", (x1+x2)/2, p.Top-4, strconv.Itoa(block))
			}
		}
		n = end
	}
	u := svg.UnitFor(p.Y.High)
	p.YAxis(u.Ticks(0, p.Y.High, 5), u.Label)
	p.XAxis(svg.Counts(0.5, float64(len(order)), 8), svg.Count, false, "bursts in the order of submission")
	r := min(4.5, max(1.6, 120/float64(len(order))))
	for _, profile := range v.profiles {
		var line svg.Path
		for n, i := range order {
			b := &v.Bursts[i]
			if m, ok := known(b.MakespanSeconds); ok && b.Profile == profile.key && !b.Warmup {
				line.To(p.X.At(float64(n+1)), p.Y.At(m))
			}
		}
		p.Path("thin "+profile.class, line)
	}
	for n, i := range order {
		b := &v.Bursts[i]
		profile := v.find(b.Profile)
		if profile == nil {
			continue
		}
		m, ok := known(b.MakespanSeconds)
		x, y := p.X.At(float64(n+1)), p.Y.At(m)
		class := "mark "
		if b.Warmup {
			class = "hollow "
		}
		if ok {
			p.Path(class+profile.class, svg.Marker(profile.number, x, y, r))
		}
		if !b.Valid || !ok {
			p.Path("failed", svg.Cross(x, y, cmp.Or(r, 3)+1.5))
		}
	}
}
