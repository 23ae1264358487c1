package embedded

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// EffectiveConfig implements clusters.Cluster: it reads /configz of each live
// component and, where the profile sets a limit, also checks the running
// process's arguments. An instance that cannot be read, or whose two sources
// differ, is missing from the result and named in the error; the others are
// still returned.
func (c *Cluster) EffectiveConfig(ctx context.Context) (clusters.Effective, error) {
	return clusters.ReadEffective(ctx, c.settings.instances(), c.readLimits)
}

func (c *Cluster) readLimits(ctx context.Context, instance clusters.Instance) (clusters.Limits, error) {
	text, err := c.get(ctx, instance, "/configz")
	if err != nil {
		return clusters.Limits{}, err
	}
	limits, err := clusters.ParseConfigz(instance.Component, text)
	if err != nil {
		return limits, err
	}
	p := c.life(instance)
	if p == nil {
		return limits, errors.New("it was never started")
	}
	args, err := procfs.Local().CommandLine(p.pid)
	if err != nil {
		return limits, err
	}
	spec, _ := c.profile.Spec.Component(instance.Component)
	return limits, crossCheck(limits, args, spec)
}

// crossCheck compares /configz with the running process's arguments where the
// profile set a value.
func crossCheck(limits clusters.Limits, args []string, spec clusters.ComponentSpec) error {
	if spec.KubeAPIQPS != nil {
		text, _ := clusters.Argument(args, "kube-api-qps")
		// Components keep it as a float32, so compare at that precision.
		if value, err := strconv.ParseFloat(text, 32); err != nil || float32(value) != float32(limits.KubeAPIQPS) {
			return fmt.Errorf("/configz says QPS %v, its arguments say %q", limits.KubeAPIQPS, text)
		}
	}
	if spec.KubeAPIBurst != nil {
		text, _ := clusters.Argument(args, "kube-api-burst")
		if value, err := strconv.Atoi(text); err != nil || value != limits.KubeAPIBurst {
			return fmt.Errorf("/configz says burst %d, its arguments say %q", limits.KubeAPIBurst, text)
		}
	}
	return nil
}
