package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/podburst/podburst/internal/command"
)

// run runs a command and returns what it wrote to its standard output.
func (o Options) run(ctx context.Context, dir string, args ...string) (string, error) {
	text, err := o.Run.Output(ctx, command.Command{Dir: dir, Environ: o.Environ, Args: args})
	return text, explain(args[0], err)
}

// follow is run for what takes long: each interval it says what step has come
// to, which describe makes of the number of lines seen and the last of them.
func (o Options) follow(ctx context.Context, step, dir string, environ []string, describe func(lines int, last string) string, args ...string) error {
	began := time.Now()
	seen := &command.Lines{}
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
				lines, last := seen.State()
				o.say("%s: %s, %s", step, describe(lines, last), time.Since(began).Round(time.Second))
			}
		}
	}()
	err := o.Run.Do(ctx, command.Command{
		Dir: dir, Environ: environ, Args: args, Stderr: seen,
	})
	close(stop)
	<-stopped
	return explain(args[0], err)
}

// explain says what to do about a program that is not there.
func explain(program string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w: install %s first", err, program)
	}
	return err
}
