package stats

import (
	"math"
	"time"

	"github.com/podburst/podburst/internal/humanize"
)

// Seconds is a duration as files hold it: a JSON number of seconds. All packages that judge
// use it, so their results are exactly what report.json holds.
type Seconds float64

// SecondsOf converts d to seconds.
func SecondsOf(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// Duration rounds s to the nearest nanosecond. What no Duration can hold becomes the
// longest or the shortest one.
func (s Seconds) Duration() time.Duration {
	switch ns := math.Round(float64(s) * float64(time.Second)); {
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case ns <= math.MinInt64:
		return math.MinInt64
	default:
		return time.Duration(ns)
	}
}

// String formats s for people: "3.4 ms", "1.47 s".
func (s Seconds) String() string { return humanize.Seconds(float64(s)) }
