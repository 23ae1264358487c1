package schema

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// source has what reflection cannot see: comments and constants.
type source struct {
	module, root string
	packages     map[string]*pkg
}

func newSource(module, root string) *source { return &source{module, root, map[string]*pkg{}} }

// pkg is the source of one package.
type pkg struct {
	// types and fields have the comments, keyed by "Type" and "Type.Field".
	types, fields map[string]string
	// words has the constants of a string type, in source order.
	words map[string][]string
}

// at parses the package at the import path, once.
func (s *source) at(path string) (*pkg, error) {
	if p, known := s.packages[path]; known {
		return p, nil
	}
	below, ours := strings.CutPrefix(path+"/", s.module+"/")
	if !ours {
		return nil, fmt.Errorf("package %q is not of module %s: give its types schemas in Generator.Custom", path, s.module)
	}
	files, err := filepath.Glob(filepath.Join(s.root, below, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &pkg{map[string]string{}, map[string]string{}, map[string][]string{}}
	s.packages[path] = p
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if declaration, ok := d.(*ast.GenDecl); ok {
				p.read(declaration)
			}
		}
	}
	return p, nil
}

func (p *pkg) read(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			text := spec.Doc.Text()
			if text == "" && len(declaration.Specs) == 1 {
				text = declaration.Doc.Text()
			}
			p.types[spec.Name.Name] = sentence(new(doc.Package).Synopsis(text), spec.Name.Name, nil)
			if structure, ok := spec.Type.(*ast.StructType); ok {
				p.comments(spec.Name.Name, structure)
			}
		case *ast.ValueSpec:
			named, ok := spec.Type.(*ast.Ident)
			if !ok || declaration.Tok != token.CONST {
				continue
			}
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					word, _ := strconv.Unquote(literal.Value) // it was parsed
					p.words[named.Name] = append(p.words[named.Name], word)
				}
			}
		}
	}
}

func (p *pkg) comments(of string, structure *ast.StructType) {
	keys := map[string]string{}
	for _, f := range structure.Fields.List {
		for _, name := range f.Names {
			if f.Tag != nil {
				tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
				keys[name.Name], _, _ = strings.Cut(tag, ",")
			}
		}
	}
	for _, f := range structure.Fields.List {
		for _, name := range f.Names {
			p.fields[of+"."+name.Name] = sentence(f.Doc.Text(), name.Name, keys)
		}
	}
}

var (
	identifier = regexp.MustCompile(`[A-Za-z0-9_]+`)
	// opening is what a sentence or a clause begins after; a capital letter there
	// says nothing.
	opening = regexp.MustCompile(`(^|[.:;?!]\s*)$`)
)

// sentence is the comment of the type or field in the words of files: keys maps
// the Go names of the struct's fields to their names in files. "Name is …"
// becomes what the name is.
func sentence(comment, of string, keys map[string]string) string {
	text := strings.Join(strings.Fields(comment), " ")
	for _, verb := range []string{" is ", " are "} {
		if rest, ok := strings.CutPrefix(text, of+verb); ok {
			text = strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	var b strings.Builder
	end := 0
	for _, at := range identifier.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		key := keys[word]
		// A word at the beginning of a sentence, such as "Pods", is not a field
		// unless no ordinary word looks like it or it is the field's own name.
		if key == "" || key == "-" || word != of && !strings.ContainsAny(word[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && opening.MatchString(text[:at[0]]) {
			continue
		}
		b.WriteString(text[end:at[0]] + "`" + key + "`")
		end = at[1]
	}
	return b.String() + text[end:]
}
