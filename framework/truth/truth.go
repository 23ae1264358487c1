// Package truth compares the sources of a burst's marks with one another: how
// far the observer's watch lags behind the audit log, how wide the audit log's own
// uncertainty is, and how far the API's fields of whole seconds are off. It
// judges nothing; it says how far the numbers beside it can be trusted. It is a
// pure function of a timeline.
package truth

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Mark is one mark's sources compared, over the burst's pods. Summaries are in
// seconds, and nil where no pod has both sources.
type Mark struct {
	Mark timeline.Mark
	// Lag is the watch's stamp minus the audit log's of the same mark. A watch
	// may deliver a change before the request that made it is answered, which
	// is what the audit log stamps: small negative values are no error. The
	// clocks' offset is part of it.
	Lag *stats.Summary
	// Window is the audit log's uncertainty: the change was committed within so
	// long before the stamp (the time that the request took).
	Window *stats.Summary
	// Field is by how far the API's own field, of whole seconds, misses the
	// primary time: 0 where that is within the field's second.
	Field *stats.Summary
}

// Check compares the sources of every mark that has more than one. An error
// means that a duration is not finite, which no recording can bring about.
func Check(t *timeline.Timeline) ([]Mark, error) {
	var marks []Mark
	for _, m := range timeline.Marks() {
		if m == timeline.Submit {
			continue // pods share it
		}
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
		for into, samples := range map[**stats.Summary][]float64{&c.Lag: lag, &c.Window: window, &c.Field: field} {
			if len(samples) == 0 {
				continue
			}
			s, err := stats.Summarize(samples, 0)
			if err != nil {
				return nil, fmt.Errorf("compare sources of %s: %w", m, err)
			}
			*into = &s
		}
		if c.Lag != nil || c.Field != nil {
			marks = append(marks, c)
		}
	}
	return marks, nil
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

// beyond is how far t is outside of [field, field + its resolution); negative
// where t is before it.
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
