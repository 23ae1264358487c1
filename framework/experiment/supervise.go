package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
)

// superviseInterval is how often the cluster's processes are checked during a burst.
// This asks the provider, not the API server.
const superviseInterval = 200 * time.Millisecond

// supervise watches the cluster's processes: if one has ended, the burst cannot end,
// and waiting for the deadline is pointless. A provider that cannot tell sends
// nothing.
func (a *Arm) supervise(ctx context.Context) (abort <-chan error, stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		tick := time.NewTicker(superviseInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			processes, err := a.Cluster.Processes(ctx)
			if err != nil {
				return
			}
			if err := dead(processes); err != nil {
				ended <- err
				return
			}
		}
	}()
	return ended, stop
}

func dead(processes []clusters.Process) error {
	for _, p := range processes {
		if !p.Running {
			return fmt.Errorf("%s has ended: %s", p.Instance, p.Exit)
		}
	}
	return nil
}
