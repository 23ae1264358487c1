package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// order is the makespans in the order of submission, in which drift shows.
func (v *view) order() section {
	s := section{ID: "order", Heading: "Drift over the run"}
	if len(v.Bursts) < 2 {
		return s
	}
	order := make([]int, len(v.Bursts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return v.Bursts[a].SubmittedAt.Compare(v.Bursts[b].SubmittedAt) })
	t := newTable("Bursts in the order of submission", "no.", " submitted (UTC)", " profile", " burst", "block", "pods ready", "makespan", "creation spread", "limiter's floor", " measurement")
	high, blocks, warmups := 0.0, 0, 0
	for n, i := range order {
		b := &v.Bursts[i]
		if m, ok := known(b.MakespanSeconds); ok {
			high = max(high, m)
		}
		blocks = max(blocks, b.Block)
		state, block := cell{Text: "valid"}, "-"
		if !b.Valid {
			state = cell{Text: "INVALID", Verdict: "bad"}
		}
		if b.Block > 0 {
			block = strconv.Itoa(b.Block)
		}
		if b.Warmup {
			warmups++
		}
		t.row(plain(n+1, b.SubmittedAt.UTC().Format("15:04:05"), b.Profile, burstName(b), block, fmt.Sprintf("%d/%d", b.Accounting.Ready, b.Accounting.Expected),
			b.MakespanSeconds, b.CreationSpreadSeconds, b.CreationFloorSeconds, state)...)
	}
	if high <= 0 {
		s.table(t)
		return s
	}
	f := &figure{
		ID: "fig-order", Layout: "solo", Name: "Makespans in the order of the run.", Data: []*table{t},
		Caption: []string{"From left to right the bursts in the order in which they were submitted, upward the makespan. Hollow: a warm-up, which is in no other figure and may have fewer pods. Cross: an invalid burst; at the foot where not all its pods became ready. A slope that all profiles share is the machine's or the cluster's drift and no profile's doing."},
	}
	if blocks > 0 {
		f.Caption = append(f.Caption, fmt.Sprintf("Shaded and numbered: the %s, in each of which every profile runs one burst in random order.", count(blocks, "block")))
	}
	if len(order) > maxRows {
		f.Caption = append(f.Caption, fmt.Sprintf("The first %d of %d bursts are drawn.", maxRows, len(order)))
		order = order[:maxRows]
	}
	for _, p := range v.profiles {
		if len(p.recorded) > 0 {
			f.Legend = append(f.Legend, key{Class: "mark " + p.class, Path: marker(p.number, 13, 6, 4.5).String(), Label: p.name})
		}
	}
	desc := fmt.Sprintf("%s in the order of submission, %s among them.", count(len(v.Bursts), "burst"), count(warmups, "warm-up"))
	for _, p := range v.profiles {
		if p.result != nil && p.result.MakespanSeconds != nil {
			m := p.result.MakespanSeconds
			desc += fmt.Sprintf(" %s: makespan from %s to %s, median %s.", p.short, seconds(m.Min), seconds(m.Max), seconds(m.P50))
		}
	}
	limits := v.limits("makespan")
	for _, l := range limits {
		if l.LimitSeconds < 1.6*high {
			high = max(high, l.LimitSeconds)
		}
	}
	p := f.panel(440, 226, "Makespans in run order", desc)
	plot := plot{panel: p, left: 46, right: 416, top: 16, bottom: 192}
	plot.x = scale{low: 0.4, high: max(float64(len(order)), 4) + 0.6, start: plot.left, end: plot.right}
	plot.y = scale{low: 0, high: high * 1.06, start: plot.bottom, end: plot.top}
	v.strip(&plot, order)
	for _, l := range limits {
		if l.LimitSeconds <= plot.y.high {
			y := plot.y.at(l.LimitSeconds)
			plot.rule("limit", plot.left, y, plot.right, y)
			plot.text("limit-name", plot.left+4, y-4, "limit "+shorten(clean(l.Stat), 8)+" "+seconds(l.LimitSeconds))
		}
	}
	s.figure(f)
	return s
}

// strip draws blocks, axes and markers.
func (v *view) strip(p *plot, order []int) {
	for n := 0; n < len(order); {
		end, block := n, v.Bursts[order[n]].Block
		for end < len(order) && v.Bursts[order[end]].Block == block {
			end++
		}
		if block > 0 {
			x1, x2 := p.x.at(float64(n)+0.5), p.x.at(float64(end)+0.5)
			if block%2 == 1 {
				var d path
				d.box(x1, p.top, x2-x1, p.bottom-p.top)
				p.path("block", d)
			}
			if x2-x1 > 12 {
				p.text("tick mid", (x1+x2)/2, p.top-4, strconv.Itoa(block))
			}
		}
		n = end
	}
	u := unitFor(p.y.high)
	for _, at := range u.ticks(0, p.y.high, 5) {
		p.rule("grid", p.left, p.y.at(at), p.right, p.y.at(at))
		p.text("tick end", p.left-6, p.y.at(at)+4, u.label(at))
	}
	for _, n := range ticks(0.5, float64(len(order)), 8) {
		if n == float64(int(n)) {
			p.text("tick mid", p.x.at(n), p.bottom+14, strconv.Itoa(int(n)))
		}
	}
	p.rule("axis", p.left, p.bottom, p.right, p.bottom)
	p.text("name end", p.right, p.bottom+28, "bursts in the order of submission")
	r := min(4.5, max(1.6, 120/float64(len(order))))
	for _, profile := range v.profiles {
		var line path
		begun := false
		for n, i := range order {
			b := &v.Bursts[i]
			if m, ok := known(b.MakespanSeconds); ok && b.Profile == profile.key && !b.Warmup {
				if x, y := p.x.at(float64(n+1)), p.y.at(m); begun {
					line.line(x, y)
				} else {
					line.move(x, y)
					begun = true
				}
			}
		}
		p.path("thin "+profile.class, line)
	}
	for n, i := range order {
		b := &v.Bursts[i]
		profile := v.find(b.Profile)
		if profile == nil {
			continue
		}
		m, ok := known(b.MakespanSeconds)
		x, y := p.x.at(float64(n+1)), p.y.at(m)
		class := "mark "
		if b.Warmup {
			class = "hollow "
		}
		if ok {
			p.path(class+profile.class, marker(profile.number, x, y, r))
		}
		if !b.Valid || !ok {
			p.path("failed", cross(x, y, cmp.Or(r, 3)+1.5))
		}
	}
}
