package kind

import (
	"context"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
)

var _ clusters.Profiler = (*Cluster)(nil)

// CPUProfile implements clusters.Profiler, in the way that Metrics is read. kubeadm
// starts etcd without profiles.
func (c *Cluster) CPUProfile(ctx context.Context, instance clusters.Instance, d time.Duration) ([]byte, error) {
	if instance.Component == clusters.Etcd {
		return nil, fmt.Errorf("profile %s: %w: kubeadm starts it without --enable-pprof", instance, clusters.ErrUnsupported)
	}
	data, err := c.ask(ctx, instance, clusters.ProfilePath(d))
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", instance, err)
	}
	return data, nil
}
