package document

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// MaxMarkdownSize limits what Markdown writes, in bytes: GitHub accepts 1 MiB
// of summary per step.
const MaxMarkdownSize = 200_000

// Markdown writes the document for a pull request or a step summary. Texts are
// escaped, so that none can inject markup, links or mentions. What exceeds
// MaxMarkdownSize is cut off, with the note rest in its place ("see
// report.json").
func Markdown(out io.Writer, d *Document, rest string) error {
	m := &markdown{}
	title := d.Title
	if d.Verdict.Text != "" {
		title += ": " + d.Verdict.Text
	}
	m.line("## %s", escape(title))
	m.paragraph(d.Headline)
	m.paragraph(strings.Join(d.Origin, ", "))
	for i := range d.Sections {
		m.section(&d.Sections[i])
	}
	m.paragraph(strings.Join(d.Footer, " "))
	if _, err := out.Write(m.bounded(rest)); err != nil {
		return fmt.Errorf("write summary: %w", err)
	}
	return nil
}

type markdown struct{ bytes.Buffer }

func (m *markdown) line(format string, args ...any) {
	_, _ = fmt.Fprintf(m, format+"\n", args...) // a buffer never fails
}

func (m *markdown) paragraph(s string) {
	if s != "" {
		m.line("\n%s", escape(s))
	}
}

func (m *markdown) section(s *Section) {
	m.line("\n### %s", escape(s.Heading))
	for _, b := range s.Blocks {
		switch {
		case b.Heading != "":
			m.line("\n#### %s", escape(b.Heading))
		case b.Command != "":
			m.line("\n%s `%s`", escape(b.Text), strings.ReplaceAll(line(b.Command), "`", "'"))
		case b.Text != "":
			m.paragraph(b.Text)
		case b.Table != nil:
			m.table(b.Table)
		case b.Figure != nil:
			for _, t := range b.Figure.Data {
				m.table(t)
			}
		case b.Folded != nil:
			m.folded(b.Folded)
		default:
			m.list(b.List)
		}
	}
}

func (m *markdown) folded(f *Folded) {
	m.paragraph(f.Summary + ":")
	m.list(f.List)
	for _, t := range f.Tables {
		m.table(t)
	}
	if f.Source != "" {
		m.line("")
		for _, s := range lines(f.Source) {
			m.line("    %s", s)
		}
	}
}

func (m *markdown) list(items []string) {
	if len(items) > 0 {
		m.line("")
	}
	for _, item := range items {
		m.line("- %s", escape(item))
	}
}

func (m *markdown) table(t *Table) {
	m.paragraph(t.Caption)
	m.line("")
	t = t.narrow()
	head, rule := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		head[i], rule[i] = escape(c.Name), "---:"
		if c.Words {
			rule[i] = "---"
		}
	}
	m.row(head)
	m.row(rule)
	for _, cells := range t.Rows {
		row := make([]string, len(cells))
		for i, c := range cells {
			if row[i] = escape(c.Text); c.stands() {
				row[i] = "**" + row[i] + "**"
			}
		}
		m.row(row)
	}
	m.paragraph(t.Note)
}

func (m *markdown) row(cells []string) { m.line("| %s |", strings.Join(cells, " | ")) }

// bounded is the text, cut at the end of a line if it is too long.
func (m *markdown) bounded(rest string) []byte {
	note := "\n\n*The rest was left out: " + rest + ".*\n"
	text := m.Bytes()
	if len(text) <= MaxMarkdownSize {
		return text
	}
	text = text[:MaxMarkdownSize-len(note)]
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return append(text, note...)
}

// escape makes s plain text in Markdown: every punctuation mark that can begin
// markup gets a backslash, '<', '>' and '&' become entities, line breaks and
// control characters are replaced. An underscore within a word is not markup.
// An empty comment breaks up what GitHub would still turn into a mention or a
// link, because escaping does not prevent those.
func escape(s string) string {
	var out strings.Builder
	text := []rune(unlinked.Replace(line(s)))
	inWord := func(i int) bool {
		return i >= 0 && i < len(text) && (unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]))
	}
	for i, r := range text {
		switch {
		case r == '_' && inWord(i-1) && inWord(i+1):
			out.WriteRune(r)
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '&':
			out.WriteString("&amp;")
		case r == breakMark:
			out.WriteString("<!-- -->")
		case strings.ContainsRune("\\`*_[]#|~$", r):
			out.WriteByte('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// breakMark stands for an empty comment; line removes any from a text.
const breakMark = '\u2063'

var unlinked = strings.NewReplacer("@", "@\u2063", "://", ":\u2063//", "www.", "www\u2063.")
