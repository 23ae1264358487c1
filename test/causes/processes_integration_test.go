//go:build integration

package causes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
)

// busyProcessors are Loops copies of this binary that only run.
func busyProcessors(t testing.TB) *injection {
	var loops []*exec.Cmd
	stop := func(context.Context, *bench) error {
		for _, loop := range loops {
			_ = loop.Process.Kill()
			_ = loop.Wait() // it was killed
		}
		loops = nil
		return nil
	}
	t.Cleanup(func() { _ = stop(nil, nil) })
	return &injection{
		start: func(context.Context, *bench) error {
			for range Loops {
				loop := exec.Command(os.Args[0])
				loop.Env = append(os.Environ(), spinEnv+"=1")
				loop.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
				if err := loop.Start(); err != nil {
					return err
				}
				loops = append(loops, loop)
			}
			return nil
		},
		stop: stop,
	}
}

// slowEtcd stops etcd for EtcdStopped of each EtcdCycle.
func slowEtcd(testing.TB) *injection {
	return &injection{during: func(ctx context.Context, b *bench) error {
		pid, err := processOf(ctx, b.cluster, clusters.Etcd)
		if err != nil {
			return err
		}
		for ctx.Err() == nil {
			from := time.Now()
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				return err
			}
			_ = pause(ctx, EtcdStopped) // it goes on either way
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
				return err
			}
			b.works(from, time.Now())
			_ = pause(ctx, EtcdCycle-EtcdStopped)
		}
		return nil
	}}
}

// processOf is the pid of a component of which there is one.
func processOf(ctx context.Context, c clusters.Cluster, component clusters.Component) (int, error) {
	processes, err := c.Processes(ctx)
	for _, p := range processes {
		if p.Instance.Component == component && p.Running {
			id, _, _ := strings.Cut(p.ID, "/")
			return strconv.Atoi(id)
		}
	}
	return 0, errors.Join(err, fmt.Errorf("find the process of %s: none runs", component))
}
