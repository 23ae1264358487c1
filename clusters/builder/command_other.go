//go:build !unix

package builder

import (
	"context"
	"os/exec"
	"time"
)

// Exec runs the command and kills it when ctx ends.
func Exec(ctx context.Context, command Command) error {
	cmd := exec.CommandContext(ctx, command.Args[0], command.Args[1:]...)
	cmd.Dir = command.Dir
	cmd.Env = command.Environ
	cmd.Stdout = command.Stdout
	cmd.Stderr = command.Stderr
	cmd.WaitDelay = 5 * time.Second
	return cmd.Run()
}
