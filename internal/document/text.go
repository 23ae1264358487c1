package document

import (
	"strings"

	"github.com/podburst/podburst/internal/humanize"
)

// maxText limits a text, in runes; longer ones are cut.
const maxText = 1000

// line makes a text one line of visible characters. Names come from clusters
// and files, and must not break lines or change the direction of text.
func line(s string) string {
	return humanize.Printable(humanize.Shorten(breaks.Replace(s), maxText))
}

var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\u00a0", " ")

// lines is like line, for text of several lines.
func lines(s string) []string {
	all := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, text := range all {
		all[i] = line(text)
	}
	return all
}
