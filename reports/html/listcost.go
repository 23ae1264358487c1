package html

import (
	"fmt"
	"math"
	"strconv"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// burstless tells whether the run measured lists and watches and planned no burst.
func (v *view) burstless() bool { return v.ListCost != nil && v.Run.PlannedBursts == 0 }

// lists is what listing and watching pods cost, of a run that measured it.
func (v *view) lists() section {
	s := section{ID: "lists", Heading: "What lists and watches cost"}
	if v.ListCost == nil {
		return s
	}
	f := &figure{
		ID: "fig-lists", Layout: "panels wide", Name: "Time of a list by the number of pods.",
		Caption: []string{
			"Both axes are logarithmic: along the slope of the gray line twice the pods take twice the time, a steeper curve grows faster than linearly. Horizontal: pods listed. Vertical: the median time from sending the request until the last pod was decoded, over the tries. Lines: ways to list.",
			"In the table, decoded and on the wire are bytes of bodies, after and before decompression. " + quantiles(),
		},
	}
	results := v.ListCost.Profiles[:min(len(v.ListCost.Profiles), maxProfiles)]
	for i := range results {
		f.lists(&results[i])
	}
	if len(f.Panels) > 0 {
		s.figure(f)
	}
	for i := range results {
		r := &results[i]
		s.heading(clean(r.Profile))
		s.list(cleanAll(r.Findings))
		var open []string
		for _, c := range r.Checks {
			if c.Verdict != listcost.Pass {
				open = append(open, fmt.Sprintf("%s: %s: %s", verdictCell(verdict.Verdict(c.Verdict)).Text, c.Name, c.Message))
			}
		}
		s.text("%d of %s of list costs passed.", len(r.Checks)-len(open), count(len(r.Checks), "check"))
		s.list(cleanAll(open))
		if r.AuditUnavailable != "" {
			s.text("There is no server time of lists: %s.", clean(r.AuditUnavailable))
		}
		if r.MetricsUnavailable != "" {
			s.text("There are no counters of the API server: %s.", clean(r.MetricsUnavailable))
		}
		if t := ratioTable(r); len(t.Rows) > 0 {
			s.fold("How many times as much in "+clean(r.Profile)+": each list against the plain one, private informers against a shared one", t)
		}
		if t := informerTable(r); len(t.Rows) > 0 {
			s.fold("Informers of "+clean(r.Profile)+": private and shared", t)
		}
	}
	return s
}

// lists draws a profile's ways to list.
func (f *figure) lists(r *listcost.Result) {
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
	p := f.panel(440, 290, "Time of lists in "+shorten(clean(r.Profile), 26), listDesc(r))
	plot := plot{panel: p, left: 52, right: 412, top: 24, bottom: 254}
	plot.x = scale{low: fewest / 1.15, high: most * 1.15, start: plot.left, end: plot.right, log: true}
	plot.y = scale{low: low / 1.3, high: high * 1.3, start: plot.bottom, end: plot.top, log: true}
	p.text("title", 0, 14, shorten(clean(r.Profile), 40))
	for _, t := range logTicks(plot.y.low, plot.y.high) {
		plot.rule("grid", plot.left, plot.y.at(t), plot.right, plot.y.at(t))
		p.text("tick end", plot.left-6, plot.y.at(t)+4, unitFor(t).label(t))
	}
	for _, t := range logTicks(plot.x.low, plot.x.high) {
		plot.rule("grid", plot.x.at(t), plot.top, plot.x.at(t), plot.bottom)
		p.text("tick mid", plot.x.at(t), plot.bottom+14, strconv.FormatFloat(t, 'f', -1, 64))
	}
	plot.rule("axis", plot.left, plot.bottom, plot.right, plot.bottom)
	p.text("name end", plot.right, plot.bottom+28, "pods listed")
	if reach := min(plot.x.high/plot.x.low, plot.y.high/plot.y.low); reach > 1 {
		plot.rule("linear", plot.left, plot.bottom, plot.x.at(plot.x.low*reach), plot.y.at(plot.y.low*reach))
	}
	for i := range r.Strategies {
		class := "p" + strconv.Itoa(i%maxProfiles)
		var line path
		for _, point := range r.Strategies[i].Points {
			at, ok := median(point.Seconds)
			if !ok || point.Pods <= 0 {
				continue
			}
			x, y := plot.x.at(float64(point.Pods)), plot.y.at(at)
			if len(line.data) == 0 {
				line.move(x, y)
			} else {
				line.line(x, y)
			}
			p.path("mark "+class, marker(i, x, y, 3.4))
		}
		p.path("bold "+class, line)
		if name := clean(r.Strategies[i].Name); i >= len(f.Legend) && i < maxProfiles {
			f.Legend = append(f.Legend, key{Class: "bold " + class, Path: keyLine().String(), Label: name})
		}
	}
}

func listDesc(r *listcost.Result) string {
	desc := "Number of pods on the horizontal axis, time on the vertical one, both logarithmic."
	for i := range r.Strategies[:min(len(r.Strategies), maxProfiles)] {
		s := &r.Strategies[i]
		if n := len(s.Points); n > 0 {
			if at, ok := median(s.Points[n-1].Seconds); ok {
				desc += fmt.Sprintf(" %s: %s for %s.", shorten(clean(s.Name), 60), seconds(at), count(s.Points[n-1].Pods, "pod"))
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

// logTicks are the powers of ten from low to high, and their doubles and fives
// where there are few.
func logTicks(low, high float64) []float64 {
	if !(low > 0) || !(high > low) || !finite(high) {
		return nil
	}
	factors := []float64{1, 2, 5}
	if high/low > 300 {
		factors = factors[:1]
	}
	var all []float64
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high) && len(all) < 30; e++ {
		for _, factor := range factors {
			if t := factor * math.Pow(10, e); t >= low && t <= high {
				all = append(all, t)
			}
		}
	}
	return all
}

func listTable(r *listcost.Result) *table {
	t := newTable("Lists in "+clean(r.Profile)+fmt.Sprintf(" (limit %d)", r.Limit), "list", "pods", "answers", "decoded", "on the wire", "first byte p50", "p50", "p99", "server p50", "n", "failed")
	for i := range r.Strategies {
		for _, p := range r.Strategies[i].Points {
			t.row(plain(r.Strategies[i].Name, p.Pods, p.Pages, bytesText(p.Bytes), bytesText(p.WireBytes), summaryText(p.FirstByteSeconds, "p50"),
				summaryText(p.Seconds, "p50"), summaryText(p.Seconds, "p99"), summaryText(p.ServerSeconds, "p50"), p.Tries-p.Failed, p.Failed)...)
		}
	}
	return t
}

func informerTable(r *listcost.Result) *table {
	t := newTable("Informers in "+clean(r.Profile)+", medians", "style", "consumers", "pods", "reads", "watches", "synced", "decoded", "server", "client CPU", "live heap")
	for i := range r.Informers {
		x := &r.Informers[i]
		t.row(plain(x.Style, x.Consumers, x.Pods, x.FullReads, x.Watches, summaryText(x.SyncedSeconds, "p50"), bytesText(x.SyncBytes),
			summaryText(x.ServerSeconds, "p50"), summaryText(x.CPUSeconds, "p50"), bytesText(x.LiveBytes))...)
	}
	return t
}

// ratioTable has the differences with their intervals; those beyond noise say so.
func ratioTable(r *listcost.Result) *table {
	t := newTable("Ratios in "+clean(r.Profile)+": medians of rounds, with 99 % intervals", " what", "pods", " of", "ratio", " beyond noise")
	beyond := func(ratio listcost.Ratio) string {
		if ratio.Beyond {
			return "yes"
		}
		return "no"
	}
	for _, d := range r.ListDifferences {
		t.row(plain(d.List, d.Pods, d.Quantity, d.Ratio.String(), beyond(d.Ratio))...)
	}
	for _, d := range r.Differences {
		t.row(plain(fmt.Sprintf("private informers, %s", count(d.Consumers, "consumer")), d.Pods, d.Quantity, d.Ratio.String(), beyond(d.Ratio))...)
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
	return seconds(value)
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	const kib, mib = 1 << 10, 1 << 20
	switch {
	case n < kib:
		return strconv.FormatInt(n, 10) + nbsp + "B"
	case n < mib:
		return strconv.FormatFloat(float64(n)/kib, 'f', 1, 64) + nbsp + "KiB"
	}
	return strconv.FormatFloat(float64(n)/mib, 'f', 1, 64) + nbsp + "MiB"
}
