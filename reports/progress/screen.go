package progress

import (
	"bytes"
	"io"
)

// Control sequences. The cursor is never hidden and always rests at the start of the drawn
// line, so a killed process leaves nothing to clean up.
const (
	eraseBelow = "\r\x1b[J" // to the end of the screen: a terminal made narrower may have broken the line
	eraseLine  = "\r\x1b[K" // what clusters/builder erases its own line with
)

// screen is a stream whose last line may be a redrawn one. Its methods are not safe for
// concurrent use. Each writes only once, so that other processes' lines are not torn
// either. Text that cannot be written is lost, because no run should fail for that.
type screen struct {
	w io.Writer
	// drawn: our line is on the screen. open: someone else's line has no end yet.
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

// draw draws the line, unless someone else's line is unfinished.
func (s *screen) draw(line string) {
	if s.open {
		return
	}
	_, _ = io.WriteString(s.w, eraseBelow+line+"\r")
	s.drawn = true
}

// erase removes the drawn line.
func (s *screen) erase() { s.write(nil) }

// write erases the drawn line and writes b in its place.
func (s *screen) write(b []byte) {
	if s.drawn {
		b = append([]byte(eraseBelow), b...)
		s.drawn = false
	}
	if len(b) > 0 {
		_, _ = s.w.Write(b)
	}
}
