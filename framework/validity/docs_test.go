package validity_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The reader of an INVALID run greps docs/validity.md for the code.
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
