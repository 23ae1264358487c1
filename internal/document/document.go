// Package document is a report before it is rendered: sections of sentences,
// lists, tables and figures, described once. Terminal, Markdown and Page render
// the same document. Terminal and Markdown leave out the columns that need a
// wide rendering, and show a figure's numbers instead of the figure.
//
// A document holds text as received. Each renderer makes it safe: one line of
// visible characters, escaped for the output format. The package knows nothing
// about what is measured.
package document

// Document is a whole report.
type Document struct {
	// Title says what the report is about, Verdict what it amounts to (its Text
	// may be empty), and Headline, a sentence, what that means here.
	Title    string
	Verdict  Cell
	Headline string
	// Origin has details of where it comes from.
	Origin   []string
	Sections []Section
	// Footer has sentences with the definitions that the whole report relies on.
	Footer []string
}

// Add adds the sections that have blocks.
func (d *Document) Add(sections ...Section) {
	for _, s := range sections {
		if len(s.Blocks) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
}
