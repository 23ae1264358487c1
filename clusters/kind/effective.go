package kind

import (
	"context"
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// EffectiveConfig implements clusters.Cluster: it reads /configz of each live
// component. An instance that cannot be read is absent from the result and part
// of the error; the others are still returned.
func (c *Cluster) EffectiveConfig(ctx context.Context) (clusters.Effective, error) {
	effective := clusters.Effective{}
	var errs []error
	for _, instance := range c.Instances() {
		if _, limited := c.plan.profile.Spec.Component(instance.Component); !limited {
			continue // etcd and the API server have no such limiter.
		}
		text, err := c.ask(ctx, instance, "/configz")
		if err == nil {
			var limits clusters.Limits
			if limits, err = clusters.ParseConfigz(instance.Component, text); err == nil {
				effective[instance.String()] = limits
				continue
			}
		}
		errs = append(errs, fmt.Errorf("read back the limits of %s: %w", instance, err))
	}
	return effective, errors.Join(errs...)
}
