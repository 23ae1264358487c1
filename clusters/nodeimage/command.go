package nodeimage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Command is one call of a program.
type Command struct {
	// Dir is the folder it runs in; empty is the current one.
	Dir string
	// Environ is its whole environment.
	Environ []string
	// Args is the program and its arguments.
	Args []string
	// Stdout and Stderr receive its output; nil discards it.
	Stdout, Stderr io.Writer
}

// Runner runs a command to its end. When ctx ends it stops the command and all
// that the command started.
type Runner func(ctx context.Context, command Command) error

// Exec runs the command and, when ctx ends, asks it to terminate, and kills it
// ten seconds later.
func Exec(ctx context.Context, command Command) error {
	cmd := exec.CommandContext(ctx, command.Args[0], command.Args[1:]...)
	cmd.Dir = command.Dir
	cmd.Env = command.Environ
	cmd.Stdout = command.Stdout
	cmd.Stderr = command.Stderr
	ownGroup(cmd)
	cmd.WaitDelay = 10 * time.Second
	return cmd.Run()
}

// errorLines is how many lines of a failed command's output its error shows.
const errorLines = 12

// run runs a command and returns what it wrote to its standard output. The
// error shows the command as one could paste it, and the end of its output.
func (o Options) run(ctx context.Context, dir string, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	err := o.Run(ctx, Command{
		Dir: dir, Environ: o.Environ, Args: args, Stdout: &stdout, Stderr: &stderr,
	})
	if err != nil {
		return "", explain(ctx, args, err, stdout.String()+"\n"+stderr.String())
	}
	return stdout.String(), nil
}

// follow is run for what takes long: each interval it says what step has come
// to, which describe makes of the number of lines seen and the last of them.
func (o Options) follow(ctx context.Context, step, dir string, environ []string, describe func(lines int, last string) string, args ...string) error {
	began := time.Now()
	seen := &lineCounter{}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(o.Interval)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				lines, last := seen.state()
				o.say("%s: %s, %s", step, describe(lines, last), time.Since(began).Round(time.Second))
			}
		}
	}()
	err := o.Run(ctx, Command{
		Dir: dir, Environ: append(o.Environ[:len(o.Environ):len(o.Environ)], environ...), Args: args,
		Stdout: seen, Stderr: seen,
	})
	close(stop)
	<-stopped
	if err != nil {
		return explain(ctx, args, err, seen.tail())
	}
	return nil
}

// explain makes a command's failure an error that says what to do next.
func explain(ctx context.Context, args []string, err error, output string) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: stopped: %w", args[0], context.Cause(ctx))
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s: %w: install it first", args[0], err)
	case errors.Is(err, syscall.ENOSPC) || strings.Contains(strings.ToLower(output), "no space left on device"):
		return fmt.Errorf("%s: %w\n%s", args[0], ErrDiskFull, lastLines(output))
	}
	return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, lastLines(output))
}

// lineCounter counts the lines written to it and keeps the last ones.
type lineCounter struct {
	mu    sync.Mutex
	part  []byte
	count int
	kept  []string
}

func (c *lineCounter) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.part = append(c.part, b...)
	for {
		i := bytes.IndexByte(c.part, '\n')
		if i < 0 {
			return len(b), nil
		}
		c.count++
		c.kept = append(c.kept, strings.TrimRight(string(c.part[:i]), "\r"))
		if len(c.kept) > 4*errorLines {
			c.kept = append([]string(nil), c.kept[2*errorLines:]...)
		}
		c.part = c.part[i+1:]
	}
}

func (c *lineCounter) state() (count int, last string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.kept) > 0 {
		last = c.kept[len(c.kept)-1]
	}
	return c.count, last
}

func (c *lineCounter) tail() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(append(c.kept, string(c.part)), "\n")
}

// lastLines returns the last lines that are not empty, indented.
func lastLines(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n\t "); line != "" {
			lines = append(lines, "  "+line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-errorLines):], "\n")
}
