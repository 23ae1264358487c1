package listcost

import (
	"fmt"
	"math"
	"strconv"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
)

// figure draws the times of the ways to list against the number of pods. It has no
// panel if no list succeeded.
func (r *Result) figure() *document.Figure {
	f := &document.Figure{
		ID: "fig-lists-" + recording.PathName(r.Profile), Layout: "solo", Name: "Time of a list by the number of pods in profile " + r.Profile + ".",
		Caption: []string{
			"Both axes are logarithmic: along the gray line twice the pods take twice the time, and a steeper curve grows faster than linearly. Horizontal: pods listed. Vertical: the median time from sending the request until the last pod was decoded, over the tries. Lines: ways to list.",
		},
		Data: r.listTables(),
	}
	fewest, most, low, high := math.Inf(1), 0.0, math.Inf(1), 0.0
	for i := range r.Strategies {
		for _, p := range r.Strategies[i].Points {
			if at, ok := drawn(p.Seconds); ok && p.Pods > 0 {
				fewest, most = min(fewest, float64(p.Pods)), max(most, float64(p.Pods))
				low, high = min(low, at), max(high, at)
			}
		}
	}
	if high <= 0 {
		return f
	}
	panel := f.Panel(440, 290, "Time of lists in "+humanize.Shorten(r.Profile, 26), r.desc())
	plot := svg.NewPlot(panel, 52, 24, 412, 254, svg.Scale{Low: fewest / 1.15, High: most * 1.15, Log: true}, svg.Scale{Low: low / 1.3, High: high * 1.3, Log: true})
	axes(plot)
	for i := range r.Strategies[:min(len(r.Strategies), svg.Lines)] {
		s := &r.Strategies[i]
		class := "p" + strconv.Itoa(i)
		var line svg.Path
		for _, point := range s.Points {
			at, ok := drawn(point.Seconds)
			if !ok || point.Pods <= 0 {
				continue
			}
			x, y := plot.X.At(float64(point.Pods)), plot.Y.At(at)
			line.To(x, y)
			panel.Path("mark "+class, svg.Marker(i, x, y, 3.4))
		}
		panel.Path("bold "+class, line)
		f.Legend = append(f.Legend, svg.NewKey("bold "+class, svg.KeyLine(), s.Name))
	}
	return f
}

// axes draws both axes, and the line along which time is proportional to the pods.
func axes(p *svg.Plot) {
	p.YAxis(svg.LogTicks(p.Y.Low, p.Y.High), func(t float64) string { return svg.UnitFor(t).Label(t) })
	p.XAxis(svg.LogTicks(p.X.Low, p.X.High), svg.Count, true, "pods listed")
	if reach := min(p.X.High/p.X.Low, p.Y.High/p.Y.Low); reach > 1 {
		p.Rule("linear", p.Left, p.Bottom, p.X.At(p.X.Low*reach), p.Y.At(p.Y.Low*reach))
	}
}

// desc describes the figure for those who cannot see it.
func (r *Result) desc() string {
	desc := "Number of pods on the horizontal axis, time on the vertical one, both logarithmic."
	for i := range r.Strategies {
		s := &r.Strategies[i]
		if n := len(s.Points); n > 0 {
			if at, ok := drawn(s.Points[n-1].Seconds); ok {
				desc += fmt.Sprintf(" %s: %s for %s.", s.Name, humanize.Seconds(at), humanize.Count(s.Points[n-1].Pods, "pod"))
			}
		}
	}
	return desc
}

// drawn returns a median if a logarithmic axis can show it.
func drawn(s *stats.Summary) (float64, bool) {
	if s == nil || s.Count == 0 || math.IsNaN(s.P50) || math.IsInf(s.P50, 0) || s.P50 <= 0 {
		return 0, false
	}
	return s.P50, true
}
