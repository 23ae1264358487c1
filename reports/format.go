package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/verdict"
)

// FormatSeconds is a duration for people, with the digits that count: "180 µs",
// "3.4 ms", "12 ms", "1.47 s", "74.5 s".
func FormatSeconds[T ~float64](t T) string {
	seconds := float64(t)
	switch abs := math.Abs(seconds); {
	case abs < 0.5e-6:
		return "0 ms"
	case abs < 0.9995e-3:
		return fmt.Sprintf("%.0f µs", seconds*1e6)
	case abs < 9.95e-3:
		return fmt.Sprintf("%.1f ms", seconds*1e3)
	case abs < 0.9995:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case abs < 9.995:
		return fmt.Sprintf("%.2f s", seconds)
	case abs < 99.95:
		return fmt.Sprintf("%.1f s", seconds)
	}
	return fmt.Sprintf("%.0f s", seconds)
}

// formatOptional is FormatSeconds, or "-" for nil.
func formatOptional[T ~float64](seconds *T) string {
	if seconds == nil {
		return "-"
	}
	return FormatSeconds(*seconds)
}

// formatLimits is one limiter: "50/100 (configz)".
func formatLimits(l clusters.Limits) string {
	limits := "no limiter"
	if l.KubeAPIQPS > 0 {
		limits = fmt.Sprintf("%g/%d", l.KubeAPIQPS, l.KubeAPIBurst)
	}
	if l.Source == "" {
		return limits
	}
	return limits + " (" + l.Source + ")"
}

// formatEffective lists the limiters in force, QPS/burst, with kubelets that
// agree as one: "kube-scheduler 50/100 (configz)", "3 kubelets 50/100 (configz)".
func formatEffective(effective clusters.Effective) []string {
	var lines []string
	kubelets := map[clusters.Limits]int{}
	var order []clusters.Limits
	names := make([]string, 0, len(effective))
	for name := range effective {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		limits := effective[name]
		if clusters.ParseInstance(name).Component == clusters.Kubelet {
			if kubelets[limits]++; kubelets[limits] == 1 {
				order = append(order, limits)
			}
			continue
		}
		lines = append(lines, Printable(name)+" "+Printable(formatLimits(limits)))
	}
	for _, limits := range order {
		who := "kubelet"
		if n := kubelets[limits]; n > 1 {
			who = fmt.Sprintf("%d kubelets", n)
		}
		lines = append(lines, who+" "+Printable(formatLimits(limits)))
	}
	return lines
}

// Printable replaces what would move the cursor, color the terminal, break a
// line or turn the direction of text: names come from clusters and files.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '�'
		}
		return r
	}, s)
}

// shorten cuts s after limit runes, with an ellipsis.
func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit-1]) + "…"
}

// verdictWord is a verdict as people read it: what is not pass stands out.
func verdictWord(v verdict.Verdict) string {
	if v == verdict.Pass || v == verdict.Improved {
		return string(v)
	}
	return strings.ToUpper(string(v))
}
