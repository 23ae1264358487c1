package progress

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pty opens a pseudo-terminal of that many columns.
func pty(t *testing.T, columns uint16) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	return master, terminal
}

func TestOnARealTerminal(t *testing.T) {
	for _, name := range []string{"CI", "NO_COLOR"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", "xterm")
	master, terminal := pty(t, 72)
	p := New(terminal, Auto)
	if p.Mode() != Live || width(terminal) != 72 {
		t.Fatalf("mode %s, %d columns", p.Mode(), width(terminal))
	}
	p.Live(underway())
	for p.showing.Load() {
		time.Sleep(time.Millisecond)
	}
	p.End("pass", 0)

	seen := newTerminal(72)
	var got bytes.Buffer
	for !bytes.HasSuffix(got.Bytes(), []byte(eraseBelow)) || got.Len() == len(eraseBelow) {
		b := make([]byte, 4096)
		n, err := master.Read(b)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		got.Write(b[:n])
	}
	_, _ = seen.Write(got.Bytes())
	if want := "62/100 ready"; !bytes.Contains(got.Bytes(), []byte(want)) || !seen.clean() || len(seen.faults) > 0 {
		t.Errorf("%q; faults %q", got.String(), seen.faults)
	}
}

func TestTheEnvironmentOfATerminal(t *testing.T) {
	_, terminal := pty(t, 80)
	for _, test := range []struct {
		term, noColor, ci string
		mode              Mode
		colors            bool
	}{
		{"xterm", "", "", Live, true},
		{"xterm", "1", "", Live, false},
		{"dumb", "", "", Plain, false},
		{"xterm", "", "true", Plain, true},
		{"xterm", "", "false", Live, true},
	} {
		t.Setenv("TERM", test.term)
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("CI", test.ci)
		if mode, colors := New(terminal, Auto).Mode(), Colors(terminal); mode != test.mode || colors != test.colors {
			t.Errorf("%+v: mode %s, colors %v", test, mode, colors)
		}
	}
	if Terminal(&bytes.Buffer{}) || Terminal(os.NewFile(99, "closed")) || width(&bytes.Buffer{}) != defaultWidth {
		t.Error("a buffer is taken for a terminal")
	}
}
