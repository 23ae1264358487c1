package html

import (
	"fmt"
	"slices"
)

// completion is how a burst fills up: its k-th pod ready over time.
func (v *view) completion() section {
	s := section{ID: "completion", Heading: "How a burst completes"}
	high, pods := 0.0, 0
	desc := "Time on the horizontal axis, number of pods ready on the vertical one."
	t := newTable("Completion by burst: time since submission", "profile", "burst", "pods ready", "first pod", "half", "90 %", "last pod")
	for _, p := range v.profiles {
		for _, i := range p.valid {
			done := v.done(i)
			n := len(done)
			if n == 0 {
				continue
			}
			high, pods = max(high, done[n-1]), max(pods, n, v.Bursts[i].Pods)
			t.row(plain(p.name, v.Bursts[i].Index, n, done[0], done[(n+1)/2-1], done[(9*n+9)/10-1], done[n-1])...)
			if i == p.median {
				desc += fmt.Sprintf(" %s: first pod after %s, half after %s, last after %s.", p.short, seconds(done[0]), seconds(done[(n+1)/2-1]), seconds(done[n-1]))
			}
		}
	}
	if high <= 0 {
		return s
	}
	f := &figure{
		ID: "fig-completion", Layout: "solo", Name: "Pods ready over time.", Legend: v.legend(), Data: []*table{t},
		Caption: []string{
			fmt.Sprintf("Horizontal: time since the Job was submitted. Vertical: how many of a burst's %s pods have been ready. Thin: one burst. Bold: the profile's burst with the median makespan. A straight stretch is a rate limit at work, its slope the rate; the curve's end is the makespan.", v.pods()),
		},
	}
	if note := v.drawnNote(); note != "" {
		f.Caption = append(f.Caption, note)
	}
	p := f.panel(440, 270, "Completion curves", desc)
	plot := plot{panel: p, left: 40, right: 416, top: 10, bottom: 236}
	plot.x = scale{low: 0, high: high * 1.02, start: plot.left, end: plot.right}
	plot.y = scale{low: 0, high: float64(pods), start: plot.bottom, end: plot.top}
	plot.countAxis(pods)
	plot.timeAxis(6, "since the Job was submitted")
	for _, p := range v.profiles {
		for _, i := range v.drawn(p) {
			if i != p.median {
				plot.curve("thin "+p.class, v.done(i))
			}
		}
	}
	for _, p := range v.profiles {
		if p.median >= 0 {
			plot.curve("bold "+p.class, v.done(p.median))
		}
	}
	s.figure(f)
	return s
}

// done is the burst's completion curve, sorted and finite.
func (v *view) done(burst int) []float64 {
	done := slices.DeleteFunc(slices.Clone(v.Bursts[burst].Completion), func(x float64) bool { return !finite(x) })
	slices.Sort(done)
	return done
}

func (p *plot) curve(class string, done []float64) {
	var d path
	d.steps(done, p.x.at(0), p.x.at, func(k int) float64 { return p.y.at(float64(k)) })
	p.path(class, d)
}

// countAxis draws the y axis of a count with lines across.
func (p *plot) countAxis(high int) {
	for _, n := range ticks(0, float64(high), 5) {
		if n != float64(int(n)) {
			continue
		}
		y := p.y.at(n)
		p.rule("grid", p.left, y, p.right, y)
		p.text("tick end", p.left-6, y+4, fmt.Sprint(int(n)))
	}
}
