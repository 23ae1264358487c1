package kind

import (
	"context"
	"encoding/json"
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
			if limits, err = parseLimits(instance.Component, text); err == nil {
				effective[instance.String()] = limits
				continue
			}
		}
		errs = append(errs, fmt.Errorf("read back the limits of %s: %w", instance, err))
	}
	return effective, errors.Join(errs...)
}

// parseLimits reads the limiter from what a component serves at /configz. Names
// are matched without regard to case, which the controller manager's alpha type
// needs: it has no JSON names.
func parseLimits(component clusters.Component, text []byte) (clusters.Limits, error) {
	type connection struct {
		QPS   *float64
		Burst *int
	}
	type configuration struct {
		ClientConnection connection
		Generic          struct{ ClientConnection connection }
		KubeAPIQPS       *float64
		KubeAPIBurst     *int
	}
	// The key differs between components and versions, and is the only one.
	var configz map[string]configuration
	if err := json.Unmarshal(text, &configz); err != nil {
		return clusters.Limits{}, fmt.Errorf("parse /configz: %w", err)
	}
	for _, config := range configz {
		found := config.ClientConnection
		switch component {
		case clusters.KubeControllerManager:
			found = config.Generic.ClientConnection
		case clusters.Kubelet:
			found = connection{config.KubeAPIQPS, config.KubeAPIBurst}
		}
		if found.QPS != nil && found.Burst != nil {
			return clusters.Limits{KubeAPIQPS: *found.QPS, KubeAPIBurst: *found.Burst, Source: "configz"}, nil
		}
	}
	return clusters.Limits{}, fmt.Errorf("parse /configz: it holds no client limits of a %s", component)
}
