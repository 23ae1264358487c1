package builder

import (
	"bytes"
	"strings"
	"sync"
)

// lineWriter calls line for each whole line written to it.
type lineWriter struct {
	mu   sync.Mutex
	part []byte
	line func(string)
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part = append(w.part, b...)
	for {
		i := bytes.IndexByte(w.part, '\n')
		if i < 0 {
			return len(b), nil
		}
		w.line(strings.TrimRight(string(w.part[:i]), "\r"))
		w.part = w.part[i+1:]
	}
}

// tailBuffer keeps the end of what is written to it: a failing build of this
// size can say a lot.
type tailBuffer struct {
	mu   sync.Mutex
	kept []byte
}

const tailSize = 64 << 10

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept = append(b.kept, p...)
	if len(b.kept) > 2*tailSize {
		b.kept = append([]byte(nil), b.kept[len(b.kept)-tailSize:]...)
	}
	return len(p), nil
}

func (b *tailBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.kept)
}
