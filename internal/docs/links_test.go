package docs

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
)

const root = "../.."

func pages(t *testing.T) map[string]Page {
	t.Helper()
	files, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Page{}
	for _, file := range files {
		if all[file], err = Read(root, file); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d pages found", len(all))
	}
	return all
}

func TestLinksLeadSomewhere(t *testing.T) {
	links, anchors := 0, 0
	known := pages(t)
	for name, page := range known {
		for _, link := range page.Links() {
			links++
			if strings.Contains(link.Target, "#") {
				anchors++
			}
			if fault := check(known, page, link); fault != "" {
				t.Errorf("%s:%d: [%s](%s): %s", name, link.Line, link.Text, link.Target, fault)
			}
		}
	}
	if links < 50 || anchors < 1 {
		t.Errorf("only %d links, %d of them to an anchor: the test does not read the pages as it should", links, anchors)
	}
}

// check says what is wrong with the link. External ones are not fetched.
func check(known map[string]Page, page Page, link Link) string {
	u, err := url.Parse(link.Target)
	switch {
	case err != nil:
		return err.Error()
	case link.Text == "":
		return "it has no text"
	case u.Scheme == "https" && u.Host != "":
		return ""
	case u.Scheme != "" || u.Host != "":
		return "only https leads out of the repository"
	case path.IsAbs(u.Path):
		return "it is a path of one machine"
	}
	target := page.Name
	if u.Path != "" {
		target = path.Join(path.Dir(page.Name), u.Path)
	}
	if strings.HasPrefix(target, "..") {
		return "it leads out of the repository"
	}
	// git ignores them, so they do not exist on GitHub.
	if first, _, _ := strings.Cut(target, "/"); first == "artifacts" || first == "bin" {
		return "it is not checked in"
	}
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(target)))
	switch {
	case err != nil:
		return "there is no " + target
	case link.Image && info.Size() > 200_000:
		return fmt.Sprintf("%d bytes: at most 200 kB", info.Size())
	case u.Fragment == "":
		return ""
	}
	linked, ok := known[target]
	if !ok {
		return "only pages have anchors"
	}
	if !slices.Contains(linked.Anchors(), u.Fragment) {
		return fmt.Sprintf("no heading %q: there are %v", u.Fragment, linked.Anchors())
	}
	return ""
}

func TestTheLinkCheckFindsWhatItShould(t *testing.T) {
	page, err := parse("docs/a.md", "# A `b_c`, d\n## Twice\n## Twice\n[x](a.md#a-b_c-d) [y](#twice-1) [z](../README.md) `[code](nowhere)`\n```sh\n[fenced](nowhere)\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]Page{page.Name: page}
	if links := page.Links(); len(links) != 3 {
		t.Errorf("%d links: %v", len(links), links)
	}
	if want := []string{"a-b_c-d", "twice", "twice-1"}; !slices.Equal(page.Anchors(), want) {
		t.Errorf("anchors %v", page.Anchors())
	}
	for _, target := range []string{"../README.md", "phases.md", "https://example.com/x#y", "../docs"} {
		if fault := check(known, page, Link{Text: "t", Target: target}); fault != "" {
			t.Errorf("%s: %s", target, fault)
		}
	}
	for _, target := range []string{"absent.md", "/elsewhere/README.md", "http://example.com", "file:///etc/passwd", "../../README.md", "../artifacts", "phases.md#nowhere", "../go.mod#x"} {
		if check(known, page, Link{Text: "t", Target: target}) == "" {
			t.Errorf("%s is taken", target)
		}
	}
}

var machinePath = regexp.MustCompile(`(^|[\s("'` + "`" + `=:])(/home/|/Users/|/root/|/work/|/workspace/|file:/)`)

func TestPagesNameNoFolderOfOneMachine(t *testing.T) {
	for name := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := machinePath.FindString(line); m != "" {
				t.Errorf("%s:%d: %s", name, i+1, line)
			}
		}
	}
}

func TestTheIndexHasEveryPage(t *testing.T) {
	known := pages(t)
	var linked []string
	for _, link := range known["docs/README.md"].Links() {
		linked = append(linked, path.Join("docs", link.Target))
	}
	for name := range known {
		if strings.HasPrefix(name, "docs/") && name != "docs/README.md" && !slices.Contains(linked, name) {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}

// Podburst accepts the files that the docs show.
func TestYAMLOfPodburstParses(t *testing.T) {
	kinds := map[string]int{}
	for name, page := range pages(t) {
		for _, block := range page.Blocks {
			if !strings.Contains(block.Text, clusters.APIVersion) {
				continue
			}
			where := fmt.Sprintf("%s:%d", name, block.Line)
			kind := regexp.MustCompile(`(?m)^kind: (\w+)$`).FindStringSubmatch(block.Text)
			if kind == nil {
				t.Errorf("%s has no kind", where)
				continue
			}
			kinds[kind[1]]++
			var err error
			switch kind[1] {
			case clusters.ProfileKind:
				_, err = clusters.Parse(where, []byte(block.Text))
			case slo.Kind:
				_, err = slo.Parse(where, []byte(block.Text))
			case gate.Kind:
				_, err = gate.ParseCriteria(where, []byte(block.Text))
			default:
				err = fmt.Errorf("%s: unknown kind %s", where, kind[1])
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
	if len(kinds) < 3 {
		t.Errorf("only %v are shown", kinds)
	}
}

// messagesFrom is where the messages in docs/troubleshooting.md come from.
var messagesFrom = []string{"clusters", "cmd", "e2e", "framework", "hack", "internal", "reports", "session"}

// Readers must be able to search for a message: the first cell of each row
// quotes what podburst says, with … for what varies.
func TestMessagesOfTroubleshootingAreInTheCode(t *testing.T) {
	said := sayings(t)
	page, err := Read(root, "docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	messages := 0
	for i, line := range strings.Split(page.Text, "\n") {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for _, code := range inlineCode.FindAllString(cell, -1) {
			messages++
			for part := range strings.SplitSeq(strings.Trim(code, "`"), "…") {
				if part = strings.TrimSpace(part); !strings.Contains(said, part) {
					t.Errorf("docs/troubleshooting.md:%d: nothing in the code says %q", i+1, part)
				}
			}
		}
	}
	if messages < 20 {
		t.Errorf("only %d messages found: the test does not read the page as it should", messages)
	}
}

// sayings are the string literals in the sources, and the shell scripts.
func sayings(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range messagesFrom {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case entry.IsDir(), strings.HasSuffix(file, "_test.go"), !strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, ".sh"):
				return nil
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if strings.HasSuffix(file, ".sh") {
				all.Write(text)
				return nil
			}
			var s scanner.Scanner
			set := token.NewFileSet()
			s.Init(set.AddFile(file, -1, len(text)), text, nil, 0)
			for {
				_, kind, literal := s.Scan()
				if kind == token.EOF {
					return nil
				}
				if kind == token.STRING {
					if value, err := strconv.Unquote(literal); err == nil {
						all.WriteString(value + "\n")
					}
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

func TestShellLinesAreSplitAsAShellSplitsThem(t *testing.T) {
	got, err := Commands("A=1 podburst x --y='a b' \"c\"d 2>err.txt >>out | jq -r '.a | .b' # no\n\nmake e2e \\\n  PODS=5 & cd x && y;\n")
	if err != nil {
		t.Fatal(err)
	}
	want := "[{[A=1] [podburst x --y=a b cd]} {[] [jq -r .a | .b]} {[] [make e2e PODS=5]} {[] [cd x]} {[] [y]}]"
	if fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
	for _, text := range []string{"echo 'x", "cat <<E"} {
		if _, err := Commands(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
