package progress

import (
	"bytes"
	"io"
)

// Control sequences. The cursor always rests at the start of the line that is drawn
// and is never hidden, so that a process which is killed leaves nothing to put right.
const (
	eraseBelow = "\r\x1b[J" // to the end of the screen: a terminal made narrower may have broken the line
	eraseLine  = "\r\x1b[K" // what clusters/builder erases its own line with
)

// screen is a stream whose last line may be one that is drawn anew. Its methods are
// not safe for concurrent use. Each writes once, so that other processes' lines are
// not torn either; what cannot be written is lost, for no run should fail for it.
type screen struct {
	w io.Writer
	// drawn: the line stands. open: someone else's line has no end yet.
	drawn, open bool
}

// text writes what others wrote.
func (s *screen) text(b []byte) {
	if len(b) == 0 {
		return
	}
	s.write(b)
	s.open = !bytes.HasSuffix(b, []byte("\n")) && !bytes.HasSuffix(b, []byte(eraseLine))
}

// line writes a line that stays.
func (s *screen) line(text string) {
	b := []byte(text + "\n")
	if s.open {
		b = append([]byte("\n"), b...)
	}
	s.write(b)
	s.open = false
}

// draw draws the line, unless someone else's is not ended.
func (s *screen) draw(line string) {
	if s.open {
		return
	}
	_, _ = io.WriteString(s.w, eraseBelow+line+"\r")
	s.drawn = true
}

// erase removes the line that is drawn.
func (s *screen) erase() { s.write(nil) }

// write erases the line that is drawn and writes b in its place.
func (s *screen) write(b []byte) {
	if s.drawn {
		b = append([]byte(eraseBelow), b...)
		s.drawn = false
	}
	if len(b) > 0 {
		_, _ = s.w.Write(b)
	}
}
