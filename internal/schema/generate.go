package schema

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strconv"
	"strings"
)

// Generator makes schemas of one module's types.
type Generator struct {
	// Module is the module's path and Root its folder, where comments are read.
	Module, Root string
	// Values has the words that a text field ("slo.Objective.phase") may be, where
	// Go knows them at run time only. With a single word, it is the only value.
	Values map[string][]string
	// Custom has the schemas of types that encode themselves. Such a type without
	// a schema is an error.
	Custom map[reflect.Type]Schema
}

// aliased is implemented by types that are written as another struct.
type aliased interface{ JSONSchemaAlias() any }

var encoders = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

// Document is the schema of the type of root, a struct. id is its address, title its name.
func (g Generator) Document(root any, id, title string) (*Schema, error) {
	d := document{Generator: g, source: newSource(g.Module, g.Root), defs: map[string]*Schema{}}
	t := reflect.TypeOf(root)
	schema, err := d.structure(t, t)
	if err != nil {
		return nil, fmt.Errorf("generate schema of %s: %w", t, err)
	}
	d.name()
	schema.Draft, schema.ID, schema.Title, schema.Defs = Draft, id, title, d.byName
	return schema, nil
}

// document is a schema under construction.
type document struct {
	Generator
	source *source
	// defs has the structs by package path and name, refs the references to them.
	defs map[string]*Schema
	refs []*Schema
	// byName has defs by their names in the file.
	byName map[string]*Schema
}

// name gives each struct its Go name, prefixed with the package's if two share it.
func (d *document) name() {
	short := func(of string) string {
		name := of[strings.LastIndex(of, ".")+1:]
		return strings.ToLower(name[:1]) + name[1:]
	}
	shared := map[string]int{}
	for of := range d.defs {
		shared[short(of)]++
	}
	d.byName = map[string]*Schema{}
	name := func(of string) string {
		if n := short(of); shared[n] == 1 {
			return n
		}
		return strings.ReplaceAll(path.Base(of), ".", "")
	}
	for of, schema := range d.defs {
		d.byName[name(of)] = schema
	}
	for _, ref := range d.refs {
		ref.Ref = "#/$defs/" + name(ref.of)
	}
}

// of is the schema of what encoding/json writes for a t.
func (d *document) of(t reflect.Type) (*Schema, error) {
	if custom, ok := d.Custom[t]; ok {
		return &custom, nil
	}
	if t.Kind() == reflect.Pointer {
		inner, err := d.of(t.Elem())
		if err != nil {
			return nil, err
		}
		return nullable(inner), nil
	}
	if alias, ok := reflect.Zero(t).Interface().(aliased); ok {
		return d.reference(t, reflect.TypeOf(alias.JSONSchemaAlias()))
	}
	for _, encoder := range encoders {
		if t.Implements(encoder) || reflect.PointerTo(t).Implements(encoder) {
			return nil, fmt.Errorf("%s encodes itself: give it a method JSONSchemaAlias, or a schema in Generator.Custom", t)
		}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: "boolean"}, nil
	case reflect.String:
		return d.text(t)
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: "number"}, nil
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: "integer", Limits: Limits{Minimum: new(float64)}}, nil
	case reflect.Interface:
		return &Schema{Word: "anything"}, nil
	case reflect.Slice:
		items, err := d.of(t.Elem())
		return &Schema{Type: "array", Items: items}, err
	case reflect.Map:
		values, err := d.of(t.Elem())
		return &Schema{Type: "object", Additional: values}, err
	case reflect.Struct:
		return d.reference(t, t)
	}
	return nil, fmt.Errorf("%s has no schema", t)
}

// text is the schema of a string type. A named type is one of its constants, if
// it has any.
func (d *document) text(t reflect.Type) (*Schema, error) {
	s := &Schema{Type: "string"}
	if t.Name() == "string" {
		return s, nil
	}
	p, err := d.source.at(t.PkgPath())
	if err != nil {
		return nil, err
	}
	s.restrict(p.words[t.Name()])
	return s, nil
}

// restrict limits s to the words; without words it stays as it is.
func (s *Schema) restrict(all []string) {
	switch len(all) {
	case 0:
	case 1:
		s.Const, s.Type = all[0], nil
	default:
		s.Const, s.Enum, s.Type = nil, nil, nil
		for _, word := range all {
			s.Enum = append(s.Enum, word)
		}
	}
}

// reference is a reference to t, which is written as the struct as.
func (d *document) reference(t, as reflect.Type) (*Schema, error) {
	ref := &Schema{of: t.PkgPath() + "." + t.Name()}
	d.refs = append(d.refs, ref)
	if _, known := d.defs[ref.of]; known {
		return ref, nil
	}
	d.defs[ref.of] = nil // a type may contain itself
	schema, err := d.structure(t, as)
	d.defs[ref.of] = schema
	return ref, err
}

func (d *document) structure(t, as reflect.Type) (*Schema, error) {
	p, err := d.source.at(t.PkgPath())
	if err != nil {
		return nil, err
	}
	s := &Schema{Type: "object", Description: p.types[t.Name()], Additional: false}
	return s, d.fields(s, as, t.Name())
}

// fields adds the fields of t, and in their place those of structs that t
// embeds. Comments that t lacks come from the type called like, for a type
// declared in a function.
func (d *document) fields(s *Schema, t reflect.Type, like string) error {
	p, err := d.source.at(t.PkgPath())
	if err != nil {
		return err
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || name == "" && !f.IsExported() && !f.Anonymous:
			continue
		case name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct:
			if err := d.fields(s, f.Type, f.Type.Name()); err != nil {
				return err
			}
			continue
		case name == "":
			return fmt.Errorf("%s.%s has no json tag: files cannot name it", t, f.Name)
		}
		inner := f.Type
		absent := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		property, err := d.of(inner)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		property.restrict(d.Values[path.Base(t.PkgPath())+"."+t.Name()+"."+name])
		optional, null, err := property.constrain(f.Tag.Get("jsonschema"))
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		property.unit(name)
		if null || inner != f.Type && !absent {
			property = nullable(property)
		}
		property.Description = cmp.Or(p.fields[t.Name()+"."+f.Name], p.fields[like+"."+f.Name])
		s.Properties = append(s.Properties, Property{name, property})
		if !absent && !optional {
			s.Required = append(s.Required, name)
		}
	}
	return nil
}

// unit says what a number counts, for people, from the end of the key.
func (s *Schema) unit(name string) {
	for { // down to what lists and maps are made of
		value := s.Items
		if value == nil {
			value, _ = s.Additional.(*Schema)
		}
		if value == nil {
			break
		}
		s = value
	}
	for end, unit := range map[string]string{"Seconds": "seconds", "Bytes": "bytes"} {
		if strings.HasSuffix(name, end) && (s.Type == "number" || s.Type == "integer") {
			s.Word = unit
		}
	}
}

// constrain adds what the struct tag says. For a list the tag is about the
// items, except for limits on its length.
func (s *Schema) constrain(tag string) (optional, null bool, err error) {
	var words []string
	for word := range strings.SplitSeq(tag, ",") {
		key, value, _ := strings.Cut(word, "=")
		of := s
		if s.Items != nil && !strings.HasSuffix(key, "Items") {
			of = s.Items
		}
		switch limit := of.limit(key); {
		case word == "":
		case key == "optional":
			optional = true
		case key == "nullable":
			null = true
		case key == "signed":
			of.Minimum = nil
		case key == "enum":
			words = append(words, value)
			of.restrict(words)
		case key == "pattern":
			of.Pattern = value
		case limit != nil:
			number, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return false, false, fmt.Errorf("jsonschema tag: %s is no number", word)
			}
			*limit = &number
		default:
			return false, false, fmt.Errorf("jsonschema tag: unknown word %q", key)
		}
	}
	return optional, null, nil
}

func (l *Limits) limit(key string) **float64 {
	switch key {
	case "minimum":
		return &l.Minimum
	case "exclusiveMinimum":
		return &l.ExclusiveMinimum
	case "maximum":
		return &l.Maximum
	case "exclusiveMaximum":
		return &l.ExclusiveMaximum
	case "minLength":
		return &l.MinLength
	case "maxLength":
		return &l.MaxLength
	case "minItems":
		return &l.MinItems
	case "maxItems":
		return &l.MaxItems
	}
	return nil
}
