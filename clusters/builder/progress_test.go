package builder

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// manualClock moves only when told.
type manualClock struct {
	now  time.Time
	tick chan time.Time
}

func (c *manualClock) Now() time.Time                       { return c.now }
func (c *manualClock) After(time.Duration) <-chan time.Time { return c.tick }

func TestProgressCountsPackagesAndKeepsTheRest(t *testing.T) {
	clock := &manualClock{now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)}
	var out bytes.Buffer
	p := newProgress(Options{Output: &out, Clock: clock}, "v1.37.2")
	p.plan(map[string]bool{"fmt": false, "a/b": true, "c": true, "d/e": true, "f": true})
	if got := out.String(); !strings.Contains(got, "compiling 4 of its 5 packages") {
		t.Errorf("plan said %q", got)
	}
	p.began = clock.now
	w := p.filter()
	// Writes to a pipe can be split anywhere.
	for _, part := range []string{"a/", "b\nc\n# d/e\n", "./e.go:1:1: bad\ngo: downloading x v1\n"} {
		fmt.Fprint(w, part)
	}
	clock.now = clock.now.Add(90 * time.Second)
	if got, want := p.compiling(), "2/4 packages, 1m30s, about "; !strings.HasPrefix(got, want) {
		t.Errorf("progress %q, want it to begin with %q", got, want)
	}
	if got, want := w.String(), "# d/e\n./e.go:1:1: bad\n"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
	fmt.Fprint(w, "d/e\nf\n")
	if got, want := p.compiling(), "4/4 packages, 1m30s, linking"; got != want {
		t.Errorf("progress %q, want %q", got, want)
	}
	if got, want := p.fetching(), "1 modules fetched, 1m30s"; got != want {
		t.Errorf("progress %q, want %q", got, want)
	}
}

func TestProgressOnATerminalIsOneLine(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		clock := &manualClock{tick: make(chan time.Time)}
		var out bytes.Buffer
		p := newProgress(Options{Output: &out, Terminal: terminal, Clock: clock}, "v1.37.2")
		stop := p.every(func() string { return "step" })
		clock.tick <- time.Time{}
		clock.tick <- time.Time{}
		stop()
		if lines := strings.Count(out.String(), "\n"); terminal && lines != 0 || !terminal && lines < 1 {
			t.Errorf("terminal %v: %d line ends in %q", terminal, lines, out.String())
		}
		if terminal && !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("the live line was not cleared: %q", out.String())
		}
	}
}
