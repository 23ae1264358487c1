package trace

import (
	"bufio"
	"encoding/json"
	"io"
)

// event is one trace event. Times are in microseconds.
type event struct {
	Phase string `json:"ph"`
	Name  string `json:"name"`
	// Category groups events for filters.
	Category string `json:"cat,omitempty"`
	Process  int    `json:"pid"`
	Thread   int    `json:"tid"`
	At       int64  `json:"ts"`
	// Took is set for complete events only.
	Took *int64 `json:"dur,omitempty"`
	// Scope of an instant: "p" is its process, "t" its thread.
	Scope string         `json:"s,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// Phases of events.
const (
	complete = "X"
	counter  = "C"
	instant  = "i"
	metadata = "M"
)

// writer streams events, one per line, and keeps the first error.
type writer struct {
	out   *bufio.Writer
	first bool
	err   error
}

func newWriter(w io.Writer) *writer { return &writer{out: bufio.NewWriter(w), first: true} }

func (w *writer) begin() { w.text(`{"displayTimeUnit":"ms","traceEvents":[` + "\n") }

func (w *writer) event(e event) {
	if !w.first {
		w.text(",\n")
	}
	w.first = false
	w.json(e)
}

func (w *writer) end(other map[string]string) {
	w.text("\n" + `],"otherData":`)
	w.json(other)
	w.text("}\n")
}

func (w *writer) close() error {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.err
}

func (w *writer) json(v any) {
	data, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.text(string(data))
}

func (w *writer) text(s string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(s)
	}
}
