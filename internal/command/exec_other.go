//go:build !unix

package command

import (
	"context"
	"os/exec"
	"time"
)

// Exec runs a command and kills it when ctx ends.
func Exec(ctx context.Context, c Command) error {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = c.Environ
	cmd.Stdout = c.Stdout
	cmd.Stderr = c.Stderr
	cmd.WaitDelay = 5 * time.Second
	return cmd.Run()
}
