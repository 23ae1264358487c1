package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Files lists README.md and every Markdown file below docs, relative to root.
func Files(root string) ([]string, error) {
	files := []string{"README.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		name, err := filepath.Rel(root, path)
		files = append(files, filepath.ToSlash(name))
		return err
	})
	return files, err
}

// Page is a Markdown file.
type Page struct {
	// Name is its path below the root, with slashes.
	Name string
	// Text is the file with the lines of its fenced blocks emptied.
	Text   string
	Blocks []Block
}

// Block is a fenced block.
type Block struct {
	// Line is the line of the opening fence, from 1.
	Line int
	// Language is the fence's language, "" if it has none.
	Language string
	// Marker comes from a comment on the line above: <!-- test: Marker -->.
	Marker string
	// Text holds the lines between the fences.
	Text string
}

var marker = regexp.MustCompile(`^<!-- test: ([a-z]+) -->$`)

// Read reads the page name below root.
func Read(root, name string) (Page, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return Page{}, err
	}
	return parse(name, string(text))
}

func parse(name, text string) (Page, error) {
	page := Page{Name: name}
	var outside, inside []string
	var open *Block
	before := ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case open != nil && trimmed == "```":
			open.Text = strings.Join(inside, "\n")
			page.Blocks = append(page.Blocks, *open)
			open, inside, line = nil, nil, ""
		case open != nil:
			inside, line = append(inside, line), ""
		case strings.HasPrefix(trimmed, "```"):
			open = &Block{Line: i + 1, Language: strings.TrimPrefix(trimmed, "```")}
			if m := marker.FindStringSubmatch(before); m != nil {
				open.Marker = m[1]
			}
			line = ""
		}
		before = trimmed
		outside = append(outside, line)
	}
	if open != nil {
		return page, fmt.Errorf("%s:%d: the block is not closed", name, open.Line)
	}
	page.Text = strings.Join(outside, "\n")
	return page, nil
}

// Link is a link or an image.
type Link struct {
	Line         int
	Image        bool
	Text, Target string
}

var (
	inlineCode = regexp.MustCompile("`[^`]*`")
	// The text may contain an image, whose own link is found separately.
	inlineLink = regexp.MustCompile(`(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)`)
	// A link definition, as at the end of some READMEs.
	definition = regexp.MustCompile(`(?m)^\[([^\]]+)\]: *(\S+)`)
)

// Links are the links of the page, except those in code.
func (p Page) Links() []Link {
	var links []Link
	for i, line := range strings.Split(p.Text, "\n") {
		// Code in a link's text is kept, because anchors and lengths do not matter here.
		line = inlineCode.ReplaceAllStringFunc(line, func(code string) string {
			return strings.NewReplacer("[", " ", "]", " ", "(", " ", ")", " ").Replace(code)
		})
		for _, m := range inlineLink.FindAllStringSubmatch(line, -1) {
			links = append(links, Link{Line: i + 1, Image: m[1] == "!", Text: m[2], Target: m[3]})
		}
		for _, m := range definition.FindAllStringSubmatch(line, -1) {
			links = append(links, Link{Line: i + 1, Text: m[1], Target: m[2]})
		}
	}
	return links
}

var heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)

// Anchors are the fragments of the page's headings, as GitHub makes them.
func (p Page) Anchors() []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(p.Text, -1) {
		anchor := anchorOf(m[1])
		for n := 1; slices.Contains(all, anchor); n++ {
			anchor = fmt.Sprintf("%s-%d", anchorOf(m[1]), n)
		}
		all = append(all, anchor)
	}
	return all
}

// anchorOf keeps letters (in lower case), digits, '-' and '_', and turns spaces
// into '-'.
func anchorOf(title string) string {
	title = inlineLink.ReplaceAllString(title, "$2")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}
