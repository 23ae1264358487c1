package html

import (
	"fmt"
	"math"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/humanize"
)

// secondsOf is a time in seconds, or "-" for nil.
func secondsOf[T ~float64](s *T) string {
	if s == nil {
		return "-"
	}
	return humanize.Seconds(*s)
}

func finite[T ~float64](x T) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// limitsText is a limiter: "50/100", QPS and burst.
func limitsText(l clusters.Limits) string {
	if l.KubeAPIQPS <= 0 || !finite(l.KubeAPIQPS) {
		return "no limiter"
	}
	return fmt.Sprintf("%g/%d", l.KubeAPIQPS, l.KubeAPIBurst)
}

// sourceText is where a phase's times were read: "audit", "audit + watch".
func sourceText(source string) string {
	return humanize.OrDash(strings.ReplaceAll(source, "+", " + "))
}
