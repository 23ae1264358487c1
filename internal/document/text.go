package document

import (
	"strings"

	"github.com/podburst/podburst/internal/humanize"
)

// maxText bounds a text, in runes; longer ones are cut.
const maxText = 1000

// line makes a text one line of visible characters: names come from clusters and files,
// and what turns the direction of text or breaks lines has no place among them.
func line(s string) string {
	return humanize.Printable(humanize.Shorten(breaks.Replace(s), maxText))
}

var breaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ", "\u00a0", " ")

// lines is line for text of several lines.
func lines(s string) []string {
	all := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, text := range all {
		all[i] = line(text)
	}
	return all
}
