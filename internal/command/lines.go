package command

import (
	"bytes"
	"strings"
	"sync"
)

// keptBytes limits what Lines keeps.
const keptBytes = 64 << 10

// Lines takes a program's output line by line and keeps the last lines, at
// least 64 KiB. Stdout and Stderr may share one. The zero value is ready to
// use.
type Lines struct {
	// Keep is called for each whole line; false drops the line. Default: none is dropped.
	Keep func(line string) bool

	mu    sync.Mutex
	part  []byte // of a line that is not complete
	count int
	last  string
	kept  []byte
}

// Write implements io.Writer. It never fails.
func (l *Lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = append(l.part, b...)
	for {
		i := bytes.IndexByte(l.part, '\n')
		if i < 0 && len(l.part) < keptBytes {
			return len(b), nil
		}
		rest := l.part[len(l.part):]
		line := l.part
		if i >= 0 {
			line, rest = l.part[:i], l.part[i+1:]
		}
		l.take(strings.TrimRight(string(line), "\r"))
		l.part = rest
	}
}

func (l *Lines) take(line string) {
	l.count++
	l.last = line
	if l.Keep != nil && !l.Keep(line) {
		return
	}
	l.kept = append(append(l.kept, line...), '\n')
	if len(l.kept) > 2*keptBytes {
		l.kept = append([]byte(nil), l.kept[len(l.kept)-keptBytes:]...)
	}
}

// State is how many whole lines there were, and the last of them.
func (l *Lines) State() (count int, last string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count, l.last
}

// String is the text kept.
func (l *Lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.kept) + string(l.part)
}

// LastLines returns the last n non-empty lines of the text, indented.
func LastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n\t "); line != "" {
			lines = append(lines, "  "+line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
