package html

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
)

// completion shows how a burst fills up: when its k-th pod was ready.
func (v *view) completion() document.Section {
	s := document.Section{ID: "completion", Heading: "How a burst completes"}
	high, pods := 0.0, 0
	desc := "Time on the horizontal axis, number of pods ready on the vertical one."
	t := document.NewTable("Completion by burst: time since submission", "profile", "burst", "pods ready", "first pod", "half", "90 %", "last pod")
	for _, p := range v.profiles {
		for _, i := range p.valid {
			done := v.done(i)
			n := len(done)
			if n == 0 {
				continue
			}
			high, pods = max(high, done[n-1]), max(pods, n, v.Bursts[i].Pods)
			t.Row(p.name, v.Bursts[i].Index, n, done[0], done[(n+1)/2-1], done[(9*n+9)/10-1], done[n-1])
			if i == p.median {
				desc += fmt.Sprintf(" %s: first pod after %s, half after %s, last after %s.", p.short, humanize.Seconds(done[0]), humanize.Seconds(done[(n+1)/2-1]), humanize.Seconds(done[n-1]))
			}
		}
	}
	if high <= 0 {
		return s
	}
	f := &document.Figure{
		ID: "fig-completion", Layout: "solo", Name: "Pods ready over time.", Legend: v.legend(), Data: []*document.Table{t},
		Caption: []string{
			fmt.Sprintf("Horizontal: time since the %s was submitted. Vertical: how many of a burst's %s pods have been ready. Thin: one burst. Bold: the profile's burst with the median makespan. A straight stretch is a rate limit at work, its slope the rate; the curve's end is the makespan.", v.Workload().Kind, v.pods()),
		},
	}
	if note := v.drawnNote(); note != "" {
		f.Caption = append(f.Caption, note)
	}
	p := f.Panel(440, 270, "Completion curves", desc)
	plot := svg.NewPlot(p, 40, 10, 416, 236, svg.Scale{High: high * 1.02}, svg.Scale{High: float64(pods)})
	plot.YAxis(svg.Counts(0, float64(pods), 5), svg.Count)
	plot.TimeAxis(6, "since the "+v.Workload().Kind+" was submitted")
	for _, p := range v.profiles {
		for _, i := range v.drawn(p) {
			if i != p.median {
				curve(plot, "thin "+p.class, v.done(i))
			}
		}
	}
	for _, p := range v.profiles {
		if p.median >= 0 {
			curve(plot, "bold "+p.class, v.done(p.median))
		}
	}
	s.Figure(f)
	return s
}

// done returns the burst's completion curve, sorted and finite.
func (v *view) done(burst int) []float64 {
	var done []float64
	for _, at := range v.Bursts[burst].Completion {
		if finite(at) {
			done = append(done, float64(at))
		}
	}
	slices.Sort(done)
	return done
}

func curve(p *svg.Plot, class string, done []float64) {
	var d svg.Path
	d.Steps(done, p.X.At(0), p.X.At, func(k int) float64 { return p.Y.At(float64(k)) })
	p.Path(class, d)
}
