// Package document is a report before it is rendered: sections of sentences, lists,
// tables and figures, described once. Terminal, Markdown and Page render the same
// document; a terminal and Markdown leave out the columns that only a wide rendering
// has room for, and give a figure's numbers in place of the figure.
//
// A document holds text as it came. Each renderer makes it safe: one line of visible
// characters, escaped for what it is written into. The package knows nothing of what
// is measured.
package document

// Document is a whole report.
type Document struct {
	// Title says what it is of, Verdict what it amounts to (its Text may be empty),
	// and Headline, a sentence, what that means here.
	Title    string
	Verdict  Cell
	Headline string
	// Origin are details of where it comes from.
	Origin   []string
	Sections []Section
	// Footer are sentences with the definitions that all of it rests on.
	Footer []string
}

// Add adds those sections that have blocks.
func (d *Document) Add(sections ...Section) {
	for _, s := range sections {
		if len(s.Blocks) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
}
