package document

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/podburst/podburst/internal/humanize"
)

// terminalWidth is what a terminal and a CI log show without wrapping, in columns;
// gap is what is left between a table's columns.
const (
	terminalWidth = 100
	gap           = 2
)

// Terminal writes the document for a terminal: at most 100 columns, no color,
// no control characters, whatever names contain.
func Terminal(out io.Writer, d *Document) error {
	w := &terminal{Writer: bufio.NewWriter(out), fresh: true}
	title := d.Title
	if d.Verdict.Text != "" {
		title += ": " + d.Verdict.Text
	}
	w.text("", title)
	w.text("", d.Headline)
	w.text("", strings.Join(d.Origin, ", "))
	w.sections(d, false)
	if len(d.Footer) > 0 {
		w.blank()
	}
	for _, s := range d.Footer {
		w.text("", s)
	}
	w.sections(d, true)
	return w.Flush()
}

// terminal writes lines; bufio keeps the first error for Flush. fresh means
// that the next line needs no blank line before it.
type terminal struct {
	*bufio.Writer
	fresh bool
}

func (w *terminal) line(s string) {
	_, _ = fmt.Fprintln(w, strings.TrimRight(s, " "))
	w.fresh = false
}

// blank leaves a blank line, except below a heading.
func (w *terminal) blank() {
	if !w.fresh {
		w.line("")
	}
}

// text wraps a paragraph to the width and indents its further lines.
func (w *terminal) text(bullet, paragraph string) {
	const indent = "    "
	if paragraph == "" {
		return
	}
	wrapped := text.WrapSoft(bullet+line(paragraph), terminalWidth-len(indent))
	for i, s := range strings.Split(wrapped, "\n") {
		if i > 0 {
			s = indent + s
		}
		w.line(s)
	}
}

func (w *terminal) heading(s string) {
	if s == "" {
		return
	}
	w.blank()
	w.text("", s)
	w.fresh = true
}

// sections writes the sections that are conclusions, or those that are not.
func (w *terminal) sections(d *Document, conclusions bool) {
	for i := range d.Sections {
		if s := &d.Sections[i]; s.Conclusion == conclusions {
			w.section(s)
		}
	}
}

func (w *terminal) section(s *Section) {
	w.heading(s.Heading)
	for _, b := range s.Blocks {
		switch {
		case b.Heading != "":
			w.heading(b.Heading)
		case b.Text != "":
			w.text("", strings.TrimSpace(b.Text+" "+b.Command))
		case b.Table != nil:
			w.table(b.Table)
		case b.Figure != nil:
			for _, t := range b.Figure.Data {
				w.table(t)
			}
		case b.Folded != nil:
			w.folded(b.Folded)
		default:
			w.list(b.List)
		}
	}
}

func (w *terminal) folded(f *Folded) {
	w.heading(f.Summary + ":")
	w.list(f.List)
	for _, t := range f.Tables {
		w.table(t)
	}
	if f.Source != "" {
		for _, s := range lines(f.Source) {
			w.line("    " + text.Snip(s, terminalWidth-4, "…"))
		}
	}
}

func (w *terminal) list(items []string) {
	if len(items) > 0 {
		w.blank()
	}
	for _, item := range items {
		w.text("- ", item)
	}
}

func (w *terminal) table(t *Table) {
	w.blank()
	w.text("", t.Caption)
	t = t.narrow()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", strings.Repeat(" ", gap)
	style.Format.Header = text.FormatDefault
	p := table.NewWriter()
	p.SetStyle(style)
	var columns []table.ColumnConfig
	for i, c := range t.Columns {
		if !c.Words {
			columns = append(columns, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	p.SetColumnConfigs(columns)
	for i, row := range fitted(t) {
		if i == 0 {
			p.AppendHeader(row)
			continue
		}
		p.AppendRow(row)
	}
	for s := range strings.SplitSeq(p.Render(), "\n") {
		w.line(s)
	}
	w.text("", t.Note)
}

// fitted are the table's rows, header first, cut to a terminal's width: the
// widest column is shortened.
func fitted(t *Table) []table.Row {
	head := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		head[i].Text = c.Name
	}
	widths, total := make([]int, len(t.Columns)), gap*len(t.Columns)
	rows := make([]table.Row, 0, 1+len(t.Rows))
	for _, cells := range append([][]Cell{head}, t.Rows...) {
		row := make(table.Row, len(cells))
		for i, c := range cells {
			s := humanize.Shorten(line(c.Text), terminalWidth)
			row[i], widths[i] = s, max(widths[i], text.StringWidth(s))
		}
		rows = append(rows, row)
	}
	for _, n := range widths {
		total += n
	}
	for ; total > terminalWidth && slices.Max(widths) > 1; total-- {
		widths[slices.Index(widths, slices.Max(widths))]--
	}
	for _, row := range rows {
		for i := range row {
			row[i] = text.Snip(row[i].(string), widths[i], "…")
		}
	}
	return rows
}
