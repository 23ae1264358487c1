package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/docs"
)

// What a block of commands needs, as stated in the comment above it (docs/README.md).
// In a block marked run, this test runs every command. In other blocks it runs those
// it can and checks the rest against what exists.
var markers = []string{"run", "recorded", "minutes", "docker", "root", "cluster"}

// others are the programs that the documentation may use besides podburst.
var others = []string{"cd", "docker", "export", "git", "go", "jq", "kubectl", "tar", "gzip", "xdg-open"}

// othersVariables may be set before commands other than the suite, or are read by Go
// or podburst.
var othersVariables = []string{"GOPROXY", "GOTOOLCHAIN", "PODBURST_CACHE", "NO_COLOR"}

// Readers copy commands as they stand.
func TestCommandsOfTheDocumentationWork(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := docs.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	c := newCommands(t, root)
	blocks := 0
	for _, file := range files {
		page, err := docs.Read(root, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range page.Blocks {
			where := fmt.Sprintf("%s:%d", file, block.Line)
			switch block.Language {
			case "":
				t.Errorf("%s: say what the block is: sh, text, yaml ...", where)
				continue
			case "sh":
			case "bash", "shell", "console":
				t.Errorf("%s: %s: write sh, so that this test reads it", where, block.Language)
				continue
			default:
				continue
			}
			blocks++
			if !slices.Contains(markers, block.Marker) {
				t.Errorf("%s: marker %q: write <!-- test: X --> on the line above, with X one of %v", where, block.Marker, markers)
			}
			commands, err := docs.Commands(block.Text)
			if err != nil {
				t.Errorf("%s: %v", where, err)
			}
			for _, command := range commands {
				t.Run(where+"/"+strings.Join(command.Words, " "), func(t *testing.T) { c.check(t, command, block.Marker == "run") })
			}
		}
	}
	if blocks < 10 {
		t.Errorf("only %d blocks: the test does not read the pages as it should", blocks)
	}
}

// Whatever the suite reads is documented, and whatever the README's table names is
// read.
func TestVariablesOfTheSuiteAreDocumented(t *testing.T) {
	config := suite(t, "../..")
	var pages strings.Builder
	var table []string
	files, err := docs.Files("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(text)
		if file == "README.md" {
			for _, row := range regexp.MustCompile("(?m)^\\| `[A-Z_]+`.*? \\|").FindAllString(string(text), -1) {
				table = append(table, regexp.MustCompile(`[A-Z_]{2,}`).FindAllString(row, -1)...)
			}
		}
	}
	read := regexp.MustCompile(`(?:text|number)\("([A-Z_]+)"`).FindAllStringSubmatch(config, -1)
	if len(read) < 15 || len(table) < 15 {
		t.Fatalf("%d variables are read and %d are in the table: the test does not read them as it should", len(read), len(table))
	}
	for _, m := range read {
		if !strings.Contains(pages.String(), "`"+m[1]+"`") {
			t.Errorf("%s is in no page", m[1])
		}
	}
	for _, name := range table {
		if !strings.Contains(config, `"`+name+`"`) {
			t.Errorf("README.md has %s, and the suite does not read it", name)
		}
	}
}

// suite is the source of the suite, which reads variables by their quoted names.
func suite(t *testing.T, root string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "e2e", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	var all strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// commands knows what exists.
type commands struct {
	root                    string
	makefile, suite, gateSh string
	stage                   stage
	// run is a recorded run that compares two profiles.
	run  string
	done map[string]bool
}

// newCommands changes into a folder with a recorded run and files of every kind.
func newCommands(t *testing.T, root string) *commands {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	c := &commands{root: root, makefile: read("Makefile"), suite: suite(t, root), gateSh: read("hack/gate.sh"), done: map[string]bool{}}
	t.Chdir(t.TempDir())
	c.stage.t = t
	if code, _, errs := c.stage.execute("compare", "--base", "default", "--head", "tuned"); code != verdict.ExitPass {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	runs, err := filepath.Glob("artifacts/*")
	if err != nil || len(runs) != 1 {
		t.Fatalf("runs %v (%v)", runs, err)
	}
	c.run = runs[0]
	for _, name := range []string{"jobs-40", "my-profile"} {
		writeText(t, name+".yaml", "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: "+name+"}\n")
	}
	writeText(t, "my-slo.yaml", "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: mine}\nspec:\n  objectives:\n  - {name: all, phase: makespan, stat: max, limit: 1m}\n")
	for _, name := range []string{".github", "reports"} {
		if err := os.Symlink(filepath.Join(root, name), name); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c *commands) check(t *testing.T, command docs.Command, mustRun bool) {
	for _, variable := range command.Env {
		c.variable(t, variable)
	}
	words := command.Words
	if len(words) > 2 && words[0] == "go" && words[1] == "run" && words[2] == "./cmd/podburst" {
		words = append([]string{"podburst"}, words[3:]...)
	}
	switch {
	case len(words) == 0:
	case words[0] == "podburst":
		if ran := c.podburst(t, words[1:]); mustRun && !ran {
			t.Error("the block is marked run, and this command needs more than this test has")
		}
		return
	case words[0] == "make":
		c.make(t, words[1:])
	case strings.Contains(words[0], "/"):
		c.script(t, words)
	case !slices.Contains(others, words[0]):
		t.Errorf("%s is none of %v", words[0], others)
	}
	if mustRun {
		t.Error("the block is marked run, and this test runs podburst alone")
	}
}

// Names that stand for a recorded run.
var recordedRun = regexp.MustCompile(`^(RUN|BEFORE|AFTER|artifacts/(\*|RUN|BEFORE|AFTER|20[0-9]{6}T[0-9]{6}Z-[0-9a-f]{4}))$`)

// podburst runs the command line, with made-up bursts, if it needs no cluster, engine
// or compiler; otherwise it only parses it.
func (c *commands) podburst(t *testing.T, words []string) (ran bool) {
	words = slices.Clone(words)
	for i, w := range words {
		if recordedRun.MatchString(w) {
			words[i] = c.run
		}
	}
	if len(words) == 0 {
		t.Error("a command is missing")
		return false
	}
	switch words[0] {
	case "clusters", "controlplane", "doctor", "list-cost", "node-image", "observe":
		leaf, rest, err := rootCommand(c.stage.send).Find(words)
		if err == nil {
			err = parsed(leaf, rest)
		}
		if err != nil {
			t.Error(err)
		}
		return false
	}
	line := strings.Join(words, " ")
	if c.done[line] {
		return true
	}
	c.done[line] = true
	for i, w := range words {
		if w == "--output" {
			if err := os.RemoveAll(words[i+1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.stage.t = t
	if code, out, errs := c.stage.execute(words...); code == verdict.ExitUsage || code == verdict.ExitInternal {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	return true
}

func parsed(leaf *cobra.Command, args []string) error {
	if leaf.Run == nil && leaf.RunE == nil {
		return fmt.Errorf("%s is no command: it has %d", leaf.CommandPath(), len(leaf.Commands()))
	}
	if err := leaf.ParseFlags(args); err != nil {
		return err
	}
	if err := leaf.ValidateRequiredFlags(); err != nil {
		return err
	}
	return leaf.ValidateArgs(leaf.Flags().Args())
}

func (c *commands) make(t *testing.T, words []string) {
	targets := 0
	for _, w := range words {
		if strings.Contains(w, "=") {
			c.variable(t, w)
			continue
		}
		targets++
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(w) + `:`).MatchString(c.makefile) {
			t.Errorf("the Makefile has no target %s", w)
		}
	}
	if targets == 0 {
		t.Error("no target")
	}
}

func (c *commands) variable(t *testing.T, assignment string) {
	name, _, _ := strings.Cut(assignment, "=")
	read := strings.Contains(c.suite, `"`+name+`"`) || strings.Contains(c.makefile, "$${"+name+":+")
	if !read && !slices.Contains(othersVariables, name) {
		t.Errorf("neither the suite nor the Makefile reads a variable %s", name)
	}
}

// script checks that a script is in the repository and, if possible, its flags.
func (c *commands) script(t *testing.T, words []string) {
	info, err := os.Stat(filepath.Join(c.root, words[0]))
	if err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("%s is no program of the repository (%v)", words[0], err)
		return
	}
	if words[0] != "hack/gate.sh" {
		return
	}
	compare, _, err := rootCommand(c.stage.send).Find([]string{"compare"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words[1:] {
		name, isFlag := strings.CutPrefix(w, "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && compare.Flags().Lookup(name) == nil && !strings.Contains(c.gateSh, "--"+name+" ") {
			t.Errorf("hack/gate.sh has no flag --%s", name)
		}
	}
}
