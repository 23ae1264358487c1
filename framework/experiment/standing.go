package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
)

// closeTimeout bounds Close. The slowest is the namespace of a burst that was cut
// off: its pods leave at the Job controller's 20 a second where the observer may
// not take their finalizers.
const closeTimeout = 2 * time.Minute

// room is an error where a burst does not fit into a cluster that others use, too.
// A cluster of our own was planned to be large enough.
func (a *Arm) room(ctx context.Context) error {
	standing, ok := a.cluster.(clusters.Standing)
	if !ok {
		return nil
	}
	free, err := standing.FreePods(ctx)
	if err != nil {
		return fmt.Errorf("profile %q: %w", a.profile.Metadata.Name, err)
	}
	if pods := max(a.experiment.options.Pods, a.experiment.options.WarmupPods); pods > free {
		return fmt.Errorf("profile %q: %d pods do not fit: the %d worker nodes have room for %d more; ask for fewer, or free some",
			a.profile.Metadata.Name, pods, len(a.cluster.WorkerNodes()), free)
	}
	return nil
}
