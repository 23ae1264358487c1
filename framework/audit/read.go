package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// MaxLine bounds a line, in bytes. An event of level RequestResponse holds two
// objects of at most 1.5 MiB each (etcd's limit), which JSON may make larger.
const MaxLine = 16 << 20

// Window is a span of time by the API server's clock. A zero end is open.
type Window struct{ From, To time.Time }

func (w Window) holds(t time.Time) bool {
	return !t.Before(w.From) && (w.To.IsZero() || !t.After(w.To))
}

// Keep chooses events. A nil Keep keeps all.
type Keep func(recording.AuditEvent) bool

// Stats tell what became of the lines that were read.
type Stats struct {
	// Lines is how many lines were whole, not counting empty ones.
	Lines int
	// Kept are in the result; Outside were received outside the window; Skipped were
	// rejected by Keep; Stages were of an earlier stage of a request.
	Kept, Outside, Skipped, Stages int
	// Malformed are not audit events; Oversized are longer than MaxLine.
	Malformed, Oversized int
	// FirstMalformed says what is wrong with the first of them.
	FirstMalformed string
	// Truncated: the last line was incomplete and was not read.
	Truncated bool
	// Bytes is the length of the whole lines.
	Bytes int64
}

func (s *Stats) add(o Stats) {
	s.Lines += o.Lines
	s.Kept += o.Kept
	s.Outside += o.Outside
	s.Skipped += o.Skipped
	s.Stages += o.Stages
	s.Malformed += o.Malformed
	s.Oversized += o.Oversized
	if s.FirstMalformed == "" {
		s.FirstMalformed = o.FirstMalformed
	}
	s.Truncated = o.Truncated
	s.Bytes += o.Bytes
}

// Read returns the completed requests that were received in the window and that keep
// chooses, in the order of the log, which is the order of completion. A malformed
// line is counted and skipped; an incomplete last line is still being written and is
// left alone. The error is the reader's.
func Read(r io.Reader, window Window, keep Keep) ([]recording.AuditEvent, Stats, error) {
	var (
		events []recording.AuditEvent
		stats  Stats
	)
	lines := bufio.NewReaderSize(r, 256<<10)
	var long []byte
	for {
		line, length, err := readLine(lines, &long)
		if errors.Is(err, io.EOF) {
			stats.Truncated = length > 0
			return events, stats, nil
		}
		if err != nil {
			return events, stats, fmt.Errorf("read audit log: %w", err)
		}
		stats.Bytes += int64(length)
		switch {
		case length > MaxLine:
			stats.Lines++
			stats.Oversized++
			continue
		case len(bytes.TrimSpace(line)) == 0:
			continue
		}
		stats.Lines++
		event, err := parse(line)
		switch {
		case errors.Is(err, errNotComplete):
			stats.Stages++
		case err != nil:
			stats.Malformed++
			if stats.FirstMalformed == "" {
				stats.FirstMalformed = err.Error()
			}
		case !window.holds(event.Received):
			stats.Outside++
		case keep != nil && !keep(event):
			stats.Skipped++
		default:
			stats.Kept++
			events = append(events, event)
		}
	}
}

// readLine returns the next line with its line end, and its length in the log. It
// keeps nothing of a line longer than MaxLine. With io.EOF, the length is that of the
// incomplete last line. long is scratch space that is reused.
func readLine(r *bufio.Reader, long *[]byte) (line []byte, length int, err error) {
	*long = (*long)[:0]
	for {
		part, err := r.ReadSlice('\n')
		length += len(part)
		switch {
		case err == nil && len(*long) == 0:
			return part, length, nil
		case length <= MaxLine:
			*long = append(*long, part...)
		default:
			*long = (*long)[:0]
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return *long, length, err
		}
	}
}
