package document

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

const hostile = "a<b>&\x1b[31m\u202ereversed\r\n](http://evil)|`@someone` <script>"

// sample has a block of every kind, with name wherever text goes.
func sample(name string) *Document {
	d := &Document{Title: name, Verdict: Cell{Text: "FAIL", Verdict: Bad}, Headline: name, Origin: []string{name}, Footer: []string{name}}
	t := NewTable(name, "name", "+ wide", "time", " "+name, " verdict")
	p50 := 1.5
	t.Row(name, "only on a page", &p50, name, Cell{Text: "FAIL", Verdict: Bad})
	t.Row(name, "only on a page", -0.25, []string{name, "pass"})
	t.Note = name
	why := Section{ID: "why", Heading: "Why", Conclusion: true}
	why.List([]string{name})
	s := Section{ID: "all", Heading: name}
	s.Subheading(name)
	s.Text("%s", name)
	s.Command("podburst compare", "%s", name)
	s.Table(t)
	s.Fold(name, t)
	s.Blocks = append(s.Blocks, Block{Folded: &Folded{Summary: name, Source: "kind: Profile\n  " + name + "\n"}})
	f := &Figure{ID: "fig-one", Layout: "solo", Name: name, Caption: []string{name}, Data: []*Table{t}}
	f.Panel(100, 50, name, name).Text("label", 0, 0, name)
	s.Figure(f)
	d.Add(why, s, Section{ID: "empty", Heading: "Nothing"})
	return d
}

var renderers = map[string]func(io.Writer, *Document) error{
	"terminal": Terminal,
	"page":     Page,
	"markdown": func(w io.Writer, d *Document) error { return Markdown(w, d, "see report.json") },
}

func rendered(t testing.TB, format string, d *Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := renderers[format](&out, d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEveryRenderingShowsTheSameDocument(t *testing.T) {
	for format := range renderers {
		text := rendered(t, format, sample("some name"))
		for _, says := range []string{"some name", "FAIL", "Why", "1.50 s", "250 ms", "podburst compare", "kind: Profile", "verdict"} {
			if !strings.Contains(text, says) {
				t.Errorf("the %s does not say %q:\n%s", format, says, text)
			}
		}
		if strings.Contains(text, "Nothing") {
			t.Errorf("the %s has an empty section", format)
		}
		if wide := strings.Contains(text, "only on a page"); wide != (format == "page") {
			t.Errorf("wide columns in the %s: %t", format, wide)
		}
	}
}

func TestATerminalEndsWithTheConclusion(t *testing.T) {
	for format, last := range map[string]bool{"terminal": true, "markdown": false, "page": false} {
		text := rendered(t, format, sample("some name"))
		if got := strings.LastIndex(text, "Why") > strings.LastIndex(text, "1.50 s"); got != last {
			t.Errorf("%s: the conclusion comes last: %t", format, got)
		}
	}
}

func TestATerminalIsNeverTooWideAndHoldsNoControl(t *testing.T) {
	for _, name := range []string{hostile, strings.Repeat("x", 253), strings.Repeat("名前", 60), strings.Repeat("some words ", 30)} {
		for i, line := range strings.Split(rendered(t, "terminal", sample(name)), "\n") {
			if w := runewidth.StringWidth(line); w > terminalWidth {
				t.Errorf("line %d has %d columns: %q", i+1, w, line)
			}
			if strings.ContainsAny(line, "\x1b\r\x00\u202e") {
				t.Errorf("line %d holds control characters: %q", i+1, line)
			}
		}
	}
}

func TestNoTextIsMarkup(t *testing.T) {
	for format, markup := range map[string][]string{
		"markdown": {"<b>", "](", "@someone", "://evil", "<script", "\x1b", "\u202e", "\r"},
		"page":     {"<b>&", "<script", "\x1b", "\u202e", "\r"},
	} {
		text := strings.ReplaceAll(rendered(t, format, sample(hostile)), `\]`, "")
		if !strings.Contains(text, "reversed") {
			t.Errorf("the %s has lost the name", format)
		}
		// Source in Markdown is a code block, in which nothing is markup.
		if i := strings.Index(text, "    kind: Profile"); format == "markdown" && i >= 0 {
			text = text[:i]
		}
		for _, bad := range markup {
			if strings.Contains(text, bad) {
				t.Errorf("the %s holds %q as it is", format, bad)
			}
		}
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	d := sample("x")
	for range 3000 {
		d.Sections[0].Text("%s", strings.Repeat("y", 500))
	}
	if text := rendered(t, "markdown", d); len(text) > MaxMarkdownSize || !strings.Contains(text, "The rest was left out: see report.json") {
		t.Errorf("%d bytes", len(text))
	}
}

func TestAPageShowsSoManyRowsAndSaysWhatItLeavesOut(t *testing.T) {
	table := NewTable("many", "name", "n")
	var items []string
	for i := range MaxRows + 7 {
		table.Row("row", i)
		items = append(items, "item")
	}
	s := Section{ID: "many", Heading: "Many"}
	s.Table(table)
	s.List(items)
	d := &Document{Sections: []Section{s}}
	page := rendered(t, "page", d)
	if strings.Count(page, ">row<") != MaxRows || !strings.Contains(page, "7 more rows are left out") || !strings.Contains(page, "… and 7 more, see report.json.") {
		t.Error("it does not")
	}
	if n := strings.Count(rendered(t, "terminal", d), "row "); n != MaxRows+7 {
		t.Errorf("a terminal shows %d rows", n)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a<b> @x [l](http://e) www.e.org")
	f.Fuzz(func(t *testing.T, s string) {
		got := strings.ReplaceAll(escape(s), "<!-- -->", "")
		if strings.ContainsAny(got, "<>\n\r\x1b") {
			t.Errorf("escape(%q) = %q", s, got)
		}
	})
}
