package html

import (
	"fmt"
	"math"
	"strconv"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// truth shows how far the times can be trusted, and who else measured them.
func (v *view) truth() document.Section {
	s := document.Section{ID: "truth", Heading: "How far to trust the times"}
	t := document.NewTable("Truth check by burst", "profile", "burst", "watch behind audit log, p99", "at most", "audit stamp exact to, p99", "whole-second fields off by", "API server's clock ahead by", "load before", "load after", "stolen", "observer's CPU", "late pods")
	for i := range v.Bursts {
		if b := &v.Bursts[i]; !b.Warmup {
			t.Row(truthRow(b)...)
		}
	}
	if len(t.Rows) == 0 {
		return s
	}
	s.Table(t)
	s.Text("Each mark with two sources is read from both. A watch that stays milliseconds behind the audit log, clocks that agree and a machine that was not busy with something else are what the numbers above rest on.")
	opinions := document.NewTable("What components measured themselves, in each profile's median burst", "metric", " profile", " what it measures", "n", "mean", "p50 (bucket)", "p99 (bucket)")
	for _, p := range v.profiles {
		if p.median < 0 {
			continue
		}
		for _, o := range v.Bursts[p.median].SecondOpinions {
			opinions.Row(o.Metric, p.name, o.Meaning, o.Count, o.MeanSeconds, estimate(o.P50), estimate(o.P99))
		}
	}
	if len(opinions.Rows) > 0 {
		s.Fold("Second opinions: what the components measured themselves", opinions)
	}
	for i := range v.Bursts {
		if reason := v.Bursts[i].AuditUnavailable; reason != "" {
			s.Text("There are no times from the audit log: %s. Phases rest on the watch alone.", reason)
			break
		}
	}
	return s
}

// truthRow shows the worst mark of each comparison.
func truthRow(b *reports.Burst) []any {
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
		offset = humanize.Seconds(o.LowSeconds) + " to " + humanize.Seconds(o.HighSeconds)
	}
	if l := b.Truth.Load; l != nil && finite(l.Before) && finite(l.After) {
		before, after = strconv.FormatFloat(l.Before, 'f', 1, 64), strconv.FormatFloat(l.After, 'f', 1, 64)
		if l.StolenShare != nil {
			stolen = humanize.Percent(*l.StolenShare)
		}
	}
	return []any{b.Profile, b.Index, lag, worst, window, field, offset, before, after, stolen, b.Watch.CPUSeconds, b.Watch.Late}
}

// estimate formats a quantile from a histogram, with the bounds of its bucket.
func estimate(e station.Estimate) string {
	return fmt.Sprintf("%s (%s to %s)", humanize.Seconds(e.ValueSeconds), humanize.Seconds(e.LowSeconds), humanize.Seconds(e.HighSeconds))
}
