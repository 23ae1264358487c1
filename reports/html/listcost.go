package html

import (
	"fmt"
	"math"
	"strconv"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
)

// burstless tells whether the run measured lists and watches and planned no burst.
func (v *view) burstless() bool { return v.ListCost != nil && v.Run.PlannedBursts == 0 }

// lists is what listing and watching pods cost, of a run that measured it.
func (v *view) lists() document.Section {
	s := document.Section{ID: "lists", Heading: "What lists and watches cost"}
	if v.ListCost == nil {
		return s
	}
	f := &document.Figure{
		ID: "fig-lists", Layout: "panels wide", Name: "Time of a list by the number of pods.",
		Caption: []string{
			"Both axes are logarithmic: along the slope of the gray line twice the pods take twice the time, a steeper curve grows faster than linearly. Horizontal: pods listed. Vertical: the median time from sending the request until the last pod was decoded, over the tries. Lines: ways to list.",
			"In the table, decoded and on the wire are bytes of bodies, after and before decompression. " + quantiles(),
		},
	}
	results := v.ListCost.Profiles[:min(len(v.ListCost.Profiles), svg.Lines)]
	for i := range results {
		drawLists(f, &results[i])
	}
	if len(f.Panels) > 0 {
		s.Figure(f)
	}
	for i := range results {
		r := &results[i]
		s.Subheading(r.Profile)
		s.List(r.Findings)
		var open []string
		for _, c := range r.Checks {
			if c.Verdict != listcost.Pass {
				open = append(open, fmt.Sprintf("%s: %s: %s", verdictCell(verdict.Verdict(c.Verdict)).Text, c.Name, c.Message))
			}
		}
		s.Text("%d of %s of list costs passed.", len(r.Checks)-len(open), humanize.Count(len(r.Checks), "check"))
		s.List(open)
		if r.AuditUnavailable != "" {
			s.Text("There is no server time of lists: %s.", r.AuditUnavailable)
		}
		if r.MetricsUnavailable != "" {
			s.Text("There are no counters of the API server: %s.", r.MetricsUnavailable)
		}
		if t := ratioTable(r); len(t.Rows) > 0 {
			s.Fold("How many times as much in "+r.Profile+": each list against the plain one, private informers against a shared one", t)
		}
		if t := informerTable(r); len(t.Rows) > 0 {
			s.Fold("Informers of "+r.Profile+": private and shared", t)
		}
	}
	return s
}

// drawLists draws a profile's ways to list.
func drawLists(f *document.Figure, r *listcost.Result) {
	fewest, most, low, high := math.Inf(1), 0.0, math.Inf(1), 0.0
	f.Data = append(f.Data, listTable(r))
	for i := range r.Strategies {
		for _, p := range r.Strategies[i].Points {
			if at, ok := median(p.Seconds); ok && p.Pods > 0 {
				fewest, most = min(fewest, float64(p.Pods)), max(most, float64(p.Pods))
				low, high = min(low, at), max(high, at)
			}
		}
	}
	if high <= 0 {
		return
	}
	p := f.Panel(440, 290, "Time of lists in "+humanize.Shorten(r.Profile, 26), listDesc(r))
	plot := svg.Plot{Panel: p, Left: 52, Right: 412, Top: 24, Bottom: 254}
	plot.X = svg.Scale{Low: fewest / 1.15, High: most * 1.15, Start: plot.Left, End: plot.Right, Log: true}
	plot.Y = svg.Scale{Low: low / 1.3, High: high * 1.3, Start: plot.Bottom, End: plot.Top, Log: true}
	p.Text("title", 0, 14, humanize.Shorten(r.Profile, 40))
	for _, t := range svg.LogTicks(plot.Y.Low, plot.Y.High) {
		plot.Rule("grid", plot.Left, plot.Y.At(t), plot.Right, plot.Y.At(t))
		p.Text("tick end", plot.Left-6, plot.Y.At(t)+4, svg.UnitFor(t).Label(t))
	}
	for _, t := range svg.LogTicks(plot.X.Low, plot.X.High) {
		plot.Rule("grid", plot.X.At(t), plot.Top, plot.X.At(t), plot.Bottom)
		p.Text("tick mid", plot.X.At(t), plot.Bottom+14, strconv.FormatFloat(t, 'f', -1, 64))
	}
	plot.Rule("axis", plot.Left, plot.Bottom, plot.Right, plot.Bottom)
	p.Text("name end", plot.Right, plot.Bottom+28, "pods listed")
	if reach := min(plot.X.High/plot.X.Low, plot.Y.High/plot.Y.Low); reach > 1 {
		plot.Rule("linear", plot.Left, plot.Bottom, plot.X.At(plot.X.Low*reach), plot.Y.At(plot.Y.Low*reach))
	}
	for i := range r.Strategies {
		class := "p" + strconv.Itoa(i%svg.Lines)
		var line svg.Path
		for _, point := range r.Strategies[i].Points {
			at, ok := median(point.Seconds)
			if !ok || point.Pods <= 0 {
				continue
			}
			x, y := plot.X.At(float64(point.Pods)), plot.Y.At(at)
			if line.Empty() {
				line.Move(x, y)
			} else {
				line.Line(x, y)
			}
			p.Path("mark "+class, svg.Marker(i, x, y, 3.4))
		}
		p.Path("bold "+class, line)
		if name := r.Strategies[i].Name; i >= len(f.Legend) && i < svg.Lines {
			f.Legend = append(f.Legend, svg.Key{Class: "bold " + class, Path: svg.KeyLine().String(), Label: name})
		}
	}
}

func listDesc(r *listcost.Result) string {
	desc := "Number of pods on the horizontal axis, time on the vertical one, both logarithmic."
	for i := range r.Strategies[:min(len(r.Strategies), svg.Lines)] {
		s := &r.Strategies[i]
		if n := len(s.Points); n > 0 {
			if at, ok := median(s.Points[n-1].Seconds); ok {
				desc += fmt.Sprintf(" %s: %s for %s.", humanize.Shorten(s.Name, 60), humanize.Seconds(at), humanize.Count(s.Points[n-1].Pods, "pod"))
			}
		}
	}
	return desc
}

// median is a summary's, of positive durations only: the axis is logarithmic.
func median(s *stats.Summary) (float64, bool) {
	if s == nil || s.Count == 0 || !finite(s.P50) || s.P50 <= 0 {
		return 0, false
	}
	return s.P50, true
}

func listTable(r *listcost.Result) *document.Table {
	t := document.NewTable("Lists in "+r.Profile+fmt.Sprintf(" (limit %d)", r.Limit), "list", "pods", "answers", "decoded", "on the wire", "first byte p50", "p50", "p99", "server p50", "n", "failed")
	for i := range r.Strategies {
		for _, p := range r.Strategies[i].Points {
			t.Row(r.Strategies[i].Name, p.Pods, p.Pages, humanize.Bytes(p.Bytes), humanize.Bytes(p.WireBytes), summaryText(p.FirstByteSeconds, "p50"),
				summaryText(p.Seconds, "p50"), summaryText(p.Seconds, "p99"), summaryText(p.ServerSeconds, "p50"), p.Tries-p.Failed, p.Failed)
		}
	}
	return t
}

func informerTable(r *listcost.Result) *document.Table {
	t := document.NewTable("Informers in "+r.Profile+", medians", "style", "consumers", "pods", "reads", "watches", "synced", "decoded", "server", "client CPU", "live heap")
	for i := range r.Informers {
		x := &r.Informers[i]
		t.Row(x.Style, x.Consumers, x.Pods, x.FullReads, x.Watches, summaryText(x.SyncedSeconds, "p50"), humanize.Bytes(x.SyncBytes),
			summaryText(x.ServerSeconds, "p50"), summaryText(x.CPUSeconds, "p50"), humanize.Bytes(x.LiveBytes))
	}
	return t
}

// ratioTable has the differences with their intervals; those beyond noise say so.
func ratioTable(r *listcost.Result) *document.Table {
	t := document.NewTable("Ratios in "+r.Profile+": medians of rounds, with 99 % intervals", " what", "pods", " of", "ratio", " beyond noise")
	beyond := func(ratio listcost.Ratio) string {
		if ratio.Beyond {
			return "yes"
		}
		return "no"
	}
	for _, d := range r.ListDifferences {
		t.Row(d.List, d.Pods, d.Quantity, d.Ratio.String(), beyond(d.Ratio))
	}
	for _, d := range r.Differences {
		t.Row(fmt.Sprintf("private informers, %s", humanize.Count(d.Consumers, "consumer")), d.Pods, d.Quantity, d.Ratio.String(), beyond(d.Ratio))
	}
	return t
}

func summaryText(s *stats.Summary, stat string) string {
	if s == nil {
		return "-"
	}
	value, err := s.Get(stat)
	if err != nil {
		return "-"
	}
	return humanize.Seconds(value)
}
