package document

import (
	"fmt"

	"github.com/podburst/podburst/internal/document/svg"
)

// Section is a part with a heading.
type Section struct {
	// ID is unique in the document; a page's table of contents links to it.
	ID      string
	Heading string
	Blocks  []Block
	// Conclusion means that a terminal writes the section last, where the reader
	// looks when the output ends.
	Conclusion bool
}

// Block is a piece of a section; one of its fields is set, or Text with Command.
type Block struct {
	Heading string
	// Text is a paragraph; Command, at its end, is what to type.
	Text    string
	Command string
	List    []string
	Table   *Table
	Figure  *Figure
	Folded  *Folded
}

// Folded is what a page shows on demand; the other renderings show it below its
// summary. Source is text in the language of a file; its lines and indentation
// are kept.
type Folded struct {
	Summary string
	List    []string
	Tables  []*Table
	Source  string
}

// Figure is one or more panels and what they mean.
type Figure struct {
	// ID is unique in the document; the ids of panels begin with it.
	ID string
	// Number is set by Page.
	Number int
	// Layout is "solo" (one panel beside its caption), "panels" or "panels wide"
	// (small multiples above it).
	Layout string
	Panels []*svg.Panel
	Legend []svg.Key
	// Name is the figure's name, a sentence. Caption says what is drawn: axes,
	// units, n, definitions. Data are its numbers, in at least one table.
	Name    string
	Caption []string
	Data    []*Table
}

// Panel adds a panel. Title and desc are for readers who cannot see it.
func (f *Figure) Panel(width, height float64, title, desc string) *svg.Panel {
	p := &svg.Panel{ID: fmt.Sprintf("%s-%d", f.ID, len(f.Panels)+1), Title: title, Desc: desc, Width: width, Height: height}
	f.Panels = append(f.Panels, p)
	return p
}

// Subheading adds a heading within the section.
func (s *Section) Subheading(text string) { s.Blocks = append(s.Blocks, Block{Heading: text}) }

// Text adds a paragraph.
func (s *Section) Text(format string, args ...any) { s.Command("", format, args...) }

// Command adds a paragraph that ends with a command to type.
func (s *Section) Command(command, format string, args ...any) {
	s.Blocks = append(s.Blocks, Block{Text: fmt.Sprintf(format, args...), Command: command})
}

// List adds a list, if it has items.
func (s *Section) List(items []string) {
	if len(items) > 0 {
		s.Blocks = append(s.Blocks, Block{List: items})
	}
}

// Table adds a table, if it has rows.
func (s *Section) Table(t *Table) {
	if len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, Block{Table: t})
	}
}

// Figure adds a figure, if it has panels.
func (s *Section) Figure(f *Figure) {
	if len(f.Panels) > 0 {
		s.Blocks = append(s.Blocks, Block{Figure: f})
	}
}

// Fold adds the tables that have rows, to be opened on demand.
func (s *Section) Fold(summary string, tables ...*Table) {
	f := &Folded{Summary: summary}
	for _, t := range tables {
		if len(t.Rows) > 0 {
			f.Tables = append(f.Tables, t)
		}
	}
	if len(f.Tables) > 0 {
		s.Blocks = append(s.Blocks, Block{Folded: f})
	}
}
