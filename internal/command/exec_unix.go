//go:build unix

package command

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// grace is how long a command may take to end once asked to.
const grace = 10 * time.Second

// Exec runs a command in its own process group, so that a Ctrl-C on the
// terminal does not reach it. When ctx ends, the whole group is asked to
// terminate, and is killed ten seconds later. (If only the go command is
// killed, its compilers keep running.)
func Exec(ctx context.Context, c Command) error {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = c.Environ
	cmd.Stdout = c.Stdout
	cmd.Stderr = c.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = grace
	err := cmd.Run()
	if ctx.Err() != nil && cmd.Process != nil {
		// A group's number is not reused while one of its processes lives.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // Usually ESRCH: all have ended.
	}
	return err
}
