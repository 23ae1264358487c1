//go:build unix

package builder

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// Exec runs the command in a process group of its own and, when ctx ends, kills
// the group: the go command leaves its compilers running when it alone is killed.
func Exec(ctx context.Context, command Command) error {
	cmd := exec.CommandContext(ctx, command.Args[0], command.Args[1:]...)
	cmd.Dir = command.Dir
	cmd.Env = command.Environ
	cmd.Stdout = command.Stdout
	cmd.Stderr = command.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	// A compiler that outlives the kill for a moment still holds the pipes.
	cmd.WaitDelay = 5 * time.Second
	return cmd.Run()
}
