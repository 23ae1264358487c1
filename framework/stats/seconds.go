package stats

import (
	"math"
	"time"

	"github.com/podburst/podburst/internal/humanize"
)

// Seconds is a length of time as files hold it: a JSON number of seconds. Everything
// that judges gives its times in it, so that results are what report.json holds.
type Seconds float64

// SecondsOf is d in seconds.
func SecondsOf(d time.Duration) Seconds { return Seconds(d.Seconds()) }

// Duration is s to the nearest nanosecond; what no Duration can hold becomes the
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

// String is s for people: "3.4 ms", "1.47 s".
func (s Seconds) String() string { return humanize.Seconds(float64(s)) }
