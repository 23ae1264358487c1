package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFailureShowsTheCommandLineToPasteAndItsOutput(t *testing.T) {
	for name, test := range map[string]struct {
		command Command
		want    string
	}{
		"one line": {
			Command{Args: []string{"/bin/sh", "-c", "echo its bad >&2; exit 3 # it's"}},
			`/bin/sh -c 'echo its bad >&2; exit 3 # it'\''s': exit status 3: its bad`,
		},
		"several lines": {
			Command{Args: []string{"/bin/sh", "-c", "echo a; echo b; false", ""}},
			"/bin/sh -c 'echo a; echo b; false' '': exit status 1\n  a\n  b",
		},
		"silent": {Command{Args: []string{"/bin/false"}}, "/bin/false: exit status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Runner(Exec).Do(t.Context(), test.command)
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestOutputIsReturnedAndShownByTheError(t *testing.T) {
	text, err := Runner(Exec).Output(t.Context(), Command{Args: []string{"/bin/sh", "-c", "echo out; echo err >&2; exit 1"}})
	var failed *Error
	if text != "out\n" || !errors.As(err, &failed) || failed.Output != "out\nerr\n" {
		t.Errorf("got %q and %v", text, err)
	}
}

func TestStreamedOutputIsNotKept(t *testing.T) {
	var stdout, stderr bytes.Buffer
	err := Runner(Exec).Do(t.Context(), Command{
		Args: []string{"/bin/sh", "-c", "echo out; echo err >&2; exit 1"}, Stdout: &stdout, Stderr: &stderr,
	})
	var failed *Error
	if !errors.As(err, &failed) || failed.Output != "err\n" || stdout.String() != "out\n" || stderr.String() != "err\n" {
		t.Errorf("error %v, stdout %q, stderr %q", err, &stdout, &stderr)
	}
}

func TestProgramThatIsNotThereIsToldApart(t *testing.T) {
	if err := Runner(Exec).Do(t.Context(), Command{Args: []string{"no-such-program"}}); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestFullDiskIsFoundInWhatTheProgramSaid(t *testing.T) {
	full := Runner(func(_ context.Context, c Command) error {
		fmt.Fprintln(c.Stderr, "write /x: No space left on device")
		return errors.New("exit status 1")
	})
	if err := full.Do(t.Context(), Command{Args: []string{"x"}}); !errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EPERM) {
		t.Errorf("got %v", err)
	}
}

func TestExecStopsAllThatTheCommandStarted(t *testing.T) {
	for name, script := range map[string]string{
		"a child that ends when asked":    "sleep 600 & echo started; wait",
		"a child that refuses to end":     "(trap '' TERM; echo started; exec sleep 600 2>/dev/null) & wait",
		"a command that ends with a code": "trap 'exit 5' TERM; sleep 600 & echo started; wait",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			why := errors.New("enough")
			// Any live process of the group holds the pipe open.
			from, to, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer from.Close()
			said := bufio.NewReader(from)
			go func() {
				_, _ = said.ReadString('\n')
				cancel(why)
			}()
			if err := Runner(Exec).Do(ctx, Command{Args: []string{"/bin/sh", "-c", script}, Stdout: to}); !errors.Is(err, why) {
				t.Errorf("got %v, want the reason of the stop", err)
			}
			to.Close()
			if err := from.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(from); err != nil {
				t.Errorf("one of them lives on: %v", err)
			}
		})
	}
}

func TestLinesKeepTheEndOfALongOutput(t *testing.T) {
	lines := &Lines{Keep: func(line string) bool { return !strings.HasPrefix(line, "skip") }}
	for i := range 40_000 {
		fmt.Fprintf(lines, "line %d\r\nskip\n", i)
	}
	fmt.Fprint(lines, "half")
	count, last := lines.State()
	if count != 80_000 || last != "skip" {
		t.Errorf("%d lines, the last %q", count, last)
	}
	if got, want := LastLines(lines.String(), 2), "  line 39999\n  half"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := len(lines.String()); n > 2*keptBytes+10 {
		t.Errorf("%d bytes are kept", n)
	}
	// A program that writes no lines ends too.
	for range 100 {
		if _, err := lines.Write(bytes.Repeat([]byte{'x'}, 10_000)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(lines.String()); n > 3*keptBytes {
		t.Errorf("%d bytes are kept without line ends", n)
	}
}
