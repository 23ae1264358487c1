package humanize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable replaces what would move the cursor, color a terminal, break a line
// or change the direction of text: names come from clusters and files.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '�'
		}
		return r
	}, s)
}

// Shorten cuts s to at most limit runes, the last one an ellipsis.
func Shorten(s string, limit int) string {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}

// UpperFirst makes the first letter of a sentence a capital, if it is ASCII.
func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// And joins words as a sentence does: "a", "a and b", "a, b and c".
func And(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// OrDash is s, or "-" if s is empty.
func OrDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
