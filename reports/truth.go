package reports

import (
	"fmt"
	"math"
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/truth"
)

// Truth says how far a burst's times can be trusted.
type Truth struct {
	// ClockOffset bounds by how much the API server's clock is ahead of the
	// observer's; null where it was not measured.
	ClockOffset *recording.ClockOffset `json:"clockOffset"`
	// Marks are those with more than one source.
	Marks []TruthMark `json:"marks"`
	// Load is how busy the observer's machine was; null where it was not read.
	Load *Load `json:"load"`
}

// Load is the machine's load average over one minute before and after a burst,
// and the share of its CPU time that other guests of the host took meanwhile
// (null where that is not known).
type Load struct {
	Before      float64  `json:"oneMinuteBefore"`
	After       float64  `json:"oneMinuteAfter"`
	StolenShare *float64 `json:"stolenShare"`
}

// TruthMark is one mark's sources compared; see truth.Mark. A null is a
// comparison that the recording does not allow.
type TruthMark struct {
	Mark timeline.Mark `json:"mark"`
	// WatchLag is the watch's stamp minus the audit log's, AuditWindow how long
	// before its stamp the change may have been committed, and FieldError by how
	// far the API's field of whole seconds is off: what a kubelet dates itself
	// (started) may be long before it is written. All in seconds.
	WatchLag    *stats.Summary `json:"watchLagSeconds"`
	AuditWindow *stats.Summary `json:"auditWindowSeconds"`
	FieldError  *stats.Summary `json:"fieldErrorSeconds"`
}

// Opinion is what a component measured itself; see station.Opinion.
type Opinion struct {
	Metric    string   `json:"metric"`
	Meaning   string   `json:"meaning"`
	Instances []string `json:"instances"`
	Count     int      `json:"count"`
	// MeanSeconds is exact; the quantiles are estimates from the histogram's buckets.
	MeanSeconds float64  `json:"meanSeconds"`
	P50         Estimate `json:"p50Estimate"`
	P99         Estimate `json:"p99Estimate"`
}

// Estimate is a quantile that lies between LowSeconds and HighSeconds, the bounds
// of a histogram's bucket.
type Estimate struct {
	ValueSeconds float64 `json:"valueSeconds"`
	LowSeconds   float64 `json:"lowSeconds"`
	HighSeconds  float64 `json:"highSeconds"`
}

func truthOf(b *recording.Burst, t *timeline.Timeline) (Truth, error) {
	marks, err := truth.Check(t)
	if err != nil {
		return Truth{}, err
	}
	r := Truth{ClockOffset: b.ClockOffset, Marks: []TruthMark{}}
	for _, m := range marks {
		r.Marks = append(r.Marks, TruthMark{Mark: m.Mark, WatchLag: m.Lag, AuditWindow: m.Window, FieldError: m.Field})
	}
	if l := b.Load; l != nil {
		r.Load = &Load{Before: l.Before.OneMinute, After: l.After.OneMinute}
		if share, ok := l.Stolen(); ok {
			r.Load.StolenShare = &share
		}
	}
	return r, nil
}

func opinions(b *recording.Burst) []Opinion {
	all := []Opinion{}
	for _, o := range station.Opinions(*b) {
		all = append(all, Opinion{
			Metric: o.Metric, Meaning: o.Meaning, Instances: notNil(o.Instances), Count: o.Count, MeanSeconds: o.Mean,
			P50: Estimate{o.P50.Value, o.P50.Low, o.P50.High}, P99: Estimate{o.P99.Value, o.P99.Low, o.P99.High},
		})
	}
	return all
}

// truthLine sums up the truth checks of the profile's valid bursts for people;
// "" where there is nothing to compare.
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
		parts = append(parts, fmt.Sprintf("watch behind audit log p99 at most %s (%s), max %s", FormatSeconds(lag), lagMark, FormatSeconds(worst)),
			fmt.Sprintf("audit stamps exact to p99 %s", FormatSeconds(window)))
	}
	switch {
	case fields > 0 && field == 0:
		parts = append(parts, "API fields of whole seconds agree")
	case fields > 0:
		parts = append(parts, fmt.Sprintf("API fields of whole seconds differ by up to %s (%s)", FormatSeconds(field), fieldMark))
	}
	switch {
	case low > high: // the bursts' bounds do not meet: the clock drifted between them
		parts = append(parts, "the clocks' offset changed between bursts")
	case !math.IsInf(low, 0):
		parts = append(parts, fmt.Sprintf("API server's clock ahead by %s to %s", FormatSeconds(low), FormatSeconds(high)))
	}
	if loads > 0 {
		parts = append(parts, fmt.Sprintf("machine's load %.1f to %.1f, at most %.1f %% of its time stolen", idlest, busiest, 100*stolen))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Truth check: " + strings.Join(parts, "; ") + "."
}
