package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Field is a field of a YAML file.
type Field struct {
	// Path is where it is in the file: "spec.kubelet.maxPods", "spec.objectives[].name".
	Path string
	// Type is what may be written, for people.
	Type string
	// Doc is the Go comment, in the file's own words.
	Doc string
}

// source has the types of some packages, by "package.Type".
type source struct {
	types map[string]*ast.TypeSpec
	// yaml has the name in files of each field's name in Go.
	yaml map[string]string
}

// Fields lists the fields of root ("clusters.Profile"), which is declared in one of
// dirs, depth first, in the order of the source.
func Fields(root string, dirs ...string) ([]Field, error) {
	s := source{map[string]*ast.TypeSpec{}, map[string]string{}}
	for _, dir := range dirs {
		if err := s.read(dir); err != nil {
			return nil, err
		}
	}
	pkg, name, _ := strings.Cut(root, ".")
	return s.fields(pkg, name, "")
}

func (s source) read(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			s.types[file.Name.Name+"."+spec.Name.Name] = spec
			if structure, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range structure.Fields.List {
					for _, name := range f.Names {
						if yaml, ok := yamlName(f); ok {
							s.yaml[name.Name] = yaml
						}
					}
				}
			}
			return false
		})
	}
	return nil
}

// yamlName is the field's name in files; an inlined one has none.
func yamlName(f *ast.Field) (string, bool) {
	if f.Tag == nil {
		return "", false
	}
	tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
	name, _, _ := strings.Cut(tag, ",")
	return name, name != "" && name != "-"
}

func (s source) fields(pkg, name, prefix string) ([]Field, error) {
	spec, ok := s.types[pkg+"."+name]
	if !ok {
		return nil, fmt.Errorf("no type %s.%s", pkg, name)
	}
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil, fmt.Errorf("%s.%s is no struct", pkg, name)
	}
	var all []Field
	for _, f := range structure.Fields.List {
		yaml, named := yamlName(f)
		of, kind, structType := s.typeOf(pkg, f.Type)
		switch {
		case !named && len(f.Names) == 0 && structType != "": // inlined
			inner, err := s.fields(of, structType, prefix)
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
			continue
		case !named:
			return nil, fmt.Errorf("%s.%s: a field without a json tag: files cannot set it", pkg, name)
		}
		field := Field{Path: prefix + yaml, Type: kind, Doc: s.sentence(f)}
		if structType == "" {
			all = append(all, field)
			continue
		}
		list := strings.HasPrefix(kind, "list")
		if list {
			field.Path += "[]"
		}
		if field.Doc != "" {
			all = append(all, field)
		}
		inner, err := s.fields(of, structType, field.Path+".")
		if err != nil {
			return nil, err
		}
		all = append(all, inner...)
	}
	return all, nil
}

// typeOf is a type in words; of a struct that is declared in the sources, also its
// package and name.
func (s source) typeOf(pkg string, t ast.Expr) (of, kind, structType string) {
	switch t := t.(type) {
	case *ast.StarExpr:
		return s.typeOf(pkg, t.X)
	case *ast.ArrayType:
		of, kind, structType = s.typeOf(pkg, t.Elt)
		if structType != "" {
			return of, "list", structType
		}
		return "", "list of " + kind + "s", ""
	case *ast.MapType:
		_, key, _ := s.typeOf(pkg, t.Key)
		_, value, _ := s.typeOf(pkg, t.Value)
		return "", "map of " + key + " to " + value, ""
	case *ast.SelectorExpr:
		from := fmt.Sprint(t.X)
		switch from + "." + t.Sel.Name {
		case "metav1.Duration":
			return "", "duration", ""
		case "time.Time":
			return "", "time", ""
		}
		return s.declared(from, t.Sel.Name)
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "", "text", ""
		case "bool":
			return "", "boolean", ""
		case "int", "int64":
			return "", "integer", ""
		case "float64":
			return "", "number", ""
		}
		return s.declared(pkg, t.Name)
	}
	return "", fmt.Sprintf("%T", t), ""
}

func (s source) declared(pkg, name string) (of, kind, structType string) {
	spec, ok := s.types[pkg+"."+name]
	if !ok {
		return "", pkg + "." + name, ""
	}
	if _, ok := spec.Type.(*ast.StructType); ok {
		return pkg, "object", name
	}
	return s.typeOf(pkg, spec.Type)
}

var identifier = regexp.MustCompile(`[A-Za-z]+`)

// sentence is the field's comment with fields named as files name them.
func (s source) sentence(f *ast.Field) string {
	text := strings.Join(strings.Fields(f.Doc.Text()), " ")
	if len(f.Names) == 1 {
		for _, verb := range []string{" is ", " are "} {
			if rest, ok := strings.CutPrefix(text, f.Names[0].Name+verb); ok {
				text = strings.ToUpper(rest[:1]) + rest[1:]
			}
		}
	}
	return identifier.ReplaceAllStringFunc(text, func(word string) string {
		yaml, ok := s.yaml[word]
		// "Default: all." begins with no field's name; a field's name of one hump that
		// is no word of its own field is a word.
		if !ok || !(slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == word }) || humps(word) > 1 || strings.Contains(text, word+".") || strings.Contains(text, word+" is")) {
			return word
		}
		return "`" + yaml + "`"
	})
}

func humps(word string) (n int) {
	for _, r := range word {
		if r >= 'A' && r <= 'Z' {
			n++
		}
	}
	return n
}

// Table is a Markdown table of the fields; values has what a field may be, by its
// path, where that is a list of words.
func Table(fields []Field, values map[string][]string) string {
	var b strings.Builder
	b.WriteString("| field | type | what it is |\n|---|---|---|\n")
	for _, f := range fields {
		text := f.Doc
		switch words := values[f.Path]; len(words) {
		case 0:
		case 1:
			text = strings.TrimSpace(text + " Always `" + words[0] + "`.")
		default:
			text = strings.TrimSpace(text + " One of `" + strings.Join(words, "`, `") + "`.")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Path, f.Type, strings.ReplaceAll(text, "|", `\|`))
	}
	return b.String()
}
