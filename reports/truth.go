package reports

import (
	"fmt"
	"math"
	"strings"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
)

// truthLine summarizes the truth checks of the profile's valid bursts for people; it is ""
// if there is nothing to compare.
func truthLine(r *Report, profile string) string {
	var lag, worst, window, field float64
	lags, fields, loads := 0, 0, 0
	idlest, busiest, stolen := math.Inf(1), 0.0, 0.0
	var lagMark, fieldMark timeline.Mark
	low, high := math.Inf(-1), math.Inf(1)
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Profile != profile || b.Warmup || !b.Valid {
			continue
		}
		if o := b.Truth.ClockOffset; o != nil {
			low, high = max(low, o.LowSeconds), min(high, o.HighSeconds)
		}
		if l := b.Truth.Load; l != nil {
			loads++
			idlest, busiest = min(idlest, l.Before, l.After), max(busiest, l.Before, l.After)
			if l.StolenShare != nil {
				stolen = max(stolen, *l.StolenShare)
			}
		}
		for _, m := range b.Truth.Marks {
			if m.WatchLag != nil {
				lags++
				if m.WatchLag.P99 > lag {
					lag, lagMark = m.WatchLag.P99, m.Mark
				}
				worst = max(worst, m.WatchLag.Max)
			}
			if m.AuditWindow != nil {
				window = max(window, m.AuditWindow.P99)
			}
			if m.FieldError != nil {
				fields++
				if e := max(m.FieldError.Max, -m.FieldError.Min); e > field {
					field, fieldMark = e, m.Mark
				}
			}
		}
	}
	var parts []string
	if lags > 0 {
		parts = append(parts, fmt.Sprintf("watch behind audit log p99 at most %s (%s), max %s", humanize.Seconds(lag), lagMark, humanize.Seconds(worst)),
			fmt.Sprintf("audit stamps exact to p99 %s", humanize.Seconds(window)))
	}
	switch {
	case fields > 0 && field == 0:
		parts = append(parts, "API fields of whole seconds agree")
	case fields > 0:
		parts = append(parts, fmt.Sprintf("API fields of whole seconds differ by up to %s (%s)", humanize.Seconds(field), fieldMark))
	}
	switch {
	case low > high: // the bursts' bounds do not overlap: the clock drifted between them
		parts = append(parts, "the clocks' offset changed between bursts")
	case !math.IsInf(low, 0):
		parts = append(parts, fmt.Sprintf("API server's clock ahead by %s to %s", humanize.Seconds(low), humanize.Seconds(high)))
	}
	if loads > 0 {
		parts = append(parts, fmt.Sprintf("machine's load %.1f to %.1f, at most %.1f %% of its time stolen", idlest, busiest, 100*stolen))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Truth check: " + strings.Join(parts, "; ") + "."
}
