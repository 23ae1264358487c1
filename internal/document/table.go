package document

import (
	"fmt"
	"strings"

	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
)

// Table is a table whose first column names its rows.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]Cell
	// Note is a sentence below it.
	Note string
	// Most is how many rows a page shows; 0 means MaxRows. Terminal and Markdown show all.
	Most int
}

// Column is a table's column, of numbers unless Words is set. Only a wide
// rendering (a page) shows a Wide column.
type Column struct {
	Name  string
	Words bool
	Wide  bool
}

// Cell is a table's cell, or a verdict's word.
type Cell struct {
	Text    string
	Verdict Class
	// Key is the line that figures use for what the cell names.
	Key *svg.Key
}

// Class is how a verdict's word is highlighted.
type Class string

// The classes; other cells have none.
const (
	Good Class = "good"
	Bad  Class = "bad"
	// Open is for what is undecided.
	Open Class = "open"
)

// stands reports whether the word should be highlighted because it is not good.
func (c Cell) stands() bool { return c.Verdict == Bad || c.Verdict == Open }

// NewTable begins a table. A column holds numbers, or words if its name begins
// with a space; it is wide if its name begins with a plus: "p50", " verdict",
// "+min", "+ profile". The first column holds words.
func NewTable(caption string, columns ...string) *Table {
	t := &Table{Caption: caption}
	for i, name := range columns {
		name, wide := strings.CutPrefix(name, "+")
		name, words := strings.CutPrefix(name, " ")
		t.Columns = append(t.Columns, Column{Name: name, Words: words || i == 0, Wide: wide})
	}
	return t
}

// Row adds a row. Values are printed as they are, with these exceptions: a
// Cell; a float64 or *float64, which is a time in seconds ("-" for nil); and a
// []string, which becomes one cell per string.
func (t *Table) Row(values ...any) {
	row := make([]Cell, 0, len(t.Columns))
	for _, value := range values {
		switch value := value.(type) {
		case Cell:
			row = append(row, value)
		case *float64:
			text := "-"
			if value != nil {
				text = humanize.Seconds(*value)
			}
			row = append(row, Cell{Text: text})
		case float64:
			row = append(row, Cell{Text: humanize.Seconds(value)})
		case []string:
			for _, text := range value {
				row = append(row, Cell{Text: text})
			}
		default:
			text := fmt.Sprint(value)
			if text == "<nil>" { // a nil pointer: the time is not known
				text = "-"
			}
			row = append(row, Cell{Text: text})
		}
	}
	t.Rows = append(t.Rows, row)
}

// narrow is the table without its wide columns.
func (t *Table) narrow() *Table {
	n := &Table{Caption: t.Caption, Note: t.Note}
	for _, c := range t.Columns {
		if !c.Wide {
			n.Columns = append(n.Columns, c)
		}
	}
	for _, row := range t.Rows {
		var cells []Cell
		for i, c := range row {
			if !t.Columns[i].Wide {
				cells = append(cells, c)
			}
		}
		n.Rows = append(n.Rows, cells)
	}
	if len(n.Columns) > 0 {
		n.Columns[0].Words = true
	}
	return n
}
