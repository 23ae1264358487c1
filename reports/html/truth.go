package html

import (
	"fmt"
	"math"
	"strconv"

	"github.com/podburst/podburst/reports"
)

// truth is how far the times can be trusted, and who else measured them.
func (v *view) truth() section {
	s := section{ID: "truth", Heading: "How far to trust the times"}
	t := newTable("Truth check by burst", "profile", "burst", "watch behind audit log, p99", "at most", "audit stamp exact to, p99", "whole-second fields off by", "API server's clock ahead by", "load before", "load after", "stolen", "observer's CPU", "late pods")
	for i := range v.Bursts {
		if b := &v.Bursts[i]; !b.Warmup {
			t.row(truthRow(b)...)
		}
	}
	if len(t.Rows) == 0 {
		return s
	}
	s.table(t)
	s.text("Each mark with two sources is read from both. A watch that stays milliseconds behind the audit log, clocks that agree and a machine that was not busy with something else are what the numbers above rest on.")
	opinions := newTable("What components measured themselves, in each profile's median burst", "metric", " profile", " what it measures", "n", "mean", "p50 (bucket)", "p99 (bucket)")
	for _, p := range v.profiles {
		if p.median < 0 {
			continue
		}
		for _, o := range v.Bursts[p.median].SecondOpinions {
			opinions.row(plain(o.Metric, p.name, o.Meaning, o.Count, o.MeanSeconds, estimate(o.P50), estimate(o.P99))...)
		}
	}
	if len(opinions.Rows) > 0 {
		s.fold("Second opinions: what the components measured themselves", opinions)
	}
	for i := range v.Bursts {
		if reason := v.Bursts[i].AuditUnavailable; reason != "" {
			s.text("There are no times from the audit log: %s. Phases rest on the watch alone.", clean(reason))
			break
		}
	}
	return s
}

// truthRow takes the worst mark of each comparison.
func truthRow(b *reports.Burst) []cell {
	lag, worst, window, field := math.NaN(), math.NaN(), math.NaN(), math.NaN()
	most := func(to *float64, x float64) {
		if math.IsNaN(*to) || x > *to {
			*to = x
		}
	}
	for _, m := range b.Truth.Marks {
		if m.WatchLag != nil {
			most(&lag, m.WatchLag.P99)
			most(&worst, m.WatchLag.Max)
		}
		if m.AuditWindow != nil {
			most(&window, m.AuditWindow.P99)
		}
		if m.FieldError != nil {
			most(&field, max(m.FieldError.Max, -m.FieldError.Min))
		}
	}
	offset, before, after, stolen := "-", "-", "-", "-"
	if o := b.Truth.ClockOffset; o != nil {
		offset = seconds(o.LowSeconds) + " to " + seconds(o.HighSeconds)
	}
	if l := b.Truth.Load; l != nil && finite(l.Before) && finite(l.After) {
		before, after = strconv.FormatFloat(l.Before, 'f', 1, 64), strconv.FormatFloat(l.After, 'f', 1, 64)
		if l.StolenShare != nil {
			stolen = percent(*l.StolenShare)
		}
	}
	return plain(b.Profile, b.Index, lag, worst, window, field, offset, before, after, stolen, b.Watch.CPUSeconds, b.Watch.Late)
}

// estimate is a quantile from a histogram, with the bounds of its bucket.
func estimate(e reports.Estimate) string {
	return fmt.Sprintf("%s (%s to %s)", seconds(e.ValueSeconds), seconds(e.LowSeconds), seconds(e.HighSeconds))
}
