package html

import (
	"math"

	"github.com/podburst/podburst/internal/humanize"
)

// secondsOf formats a time in seconds, or "-" for nil.
func secondsOf[T ~float64](s *T) string {
	if s == nil {
		return "-"
	}
	return humanize.Seconds(*s)
}

func finite[T ~float64](x T) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

func known[T ~float64](x *T) (float64, bool) {
	if x == nil || !finite(*x) {
		return 0, false
	}
	return float64(*x), true
}
