package strictyaml

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decimal is JSON's number. YAML's other spellings (012, 0x10, 1_000, .5) mean
// different numbers to different readers and are refused.
var decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

func (w *walker) scalar(n *yaml.Node, t reflect.Type, path string) any {
	number := n.Tag == "!!int" || n.Tag == "!!float"
	switch n.Tag {
	case "!!str", "!!bool", "!!int", "!!float", "!!timestamp", "!!merge":
	default:
		return w.fault(n, path, "the tag %s is not supported", n.Tag)
	}
	switch t.Kind() {
	case reflect.String:
		switch n.Tag {
		case "!!str", "!!merge":
			return n.Value
		}
		return w.fault(n, path, "expected a string, got %s; put it in quotes", found(n))
	case reflect.Bool:
		if n.Tag == "!!bool" {
			if value, err := strconv.ParseBool(n.Value); err == nil {
				return value
			}
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if !number || !decimal.MatchString(n.Value) || strings.ContainsAny(n.Value, ".eE") {
			break
		}
		var err error
		if t.Kind() >= reflect.Uint {
			_, err = strconv.ParseUint(n.Value, 10, t.Bits())
		} else {
			_, err = strconv.ParseInt(n.Value, 10, t.Bits())
		}
		if err != nil {
			return w.fault(n, path, "%s is out of range", shorten(n.Value))
		}
		return json.Number(n.Value)
	case reflect.Float32, reflect.Float64:
		if !number || !decimal.MatchString(n.Value) {
			break
		}
		if _, err := strconv.ParseFloat(n.Value, t.Bits()); err != nil {
			return w.fault(n, path, "%s is out of range", shorten(n.Value))
		}
		return json.Number(n.Value)
	}
	return w.fault(n, path, "expected %s, got %s", describe(t), found(n))
}

// describe names a type in words.
func describe(t reflect.Type) string {
	if t.Name() == "Duration" && t.Kind() != reflect.Int64 {
		return `a duration such as "20ms" or "5s"`
	}
	if pointer := reflect.PointerTo(t); pointer.Implements(jsonUnmarshaler) || pointer.Implements(textUnmarshaler) {
		return "a " + t.Name()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole decimal number"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole decimal number, 0 or more"
	case reflect.Float32, reflect.Float64:
		return "a finite decimal number"
	case reflect.Struct, reflect.Map:
		return "a mapping (field: value)"
	case reflect.Slice, reflect.Array:
		return "a list (- item)"
	}
	return "a value"
}

// found names what is in the file.
func found(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!null":
		return "nothing"
	case "!!bool":
		return shorten(n.Value)
	case "!!int", "!!float":
		return "the number " + shorten(n.Value)
	}
	return "the string " + strconv.Quote(shorten(n.Value))
}

// shorten keeps a value from filling the message.
func shorten(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
