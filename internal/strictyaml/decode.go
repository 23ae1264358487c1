// Package strictyaml decodes podburst's own YAML files and refuses what it does
// not understand. If a misspelled field were ignored, the setting would stay at
// its default while its author took it to be in force. So every fault is an
// error that names file, line, field path and the nearest valid field, and all
// faults are reported at once.
//
// One parse serves both the check and the values: a second YAML library would
// read some scalars differently (YAML 1.1 reads "on" and "012" as a bool and an
// octal number). The subset is that of JSON plus comments, quoting styles and
// anchors; merge keys, custom tags, null values and several documents are
// refused.
package strictyaml

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxSize is the largest file accepted, in bytes.
const MaxSize = 256 << 10

// Decode reads the single YAML document in data into the struct that into
// points to. Field names and embedding follow encoding/json's tags; names are
// case-sensitive. name stands for the file in messages.
//
// The error is an Errors with every fault of the file; into is then unchanged.
// Decode does not set defaults or check for required fields.
func Decode(name string, data []byte, into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() || target.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("decode %s: into is %T, not a pointer to a struct", name, into)
	}
	root, fault := parse(data)
	if fault != nil {
		fault.File = name
		return Errors{*fault}
	}
	w := walker{file: name, budget: maxExpanded}
	tree := w.value(root, target.Elem().Type(), "", 0)
	if len(w.faults) > 0 {
		return w.errors()
	}
	encoded, err := json.Marshal(tree)
	if err != nil {
		return fmt.Errorf("decode %s: %w", name, err)
	}
	// Decode into a fresh value: if json.Unmarshal fails, it leaves the value half
	// set.
	fresh := reflect.New(target.Elem().Type())
	fresh.Elem().Set(target.Elem())
	if err := json.Unmarshal(encoded, fresh.Interface()); err != nil {
		return fmt.Errorf("decode %s: %w", name, err)
	}
	target.Elem().Set(fresh.Elem())
	return nil
}

var syntaxError = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)$`)

// parse returns the root of the only document in data.
func parse(data []byte) (root *yaml.Node, fault *Fault) {
	if len(data) > MaxSize {
		return nil, &Fault{Message: fmt.Sprintf("the file is larger than %d KiB", MaxSize>>10)}
	}
	// The YAML parser panics on a few malformed inputs instead of returning an error.
	defer func() {
		if r := recover(); r != nil {
			root, fault = nil, &Fault{Message: fmt.Sprintf("not valid YAML: %v", r)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, &Fault{Message: "the file is empty"}
	case err != nil:
		return nil, syntaxFault(err)
	}
	root = document.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, &Fault{Line: root.Line, Column: root.Column, Message: "the file is empty"}
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, &Fault{Line: second.Line, Column: second.Column,
			Message: "a second document begins here; one file holds one document"}
	case !errors.Is(err, io.EOF):
		return nil, syntaxFault(err)
	}
	return root, nil
}

func syntaxFault(err error) *Fault {
	match := syntaxError.FindStringSubmatch(strings.ReplaceAll(err.Error(), "\n", " "))
	line, _ := strconv.Atoi(match[1]) // 0, "no line", if the parser names none
	return &Fault{Line: line, Message: "not valid YAML: " + match[2]}
}
