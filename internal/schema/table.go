package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Field is a field of a file, for people.
type Field struct {
	// Path is where it is: "spec.kubelet.maxPods", "spec.objectives[].name".
	Path string
	// Type is what it holds, in words.
	Type string
	// Doc is the comment in the source, and the words that the field accepts.
	Doc string
}

// Fields lists the fields of the document in source order, with an object's
// fields after the object. An object without a description is left out, but its
// fields are not.
func (s *Schema) Fields() []Field { return s.fields(s, "", nil) }

// fields are the fields of s; within are the enclosing objects, which are not
// opened again.
func (s *Schema) fields(root *Schema, prefix string, within []*Schema) []Field {
	var all []Field
	for _, p := range s.Properties {
		of, list := p.Schema, ""
		if of.Items != nil && root.resolve(of.Items).Properties != nil {
			of, list = of.Items, "[]"
		}
		f := Field{Path: prefix + p.Name + list, Type: root.words(p.Schema, nil), Doc: strings.TrimSpace(p.Description + " " + root.choice(p.Schema))}
		inner := root.resolve(of)
		if inner.Properties == nil || f.Doc != "" {
			all = append(all, f)
		}
		if !slices.Contains(within, inner) {
			all = append(all, inner.fields(root, f.Path+".", append(slices.Clip(within), inner))...)
		}
	}
	return all
}

// resolve follows a reference, or a choice between something and null.
func (s *Schema) resolve(of *Schema) *Schema {
	if of.OneOf != nil {
		of = of.OneOf[0]
	}
	if of.Ref != "" {
		return s.Defs[strings.TrimPrefix(of.Ref, "#/$defs/")]
	}
	return of
}

// words is the type in words; link names an object of the document, and is nil
// if objects are not named.
func (s *Schema) words(of *Schema, link func(object string) string) string {
	inner := s.resolve(of)
	null := of.OneOf != nil
	name, _ := inner.Type.(string)
	if types, ok := inner.Type.([]string); ok {
		name, null = types[0], true
	}
	values, isMap := inner.Additional.(*Schema)
	switch {
	case inner.Word != "":
		name = inner.Word
	case inner.Properties != nil && link != nil:
		name = link(s.object(of))
	case inner.Items != nil && s.resolve(inner.Items).Properties != nil:
		name = "list"
		if link != nil {
			name = "list of " + s.words(inner.Items, link)
		}
	case inner.Items != nil:
		name = "list of " + strings.TrimSuffix(s.words(inner.Items, link), "s") + "s"
	case isMap:
		name = "map of text to " + s.words(values, link)
	case name == "string", name == "":
		name = "text"
	}
	if null {
		name += " or null"
	}
	return name
}

// object is the name of the object that a schema refers to, directly or in a
// list or map.
func (s *Schema) object(of *Schema) string {
	if of.OneOf != nil {
		of = of.OneOf[0]
	}
	if values, ok := of.Additional.(*Schema); ok {
		return s.object(values)
	}
	if of.Items != nil {
		return s.object(of.Items)
	}
	return strings.TrimPrefix(of.Ref, "#/$defs/")
}

// choice is the words that the value may be.
func (s *Schema) choice(of *Schema) string {
	if of.Items != nil {
		of = of.Items
	}
	of = s.resolve(of)
	if of.Const != nil {
		return fmt.Sprintf("Always `%v`.", of.Const)
	}
	var words []string
	for _, word := range of.Enum {
		if word != nil {
			words = append(words, fmt.Sprint(word))
		}
	}
	if words == nil {
		return ""
	}
	return "One of `" + strings.Join(words, "`, `") + "`."
}

// Reference is Markdown with a table of the document's keys, followed by a
// section for each object in it, in order of first use. Objects in elsewhere
// are described at that link and have no section.
func (s *Schema) Reference(elsewhere map[string]string) string {
	link := func(object string) string {
		if at, ok := elsewhere[object]; ok {
			return "[" + object + "](" + at + ")"
		}
		return "[" + object + "](#" + strings.ToLower(object) + ")"
	}
	var b strings.Builder
	var order []string
	table := func(of *Schema) {
		var fields []Field
		for _, p := range of.Properties {
			f := Field{Path: p.Name, Type: s.words(p.Schema, link), Doc: strings.TrimSpace(s.describe(p.Schema) + " " + s.choice(p.Schema))}
			if !slices.Contains(of.Required, p.Name) {
				f.Type += ", optional"
			}
			fields = append(fields, f)
			if object := s.object(p.Schema); object != "" && elsewhere[object] == "" && !slices.Contains(order, object) {
				order = append(order, object)
			}
		}
		b.WriteString(Table(fields))
	}
	table(s)
	for i := 0; i < len(order); i++ {
		object := s.Defs[order[i]]
		fmt.Fprintf(&b, "\n### %s\n\n", order[i])
		if object.Description != "" {
			b.WriteString(object.Description + "\n\n")
		}
		table(object)
	}
	return b.String()
}

// describe is the description of the key, or else of the object that it holds.
func (s *Schema) describe(of *Schema) string {
	if of.Description != "" {
		return of.Description
	}
	if object := s.Defs[s.object(of)]; object != nil {
		return object.Description
	}
	return ""
}

// Table is a Markdown table of the fields.
func Table(fields []Field) string {
	var b strings.Builder
	b.WriteString("| field | type | what it is |\n|---|---|---|\n")
	for _, f := range fields {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Path, f.Type, strings.ReplaceAll(f.Doc, "|", `\|`))
	}
	return b.String()
}
