package strictyaml

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/podburst/podburst/internal/nearest"
)

const (
	// maxDepth limits nesting, and so an anchor that contains itself.
	maxDepth = 64
	// maxExpanded limits what aliases may expand to ("billion laughs"), in bytes
	// of scalars plus nodeCost for each node.
	maxExpanded = 2 << 20
	nodeCost    = 16
)

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// walker checks nodes against Go types and collects what encoding/json can decode.
type walker struct {
	file   string
	budget int
	faults []Fault
}

func (w *walker) fault(n *yaml.Node, path, format string, args ...any) any {
	w.faults = append(w.faults, Fault{
		File: w.file, Line: n.Line, Column: n.Column, Path: path, Message: fmt.Sprintf(format, args...)})
	return nil
}

// enter follows an alias and charges for the visit. ok is false if the walk
// must not go on; the reason has then been reported.
func (w *walker) enter(n *yaml.Node, path string, depth int) (node *yaml.Node, ok bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if depth > maxDepth {
		w.fault(n, path, "nested more than %d levels deep", maxDepth)
		return n, false
	}
	spent := w.budget <= 0
	w.budget -= nodeCost + len(n.Value)
	if w.budget <= 0 {
		if !spent {
			w.fault(n, path, "the file expands to more than %d KiB", maxExpanded>>10)
		}
		return n, false
	}
	return n, true
}

// value checks n against t and returns it in the form that encoding/json expects.
func (w *walker) value(n *yaml.Node, t reflect.Type, path string, depth int) any {
	n, ok := w.enter(n, path, depth)
	if !ok {
		return nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return w.fault(n, path, "has no value: expected %s; leave the field out to leave it unset", describe(t))
	}
	pointer := reflect.PointerTo(t)
	switch {
	case pointer.Implements(jsonUnmarshaler), pointer.Implements(textUnmarshaler):
		return w.custom(n, t, path, depth)
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		return w.structure(n, t, path, depth)
	case t.Kind() == reflect.Map && n.Kind == yaml.MappingNode:
		return w.mapping(n, path, func(_ *yaml.Node, value *yaml.Node, path string) any {
			return w.value(value, t.Elem(), path, depth+1)
		})
	case (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && n.Kind == yaml.SequenceNode:
		return w.sequence(n, path, func(item *yaml.Node, path string) any {
			return w.value(item, t.Elem(), path, depth+1)
		})
	case t.Kind() == reflect.Interface:
		return w.untyped(n, path, depth)
	case n.Kind == yaml.ScalarNode:
		return w.scalar(n, t, path)
	}
	return w.fault(n, path, "expected %s, got %s", describe(t), found(n))
}

func (w *walker) structure(n *yaml.Node, t reflect.Type, path string, depth int) any {
	known := fieldsOf(t)
	return w.mapping(n, path, func(key, value *yaml.Node, path string) any {
		field, ok := known.types[key.Value]
		if !ok {
			return w.fault(key, path, "unknown field%s", nearest.Hint(key.Value, "valid fields", known.names))
		}
		return w.value(value, field, path, depth+1)
	})
}

func (w *walker) mapping(n *yaml.Node, path string, each func(key, value *yaml.Node, path string) any) any {
	if n.Tag != "!!map" {
		return w.fault(n, path, "the tag %s is not supported", n.Tag)
	}
	values := make(map[string]any, len(n.Content)/2)
	first := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Kind == yaml.ScalarNode && key.Tag == "!!merge":
			w.fault(key, path, "merge keys (<<) are not supported; write the fields out")
			continue
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			w.fault(key, path, "a field's name must be a string, got %s", found(key))
			continue
		}
		below := join(path, key.Value)
		if line, duplicate := first[key.Value]; duplicate {
			w.fault(key, below, "duplicate field, first set on line %d", line)
			continue
		}
		first[key.Value] = key.Line
		values[key.Value] = each(key, value, below)
	}
	return values
}

func (w *walker) sequence(n *yaml.Node, path string, each func(item *yaml.Node, path string) any) any {
	if n.Tag != "!!seq" {
		return w.fault(n, path, "the tag %s is not supported", n.Tag)
	}
	values := make([]any, 0, len(n.Content))
	for i, item := range n.Content {
		values = append(values, each(item, path+"["+strconv.Itoa(i)+"]"))
	}
	return values
}

// custom lets a type that decodes itself (metav1.Duration, time.Time) judge its value.
func (w *walker) custom(n *yaml.Node, t reflect.Type, path string, depth int) any {
	before := len(w.faults)
	raw := w.untyped(n, path, depth)
	if len(w.faults) > before {
		return nil
	}
	encoded, err := json.Marshal(raw)
	if err == nil {
		err = json.Unmarshal(encoded, reflect.New(t).Interface())
	}
	var wrongKind *json.UnmarshalTypeError
	if errors.As(err, &wrongKind) { // its text is about Go types
		return w.fault(n, path, "expected %s, got %s", describe(t), found(n))
	}
	if err != nil {
		return w.fault(n, path, "expected %s, got %s: %v", describe(t), found(n), err)
	}
	return raw
}

// untyped turns n into what encoding/json makes of an untyped value.
func (w *walker) untyped(n *yaml.Node, path string, depth int) any {
	n, ok := w.enter(n, path, depth)
	if !ok {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		return w.mapping(n, path, func(_, value *yaml.Node, path string) any {
			return w.untyped(value, path, depth+1)
		})
	case yaml.SequenceNode:
		return w.sequence(n, path, func(item *yaml.Node, path string) any {
			return w.untyped(item, path, depth+1)
		})
	}
	switch n.Tag {
	case "!!bool":
		return w.scalar(n, reflect.TypeFor[bool](), path)
	case "!!int", "!!float":
		return w.scalar(n, reflect.TypeFor[float64](), path)
	case "!!null":
		return nil
	case "!!timestamp": // a date without quotes
		return n.Value
	}
	return w.scalar(n, reflect.TypeFor[string](), path)
}
