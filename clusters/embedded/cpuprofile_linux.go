package embedded

import (
	"context"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
)

var _ clusters.Profiler = (*Cluster)(nil)

// CPUProfile implements clusters.Profiler. Every component serves profiles to the
// cluster's administrator, etcd to the holder of a client certificate.
func (c *Cluster) CPUProfile(ctx context.Context, instance clusters.Instance, d time.Duration) ([]byte, error) {
	data, err := c.get(ctx, instance, clusters.ProfilePath(d))
	if err != nil {
		return nil, fmt.Errorf("profile %s: %w", instance, err)
	}
	return data, nil
}
