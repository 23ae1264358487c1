package strictyaml

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// fields are the fields that a struct accepts, in declaration order.
type fields struct {
	names []string
	types map[string]reflect.Type
}

// fieldsOf follows encoding/json: a tag's name, else the Go name; "-" and
// unexported fields are left out; the fields of an embedded struct without a
// name become the outer struct's, whose own fields take precedence.
func fieldsOf(t reflect.Type) fields {
	found := fields{types: map[string]reflect.Type{}}
	var embedded []reflect.Type
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case tag == "-":
		case field.Anonymous && name == "" && inner.Kind() == reflect.Struct:
			embedded = append(embedded, inner)
		case field.IsExported():
			if name == "" {
				name = field.Name
			}
			found.add(name, field.Type)
		}
	}
	for _, inner := range embedded {
		promoted := fieldsOf(inner)
		for _, name := range promoted.names {
			found.add(name, promoted.types[name])
		}
	}
	return found
}

func (f *fields) add(name string, t reflect.Type) {
	if _, taken := f.types[name]; !taken {
		f.names = append(f.names, name)
		f.types[name] = t
	}
}

// join appends a field's name to a path; a name that could be misread is quoted.
func join(path, name string) string {
	plain := name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
	}) < 0
	name = shorten(name)
	if !plain {
		name = strconv.Quote(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}
