package componentlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// maxLine is the longest line that is parsed, in bytes. Longer ones (dumps of objects
// at high verbosity) hold nothing of interest and are skipped.
const maxLine = 256 << 10

// Read reads a log to its end. Text stamps get the year that brings them closest to
// reference, which is any time within half a year of the log. They are taken to be in
// location, or in UTC if that is nil, as in containers. The error is the reader's,
// returned with what was read until then.
func Read(r io.Reader, reference time.Time, location *time.Location) (*Log, error) {
	if location == nil {
		location = time.UTC
	}
	log := &Log{}
	years := calendar{reference: reference, location: location}
	lines := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		skipped := false
		for errors.Is(err, bufio.ErrBufferFull) {
			skipped = true
			line, err = lines.ReadSlice('\n')
		}
		switch {
		case skipped:
			log.Read++
			log.Unstamped++
		case len(line) > 0:
			log.add(bytes.TrimRight(line, "\r\n"), years)
		}
		if errors.Is(err, io.EOF) {
			return log, nil
		}
		if err != nil {
			return log, fmt.Errorf("read a component's log: %w", err)
		}
	}
}

// add parses one line.
func (l *Log) add(line []byte, years calendar) {
	l.Read++
	record, ok := parseRecord(line, years)
	if !ok {
		l.Unstamped++
		return
	}
	if l.First.IsZero() {
		l.First = record.at
		l.FromStart = startsComponent(record.message)
	}
	l.Last = record.at
	found, told, err := record.interpret()
	switch {
	case err != nil:
		l.Damaged++
	case told && !l.repeats(found):
		l.Lines = append(l.Lines, found)
	}
}

// repeats tells whether a wait is already in the log: at -v=3 and higher, client-go
// logs a wait of more than a second twice, once for each of its two levels.
func (l *Log) repeats(line Line) bool {
	for i := len(l.Lines) - 1; line.Kind == Throttled && i >= 0; i-- {
		before := l.Lines[i]
		if line.At.Sub(before.At).Abs() > repeatWithin {
			return false
		}
		before.At = line.At
		if before == line {
			return true
		}
	}
	return false
}

// repeatWithin is how long after the first of the two lines the second may come, with
// lines of other goroutines in between. Both give the same wait to the nanosecond.
const repeatWithin = 100 * time.Millisecond

// startMessages are how the first line of a component begins: the dump of its flags
// at -v=1 and higher, and what it announces at lower verbosity.
var startMessages = [][]byte{
	[]byte("FLAG: "), []byte("external host was not specified"), []byte("Version: "),
	[]byte("Effective KubeletConfiguration"), []byte("Kubelet version"), []byte("Golang settings"),
	[]byte("Generated self-signed cert"), []byte("Starting Kubernetes Scheduler"), []byte("Serving securely"),
}

func startsComponent(message []byte) bool {
	for _, start := range startMessages {
		if bytes.HasPrefix(message, start) {
			return true
		}
	}
	return false
}
