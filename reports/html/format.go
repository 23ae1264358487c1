package html

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/reports"
)

// seconds is a duration for people, with the digits that count: "180 µs", "3.4 ms",
// "12 ms", "1.47 s", "74.5 s". The number and its unit never part.
func seconds(s float64) string {
	if !finite(s) {
		return "-"
	}
	return minus(strings.Replace(reports.FormatSeconds(s), " ", nbsp, 1))
}

const nbsp = "\u00a0"

// optional is seconds, or "-" for nil.
func optional(s *float64) string {
	if s == nil {
		return "-"
	}
	return seconds(*s)
}

// minus gives a negative number its typographic sign.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// maxText bounds a text from outside, in runes.
const maxText = 1000

// clean makes a text from outside one line of visible characters: names come
// from clusters and files, and what turns the direction of text or breaks lines
// has no place among them.
func clean(s string) string {
	return shorten(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case string(r) == nbsp:
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return '�'
		}
		return r
	}, s), maxText)
}

func cleanAll(all []string) []string {
	var list []string
	for _, s := range all {
		if len(list) == maxRows {
			return append(list, fmt.Sprintf("… and %d more, see report.json.", len(all)-maxRows))
		}
		list = append(list, clean(s))
	}
	return list
}

// shorten cuts s after limit runes, with an ellipsis.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit-1]) + "…"
}

// count is "1 burst" or "3 bursts".
func count(n int, what string) string {
	if n == 1 {
		return "1" + nbsp + what
	}
	return strconv.Itoa(n) + nbsp + what + "s"
}

// and joins words as a sentence does.
func and(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// limitsText is a limiter: "50/100", QPS and burst.
func limitsText(l clusters.Limits) string {
	if l.KubeAPIQPS <= 0 || !finite(l.KubeAPIQPS) {
		return "no limiter"
	}
	return fmt.Sprintf("%g/%d", l.KubeAPIQPS, l.KubeAPIBurst)
}

// sourceText is where a phase's times were read: "audit", "audit + watch".
func sourceText(source string) string {
	if source == "" {
		return "-"
	}
	return strings.ReplaceAll(clean(source), "+", " + ")
}
