package html_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"

	markup "golang.org/x/net/html"

	"github.com/podburst/podburst/reports/html"
)

// nodes returns the elements with that name below n, or all for "".
func nodes(n *markup.Node, name string) []*markup.Node {
	var found []*markup.Node
	for d := range n.Descendants() {
		if d.Type == markup.ElementNode && (name == "" || d.Data == name) {
			found = append(found, d)
		}
	}
	return found
}

func attribute(n *markup.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *markup.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == markup.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

func TestEveryPageIsWellFormed(t *testing.T) {
	for name, r := range extremes(t) {
		t.Run(name, func(t *testing.T) {
			page := render(t, r)
			checkPage(t, page)
			if found := regexp.MustCompile(`NaN|Inf\b|%!|no value`).FindString(page); found != "" {
				t.Errorf("the page says %q", found)
			}
		})
	}
}

// checkPage fails on what no page may contain, whatever the report.
func checkPage(t *testing.T, page string) {
	t.Helper()
	checkBalance(t, page)
	doc, err := markup.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	checkIsolation(t, doc)
	ids := map[string]bool{}
	for _, n := range nodes(doc, "") {
		if id := attribute(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("id %q is there twice", id)
			}
			ids[id] = true
		}
	}
	for _, n := range nodes(doc, "") {
		for _, id := range append(strings.Fields(attribute(n, "aria-labelledby")), strings.TrimPrefix(attribute(n, "href"), "#")) {
			if id != "" && !ids[id] {
				t.Errorf("<%s> refers to the id %q, which is not there", n.Data, id)
			}
		}
	}
	checkFigures(t, doc)
	checkHeadings(t, doc)
	if lang := attribute(nodes(doc, "html")[0], "lang"); lang != "en" {
		t.Errorf("lang is %q", lang)
	}
	for _, table := range nodes(doc, "table") {
		if len(nodes(table, "caption")) != 1 {
			t.Error("a table has no caption")
		}
		columns := len(nodes(nodes(table, "thead")[0], "th"))
		for _, row := range nodes(nodes(table, "tbody")[0], "tr") {
			if n := len(nodes(row, "td")) + len(nodes(row, "th")); n != columns {
				t.Errorf("a row of %q has %d cells in %d columns", textOf(nodes(table, "caption")[0]), n, columns)
			}
		}
		for _, th := range nodes(table, "th") {
			if attribute(th, "scope") == "" || textOf(th) == "" && th.Parent.Parent.Data == "thead" {
				t.Errorf("a header cell of %q has no scope or no text", textOf(nodes(table, "caption")[0]))
			}
		}
	}
}

// void elements have no end tag.
var void = []string{"meta", "br", "hr", "img", "input", "link"}

// checkBalance reads the tags as written, because a parser would repair them.
func checkBalance(t *testing.T, page string) {
	t.Helper()
	var open []string
	tokens := markup.NewTokenizer(strings.NewReader(page))
	for {
		switch tokens.Next() {
		case markup.ErrorToken:
			if len(open) > 0 {
				t.Errorf("not closed: %v", open)
			}
			return
		case markup.StartTagToken:
			name, _ := tokens.TagName()
			if !slices.Contains(void, string(name)) {
				open = append(open, string(name))
			}
		case markup.EndTagToken:
			name, _ := tokens.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("</%s> closes nothing of %v", name, open)
			}
			open = open[:len(open)-1]
		}
	}
}

// checkIsolation fails on anything that could run code or load something.
func checkIsolation(t *testing.T, doc *markup.Node) {
	t.Helper()
	allowed := []string{
		"html", "head", "meta", "title", "style", "body", "a", "header", "p", "b", "bdi", "h1", "h2", "h3", "span", "nav", "ul", "li", "main", "section",
		"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "code", "figure", "figcaption", "footer", "svg", "desc", "path", "text",
	}
	policies := 0
	for _, n := range nodes(doc, "") {
		if !slices.Contains(allowed, n.Data) {
			t.Errorf("the page has a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
		}
		if attribute(n, "http-equiv") == "Content-Security-Policy" {
			policies++
			sum := sha256.Sum256([]byte(textOf(nodes(doc, "style")[0])))
			want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
			if policy := attribute(n, "content"); !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, want) {
				t.Errorf("the policy %q does not have %q", policy, want)
			}
		}
	}
	if policies != 1 {
		t.Errorf("%d content security policies", policies)
	}
	if style := textOf(nodes(doc, "style")[0]); strings.Contains(style, "url(") || strings.Contains(style, "@import") {
		t.Error("the style sheet loads something")
	}
}

func checkFigures(t *testing.T, doc *markup.Node) {
	t.Helper()
	for _, f := range nodes(doc, "figure") {
		id := attribute(f, "id")
		if len(nodes(f, "figcaption")) != 1 || len(nodes(f, "details")) != 1 || len(nodes(nodes(f, "details")[0], "table")) == 0 {
			t.Errorf("figure %s lacks its caption or its table", id)
		}
		images := 0
		for _, svg := range nodes(f, "svg") {
			if attribute(svg, "aria-hidden") == "true" {
				continue
			}
			images++
			labels := strings.Fields(attribute(svg, "aria-labelledby"))
			if attribute(svg, "role") != "img" || len(labels) != 2 {
				t.Errorf("an image of figure %s has no role or no labels", id)
				continue
			}
			for i, name := range []string{"title", "desc"} {
				found := nodes(svg, name)
				if len(found) != 1 || attribute(found[0], "id") != labels[i] || strings.TrimSpace(textOf(found[0])) == "" {
					t.Errorf("image %s has no <%s>", labels[0], name)
				}
			}
		}
		if images == 0 {
			t.Errorf("figure %s has no image", id)
		}
	}
}

// checkHeadings fails on a skipped heading level.
func checkHeadings(t *testing.T, doc *markup.Node) {
	t.Helper()
	last := 0
	for _, n := range nodes(doc, "") {
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			level := int(n.Data[1] - '0')
			if level > last+1 {
				t.Errorf("a heading of level %d follows one of level %d: %q", level, last, textOf(n))
			}
			last = level
		}
	}
	if len(nodes(doc, "h1")) != 1 {
		t.Errorf("%d headings of level 1", len(nodes(doc, "h1")))
	}
}

func TestNamesStayText(t *testing.T) {
	page := render(t, named(t, hostile))
	for _, bad := range []string{"<script", "<b>&", "\x1b", "\u202e", "\r", "\x00", "a<b"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q as it is", bad)
		}
	}
	if !strings.Contains(page, "a&lt;b&gt;&amp;") {
		t.Error("the name is not to be read")
	}
}

func FuzzPage(f *testing.F) {
	for _, seed := range []string{hostile, "", "פרופיל", "</style>", "<!--", "]]>", "javascript:alert(1)", "\u202e", strings.Repeat("x", 2000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		page := render(t, named(t, name))
		if len(page) > html.MaxSize {
			t.Errorf("the page has %d bytes", len(page))
		}
		checkPage(t, page)
	})
}
