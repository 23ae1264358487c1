// Package schema generates the JSON Schema (draft 2020-12) of a Go type, and
// from it a reference of the fields for people. The schema accepts what
// encoding/json writes: a key without omitempty or omitzero is required, a
// pointer that is always written may be null, and no object has keys other than
// its fields.
//
// Descriptions come from the comments in the source, and enumerations from the
// constants of a string type, so that each is written once. The struct tag
// jsonschema has the rest, in the words of JSON Schema, separated by commas:
//
//	Stat string `json:"stat" jsonschema:"enum=p50,enum=p90"`
//	Name string `json:"name" jsonschema:"minLength=1,maxLength=63"`
//
// There are three more: "optional" is a key that files may omit although it is
// always written, "nullable" a value that its type writes as null if it does
// not exist, and "signed" an integer that may be negative; all others are
// counts.
//
// A type that encodes itself has either a method JSONSchemaAlias, which returns
// a struct of the same form, or a schema in Generator.Custom.
//
// The package reads Go files. It is for tests, which compare what it generates
// with checked-in files.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Draft is the version of JSON Schema that is generated.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// Schema is the part of JSON Schema that Go types need.
type Schema struct {
	Draft       string     `json:"$schema,omitempty"`
	ID          string     `json:"$id,omitempty"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Ref         string     `json:"$ref,omitempty"`
	Type        any        `json:"type,omitempty"` // a string, or a []string that ends in "null"
	Const       any        `json:"const,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Format      string     `json:"format,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Limits                 // of numbers, texts and lists
	OneOf       []*Schema  `json:"oneOf,omitempty"`
	Items       *Schema    `json:"items,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Properties  Properties `json:"properties,omitempty"`
	// Additional is false for a struct, and the *Schema of the values for a map.
	Additional any                `json:"additionalProperties,omitempty"`
	Defs       map[string]*Schema `json:"$defs,omitempty"`

	// Word is the type in words, if it is not JSON's: "duration".
	Word string `json:"-"`
	// of is the type that Ref stands for, until all types are known and named.
	of string
}

// Limits of numbers, texts and lists; nil if there is none.
type Limits struct {
	Minimum          *float64 `json:"minimum,omitempty"`
	ExclusiveMinimum *float64 `json:"exclusiveMinimum,omitempty"`
	Maximum          *float64 `json:"maximum,omitempty"`
	ExclusiveMaximum *float64 `json:"exclusiveMaximum,omitempty"`
	MinLength        *float64 `json:"minLength,omitempty"`
	MaxLength        *float64 `json:"maxLength,omitempty"`
	MinItems         *float64 `json:"minItems,omitempty"`
	MaxItems         *float64 `json:"maxItems,omitempty"`
}

// Property is a key of an object and the schema of its value.
type Property struct {
	Name string
	*Schema
}

// Properties are written in the order of the struct's fields.
type Properties []Property

// MarshalJSON writes an object.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, property := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := encode(property.Schema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", property.Name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode is json.Marshal without HTML escapes: comments contain < and &.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Text is the schema as a file.
func (s *Schema) Text() (string, error) {
	raw, err := encode(s)
	if err != nil {
		return "", fmt.Errorf("write schema %s: %w", s.ID, err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return "", fmt.Errorf("write schema %s: %w", s.ID, err)
	}
	return b.String() + "\n", nil
}

// nullable is s or null.
func nullable(s *Schema) *Schema {
	switch {
	case s.Ref != "" || s.of != "":
		return &Schema{OneOf: []*Schema{s, {Type: "null"}}}
	case s.Enum != nil:
		s.Enum = append(s.Enum, nil)
	}
	if name, ok := s.Type.(string); ok {
		s.Type = []string{name, "null"}
	}
	return s
}

// Nullable reports whether s accepts null for a value that does not exist.
func (s *Schema) Nullable() bool {
	_, two := s.Type.([]string)
	return two || s.OneOf != nil || slices.Contains(s.Enum, nil)
}
