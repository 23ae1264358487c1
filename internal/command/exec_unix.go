//go:build unix

package command

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// grace is how long a command may take to end once it was asked to.
const grace = 10 * time.Second

// Exec runs a command in a process group of its own, so that a Ctrl-C on the
// terminal does not reach it. When ctx ends, the whole group is asked to terminate
// (the go command leaves its compilers running when it alone is killed), and
// killed ten seconds later.
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
		// The number of a group is not given away while one of it lives.
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // Mostly ESRCH: all have ended.
	}
	return err
}
