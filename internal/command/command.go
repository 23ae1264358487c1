package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
)

// Command is one call of a program.
type Command struct {
	// Dir is the folder it runs in. Default: the current one.
	Dir string
	// Environ is its whole environment, as os.Environ gives it. Default: this process's.
	Environ []string
	// Args is the program and its arguments.
	Args []string
	// Stdout and Stderr receive its output. Default: it is dropped.
	Stdout, Stderr io.Writer
}

// Runner runs a command to its end. When ctx ends, it stops the command and
// everything the command started, and returns once they are gone. Exec is the
// real one.
type Runner func(ctx context.Context, c Command) error

// Do runs a command. If it fails, the error is an *Error with what the command
// wrote to Stderr (and to Stdout, if that is nil). If Stderr is a *Lines, it
// decides which lines the error shows.
func (run Runner) Do(ctx context.Context, c Command) error {
	said, ok := c.Stderr.(*Lines)
	if !ok {
		said = &Lines{}
		if c.Stderr == nil {
			c.Stderr = said
		} else {
			c.Stderr = io.MultiWriter(c.Stderr, said)
		}
	}
	if c.Stdout == nil {
		c.Stdout = said
	}
	err := run(ctx, c)
	if err == nil {
		return nil
	}
	failed := &Error{Args: c.Args, Output: said.String(), Err: err}
	if ctx.Err() != nil {
		failed.Stopped, failed.Err = true, fmt.Errorf("stopped: %w", context.Cause(ctx))
	}
	return failed
}

// Output runs a command and returns its standard output, even if it fails. The
// *Error of a failure shows both outputs.
func (run Runner) Output(ctx context.Context, c Command) (string, error) {
	var stdout bytes.Buffer
	c.Stdout = &stdout
	err := run.Do(ctx, c)
	var failed *Error
	if errors.As(err, &failed) {
		failed.Output = stdout.String() + failed.Output
	}
	return stdout.String(), err
}

// Error is a command that failed or was stopped.
type Error struct {
	// Args is the program and its arguments.
	Args []string
	// Output is the end of what it wrote.
	Output string
	// Err says how it ended: the cause of ctx, if that ended it.
	Err error
	// Stopped says that ctx ended it.
	Stopped bool
}

// shownLines is how much of the output an error shows.
const shownLines = 12

// Error is the command line, ready to paste into a shell, how the command
// ended, and the end of its output.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %v", Line(e.Args), e.Err)
	switch said := LastLines(e.Output, shownLines); {
	case said == "":
		return text
	case strings.Contains(said, "\n"):
		return text + "\n" + said
	default:
		return text + ": " + strings.TrimSpace(said)
	}
}

// Unwrap returns how the command ended: exec.ErrNotFound if there is no such
// program.
func (e *Error) Unwrap() error { return e.Err }

// Is detects a full disk from what the program said: its exit code does not
// show it.
func (e *Error) Is(target error) bool {
	return target == syscall.ENOSPC && strings.Contains(strings.ToLower(e.Output), syscall.ENOSPC.Error())
}

// plain are the characters that a shell takes literally.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_"

// Line writes a command ready to paste into a shell.
func Line(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if arg == "" || strings.Trim(arg, plain) != "" {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
