package schema

import (
	"maps"
	"slices"
	"strings"
)

// Spoiler breaks documents, one value at a time, to see what a schema fails to
// refuse. Of the values with the same path, only the first of each type is
// broken.
type Spoiler struct {
	// ByName are the keys of objects whose own keys are names, not fields: "phases".
	ByName []string
	taken  map[string]map[string]bool
}

// Spoil breaks every value of the document in each way for its type, removes
// every key and adds one to every object. It calls valid for each spoiled
// document. At the end the document is as it was.
func (s *Spoiler) Spoil(document map[string]any, valid func() bool) {
	if s.taken == nil {
		s.taken = map[string]map[string]bool{}
	}
	s.spoil("", document, nil, valid)
}

// String has a line for each path with the ways in which it may be spoiled and
// still be valid: "absent" is an optional key, "null" a key that may be null,
// "other text" a text that is not an enumeration.
func (s *Spoiler) String() string {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(s.taken)) {
		var ways []string
		for _, way := range slices.Sorted(maps.Keys(s.taken[path])) {
			if s.taken[path][way] {
				ways = append(ways, way)
			}
		}
		b.WriteString(strings.TrimRight(path+": "+strings.Join(ways, ", "), " ") + "\n")
	}
	return b.String()
}

func (s *Spoiler) spoil(path string, value any, set func(any), valid func() bool) {
	try := func(path, way string, apply func()) {
		if s.taken[path] == nil {
			s.taken[path] = map[string]bool{}
		}
		if _, tried := s.taken[path][way]; !tried {
			apply()
			s.taken[path][way] = valid()
		}
	}
	if set != nil {
		for way, bad := range ways(value) {
			try(path, way, func() { set(bad) })
		}
		set(value)
	}
	switch v := value.(type) {
	case []any:
		for i := range v {
			s.spoil(path+"[]", v[i], func(bad any) { v[i] = bad }, valid)
		}
	case map[string]any:
		const unknown = "notAField"
		try(path, "another key", func() { v[unknown] = 1.0 })
		delete(v, unknown)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := v[name]
			below := strings.TrimPrefix(path+"."+name, ".")
			if slices.Contains(s.ByName, path[strings.LastIndex(path, ".")+1:]) {
				below = path + ".*"
			}
			try(below, "absent", func() { delete(v, name) })
			v[name] = member
			s.spoil(below, member, func(bad any) { v[name] = bad }, valid)
		}
	}
}

// ways is what a value is changed to, by the name of the way.
func ways(value any) map[string]any {
	switch v := value.(type) {
	case float64:
		return map[string]any{"null": nil, "negative": -1.0, "zero": 0.0, "fraction": 1.5, "large": 1e9, "text": "1"}
	case string:
		return map[string]any{"null": nil, "empty": "", "other text": "no such word", "number": 1.0}
	case bool:
		return map[string]any{"null": nil, "text": "true", "number": 1.0}
	case []any:
		return map[string]any{"null": nil, "object": map[string]any{}, "number in the list": append(slices.Clone(v), -1.5), "null in the list": append(slices.Clone(v), nil)}
	case map[string]any:
		return map[string]any{"null": nil, "list": []any{}, "text": "x"}
	}
	return map[string]any{"a number": 1.0, "a text": "no such word", "a list": []any{}}
}
