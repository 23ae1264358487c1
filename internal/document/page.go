package document

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the template and the style are files
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page.gohtml
var pageTemplate string

//go:embed style.css
var style string

// MaxRows is how many rows of a table, or items of a list, a page shows, so
// that it stays small with many bursts or pods.
const MaxRows = 200

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"line":   line,
	"lines":  func(s string) string { return strings.Join(lines(s), "\n") },
	"items":  items,
	"rows":   func(t *Table) [][]Cell { return t.Rows[:min(len(t.Rows), t.most())] },
	"left":   func(t *Table) int { return max(0, len(t.Rows)-t.most()) },
	"long":   func(s string) bool { return len(s) > longText },
	"number": number,
}).Parse(pageTemplate))

// longText is the length, in bytes, from which a cell's words may wrap.
const longText = 34

func (t *Table) most() int {
	if t.Most > 0 {
		return t.Most
	}
	return MaxRows
}

// items are the items of a list that a page shows.
func items(all []string) []string {
	if len(all) <= MaxRows {
		return all
	}
	return append(all[:MaxRows:MaxRows], fmt.Sprintf("… and %d more, see report.json.", len(all)-MaxRows))
}

// number gives a negative number a typographic minus sign.
func number(s string) string {
	if len(s) > 1 && s[0] == '-' {
		return "−" + s[1:]
	}
	return s
}

// Page writes the document as an HTML page: one file that has no script, loads
// nothing, and can be mailed or printed without a network. Its figures are SVG
// with a title, a description for screen readers and a table of their numbers.
// All text passes through html/template's escaping.
//
// Colors are those of Okabe and Ito's palette (https://jfly.uni-koeln.de/color/),
// darkened where white paper needs it.
func Page(out io.Writer, d *Document) error {
	figures := 0
	for i := range d.Sections {
		for _, b := range d.Sections[i].Blocks {
			if b.Figure != nil {
				figures++
				b.Figure.Number = figures
			}
		}
	}
	buffered := bufio.NewWriter(out)
	err := page.Execute(buffered, struct {
		*Document
		Policy string
		Style  template.CSS
	}{d, policy(), template.CSS(style)})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// policy lets the page use its own style sheet, by its hash, and nothing else:
// no script, no request, no form, even if a hostile name had injected one.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'none'; base-uri 'none'; form-action 'none'"
}
