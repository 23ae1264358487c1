// Package truth compares the sources of a burst's marks with one another: how far the
// observer's watch lags behind the audit log, how uncertain the audit log itself is, and
// how far the API's whole-second fields are off. It judges nothing; it says how far the
// burst's numbers can be trusted. It is a pure function of a recording.
package truth

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Truth is how far the times of a burst can be trusted.
type Truth struct {
	// ClockOffset is how far the API server's clock is ahead of the observer's; null where
	// that was not measured.
	ClockOffset *recording.ClockOffset `json:"clockOffset"`
	// Marks are the marks that more than one source has.
	Marks []Mark `json:"marks"`
	// Load is how busy the observer's machine was; null where that was not read.
	Load *Load `json:"load"`
}

// Mark is one mark as its sources saw it, in seconds over the pods of the burst.
type Mark struct {
	// Mark is the name of the mark.
	Mark timeline.Mark `json:"mark"`
	// WatchLag is the watch's time of the mark minus the audit log's; null where no pod
	// has both. The watch may deliver a change before the request that made it is
	// answered, which is when the audit log stamps it, so small negative values are
	// normal. The offset of the clocks is part of it.
	WatchLag *stats.Summary `json:"watchLagSeconds"`
	// AuditWindow is how long the audited requests took: the change was committed within
	// that time before its stamp. Null without an audit log.
	AuditWindow *stats.Summary `json:"auditWindowSeconds"`
	// FieldError is how far the API's own field, which has whole seconds, is from the
	// mark's time; 0 where the mark is within the field's second, null where no pod has
	// both. A kubelet may write a time (started) long after it.
	FieldError *stats.Summary `json:"fieldErrorSeconds"`
}

// Load is how busy the machine was on which podburst ran.
type Load struct {
	// Before is the load average over one minute, right before the burst.
	Before float64 `json:"oneMinuteBefore"`
	// After is the load average over one minute, right after the burst.
	After float64 `json:"oneMinuteAfter"`
	// StolenShare is the share of CPU time that other guests of the host took during the
	// burst, from 0 to 1; null where that is not known.
	StolenShare *float64 `json:"stolenShare"`
}

// Check compares the sources of every mark that has more than one, and adds what the
// recording says about the clock and the machine. An error means that a duration is not
// finite, which no recording can cause.
func Check(b *recording.Burst, t *timeline.Timeline) (Truth, error) {
	truth := Truth{ClockOffset: b.ClockOffset, Marks: []Mark{}}
	for _, m := range timeline.Marks() {
		if m == timeline.Submit {
			continue // all pods share it
		}
		c, err := compare(t, m)
		if err != nil {
			return Truth{}, fmt.Errorf("compare sources of %s: %w", m, err)
		}
		if c.WatchLag != nil || c.FieldError != nil {
			truth.Marks = append(truth.Marks, c)
		}
	}
	if l := b.Load; l != nil {
		truth.Load = &Load{Before: l.Before.OneMinute, After: l.After.OneMinute}
		if share, ok := l.Stolen(); ok {
			truth.Load.StolenShare = &share
		}
	}
	return truth, nil
}

func compare(t *timeline.Timeline, m timeline.Mark) (Mark, error) {
	var lag, window, field []float64
	for i := range t.Pods {
		p := &t.Pods[i]
		if p.Replacement {
			continue
		}
		audit, watch, api := readings(p.Marks[m])
		if audit != nil {
			window = append(window, audit.Since.Seconds())
		}
		if audit != nil && watch != nil {
			lag = append(lag, watch.At.Sub(audit.At).Seconds())
		}
		if primary, ok := p.Primary(m); ok && api != nil {
			field = append(field, beyond(primary.At, *api).Seconds())
		}
	}
	c := Mark{Mark: m}
	for into, samples := range map[**stats.Summary][]float64{&c.WatchLag: lag, &c.AuditWindow: window, &c.FieldError: field} {
		if len(samples) == 0 {
			continue
		}
		s, err := stats.Summarize(samples, 0)
		if err != nil {
			return Mark{}, err
		}
		*into = &s
	}
	return c, nil
}

func readings(stamps []timeline.Stamp) (audit, watch, api *timeline.Stamp) {
	for i := range stamps {
		switch s := &stamps[i]; s.Source {
		case timeline.Audit:
			audit = s
		case timeline.Watch:
			watch = s
		case timeline.API:
			api = s
		case timeline.ComponentLog:
		}
	}
	return audit, watch, api
}

// beyond is how far t is outside [field, field + its resolution); it is negative if t is
// before that range.
func beyond(t time.Time, field timeline.Stamp) time.Duration {
	end := field.At.Add(field.Resolution)
	switch {
	case t.Before(field.At):
		return t.Sub(field.At)
	case !t.Before(end):
		return t.Sub(end)
	}
	return 0
}
