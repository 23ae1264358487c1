package validity_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Readers of an INVALID run search docs/validity.md for the code.
func TestTheDocumentedReasonsAreExactlyThoseInTheCode(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../recording/problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Problem") {
			return true
		}
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, code)
		return true
	})
	text, err := os.ReadFile("../../docs/validity.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| .+ \\|$").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, m[1])
	}
	if len(codes) < 20 {
		t.Fatalf("only %d codes found: the test does not read the code as it should", len(codes))
	}
	slices.Sort(codes)
	slices.Sort(documented)
	if !slices.Equal(codes, documented) {
		t.Errorf("in the code:  %v\nin the docs: %v", codes, documented)
	}
}

// A reason is worth as much as the test that provokes it, so the table names that test.
func TestTheDocumentedTestsExist(t *testing.T) {
	var sources strings.Builder
	for _, pattern := range []string{"*_test.go", "../../test/*/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(text)
		}
	}
	text, err := os.ReadFile("../../docs/validity.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| .+ \\| (.+) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Fatalf("only %d rows have a column of tests", len(rows))
	}
	for _, row := range rows {
		for name := range strings.SplitSeq(row[2], "; ") {
			defined := strconv.Quote(name) + ":"
			if whole, ok := strings.CutPrefix(name, "`"); ok {
				defined = "func " + strings.TrimSuffix(whole, "`") + "("
			}
			if !strings.Contains(sources.String(), defined) {
				t.Errorf("%s: no test is named %s", row[1], name)
			}
		}
	}
}
