package kind

import (
	"context"

	"github.com/podburst/podburst/clusters"
)

// EffectiveConfig implements clusters.Cluster: it reads /configz of each live
// component. An instance that cannot be read is missing from the result and
// named in the error; the others are still returned.
func (c *Cluster) EffectiveConfig(ctx context.Context) (clusters.Effective, error) {
	return clusters.ReadEffective(ctx, c.Instances(), func(ctx context.Context, instance clusters.Instance) (clusters.Limits, error) {
		text, err := c.ask(ctx, instance, "/configz")
		if err != nil {
			return clusters.Limits{}, err
		}
		return clusters.ParseConfigz(instance.Component, text)
	})
}
