package html

import "fmt"

// section is a part of the page with a heading and an entry in its contents.
type section struct {
	ID      string
	Heading string
	Blocks  []block
}

// block is a piece of a section; one of its fields is set.
type block struct {
	Heading string
	// Text is a paragraph, Command what to type, at its end.
	Text    string
	Command string
	List    []string
	Table   *table
	Figure  *figure
	Folded  *folded
}

// folded is what a reader opens on demand. Source is text in the language of a
// file, shown as it is.
type folded struct {
	Summary string
	List    []string
	Tables  []*table
	Source  string
}

func (s *section) heading(text string) { s.Blocks = append(s.Blocks, block{Heading: text}) }

func (s *section) text(format string, args ...any) {
	s.Blocks = append(s.Blocks, block{Text: fmt.Sprintf(format, args...)})
}

func (s *section) command(text, command string) {
	s.Blocks = append(s.Blocks, block{Text: text, Command: command})
}

func (s *section) list(items []string) {
	if len(items) > 0 {
		s.Blocks = append(s.Blocks, block{List: items})
	}
}

func (s *section) table(t *table) { s.Blocks = append(s.Blocks, block{Table: t}) }

func (s *section) figure(f *figure) { s.Blocks = append(s.Blocks, block{Figure: f}) }

func (s *section) fold(summary string, tables ...*table) {
	s.Blocks = append(s.Blocks, block{Folded: &folded{Summary: summary, Tables: tables}})
}

// maxRows bounds a table, so that a page of many bursts or pods stays small.
const maxRows = 200

// table is a table whose first column names its rows.
type table struct {
	Caption string
	Head    []cell
	Rows    [][]cell
	// left counts the rows beyond maxRows, which are not shown.
	left int
}

// newTable begins a table. A column's cells are numbers unless the column's
// name begins with a space.
func newTable(caption string, columns ...string) *table {
	t := &table{Caption: caption}
	for i, name := range columns {
		words := name != "" && name[0] == ' '
		if words {
			name = name[1:]
		}
		t.Head = append(t.Head, cell{Text: name, Words: words || i == 0})
	}
	return t
}

// row adds a row, if there is room for it.
func (t *table) row(cells ...cell) {
	if len(t.Rows) == maxRows {
		t.left++
		return
	}
	for i := range cells {
		cells[i].Words = t.Head[i].Words
		cells[i].Long = cells[i].Words && len(cells[i].Text) > longText
	}
	t.Rows = append(t.Rows, cells)
}

// Note says what the table leaves out.
func (t *table) Note() string {
	if t.left == 0 {
		return ""
	}
	return fmt.Sprintf("%d more rows are left out; report.json has them all.", t.left)
}

// longText is from which length, in bytes, a cell's words may be broken into lines.
const longText = 34

// cell is a table's cell, of words or of a number.
type cell struct {
	Text  string
	Words bool
	// Long words may be broken into lines.
	Long bool
	// Key is the line with which figures draw the profile that the cell names.
	Key *key
	// Verdict is the class of a verdict's word; empty for other cells.
	Verdict string
}

// plain makes cells of values that are printed as they are.
func plain(values ...any) []cell {
	cells := make([]cell, len(values))
	for i, value := range values {
		switch value := value.(type) {
		case cell:
			cells[i] = value
		case string:
			cells[i].Text = clean(value)
		case *float64:
			cells[i].Text = optional(value)
		case float64:
			cells[i].Text = seconds(value)
		default:
			cells[i].Text = fmt.Sprint(value)
		}
	}
	return cells
}
