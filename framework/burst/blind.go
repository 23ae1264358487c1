package burst

import (
	"time"

	"github.com/podburst/podburst/clusters"
)

// Blind is CleanupOptions.MinQuiet for a cluster without an audit log. Limiters that
// are not known are taken to have the components' defaults. Nobody sees the Job
// controller's requests, so the wait also covers the time its limiter needs to let
// one through for each pod before the buckets fill again.
func Blind(effective clusters.Effective, pods int) time.Duration {
	var refill time.Duration
	var controller clusters.Limits
	for _, component := range clusters.Configurable() {
		limits, known := effective[string(component)]
		if !known {
			limits, _ = clusters.DefaultLimits(component, "")
		}
		refill = max(refill, limits.Refill())
		if component == clusters.KubeControllerManager {
			controller = limits
		}
	}
	if controller.KubeAPIQPS <= 0 {
		return refill
	}
	return refill + time.Duration(float64(pods)/controller.KubeAPIQPS*float64(time.Second))
}
