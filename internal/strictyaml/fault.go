package strictyaml

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing wrong with a file.
type Fault struct {
	// File is the name given to Decode.
	File string
	// Line and Column count from 1; 0 means the whole file.
	Line, Column int
	// Path is the field's full path, "spec.objectives[2].limit"; empty for the root.
	Path string
	// Message says what is wrong and, where possible, what to do.
	Message string
}

// Error is "file:line:column: path: message", which editors can follow.
func (f Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
		if f.Column > 0 {
			fmt.Fprintf(&b, ":%d", f.Column)
		}
	}
	b.WriteString(": ")
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// Errors are all faults of one file in line order; it is never empty.
type Errors []Fault

// maxShown limits an error's length if the file is not the kind it was taken for.
const maxShown = 50

// Error has one line for each fault.
func (e Errors) Error() string {
	lines := make([]string, 0, min(len(e), maxShown)+1)
	for i, fault := range e {
		if i == maxShown {
			lines = append(lines, fmt.Sprintf("%s: and %d more", fault.File, len(e)-maxShown))
			break
		}
		lines = append(lines, fault.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes each Fault visible to errors.As.
func (e Errors) Unwrap() []error {
	unwrapped := make([]error, len(e))
	for i, fault := range e {
		unwrapped[i] = fault
	}
	return unwrapped
}

func (w *walker) errors() Errors {
	slices.SortStableFunc(w.faults, func(a, b Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return w.faults
}
