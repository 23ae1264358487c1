package experiment

import (
	"context"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// room returns an error if a burst does not fit into a cluster that others use, too.
// A cluster of our own was planned to be large enough.
func (a *Arm) room(ctx context.Context) error {
	standing, ok := a.Cluster.(clusters.Standing)
	plan := a.experiment.options.Plan
	if !ok || plan.Load.Terms().Others() {
		return nil
	}
	free, err := standing.FreePods(ctx)
	if err != nil {
		return err
	}
	if pods := plan.pods(); pods > free {
		return fmt.Errorf("%d pods do not fit: the %d worker nodes have room for %d more; ask for fewer, or free some",
			pods, len(a.Cluster.WorkerNodes()), free)
	}
	return nil
}
