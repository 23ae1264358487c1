package station

import (
	"time"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// watched is how long the observer's watch was behind the audit log, of the pods of which
// that took longest: from the write of phase Running until the watch showed it. The two
// clocks differ by no more than was measured around the burst.
func (s *scene) watched() interval {
	if s.observed() != nil {
		return interval{}
	}
	ahead := interval{}
	if o := s.burst.ClockOffset; o != nil {
		ahead = interval{stats.Seconds(o.LowSeconds).Duration(), stats.Seconds(o.HighSeconds).Duration()}
	}
	var sum time.Duration
	n := 0
	for _, i := range s.longest(phaseOf(at(ObserverWatch))) {
		c := &s.courses[i]
		run, okRun := c.pod.Primary(timeline.Run)
		seen, okSeen := c.mark(timeline.Observed)
		if okRun && okSeen && run.Source == timeline.Audit {
			sum += seen.Sub(run.At)
			n++
		}
	}
	if n == 0 {
		return interval{}
	}
	behind := sum / time.Duration(n)
	high := max(0, behind+ahead.high)
	return interval{min(high, max(0, behind+ahead.low)), high}
}
