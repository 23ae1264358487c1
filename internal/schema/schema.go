// Package schema generates the JSON Schema (draft 2020-12) of a Go type, and from it a
// reference of the fields for people. What encoding/json writes is what the schema
// takes: a key without omitempty or omitzero is required, a pointer that is always
// written may be null, and no object has other keys than its fields.
//
// Descriptions are the comments in the source, and enumerations the constants of a type
// of strings, so that each is said once. What neither tells is in the struct tag
// jsonschema, whose words are those of JSON Schema, separated by commas:
//
//	Stat string `json:"stat" jsonschema:"enum=p50,enum=p90"`
//	Name string `json:"name" jsonschema:"minLength=1,maxLength=63"`
//
// and three more: "optional" is a key that files may leave out although it is always
// written, "nullable" a value that its type writes as null where it does not exist, and
// "signed" an integer that may be negative; all others are counts.
//
// A type that encodes itself says what it writes by a method JSONSchemaAlias, which
// returns a struct, or has a schema in Generator.Custom.
//
// The package reads Go files and is for tests, which compare what it generates with
// files that are checked in.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Draft is the version of JSON Schema that is generated.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// Schema is as much of JSON Schema as Go types need.
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

	// Word is the type as people say it, where it is not that of JSON: "duration".
	Word string `json:"-"`
	// of is the type that Ref stands for, until all are known and named.
	of string
}

// Limits of numbers, texts and lists; nil where there is none.
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

// Property is a key of an object and what it holds.
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

// encode is json.Marshal without escapes for HTML: comments have < and &.
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

// Nullable tells whether s takes null for a value that does not exist.
func (s *Schema) Nullable() bool {
	_, two := s.Type.([]string)
	return two || s.OneOf != nil || slices.Contains(s.Enum, nil)
}
