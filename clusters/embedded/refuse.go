package embedded

import (
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// refuse says what is wrong with a profile or not possible with this provider.
// Fields that only the kind provider reads (nodeImage, kind) are not refused:
// the same profile describes the same limits on either provider. The Kubernetes
// version is checked once the binary is at hand: see checkVersion.
func refuse(profile clusters.Profile) error {
	if err := profile.Validate(); err != nil {
		return err
	}
	s := newSettings(profile)
	var errs []error
	if n := *s.spec.Topology.ControlPlanes; n != 1 {
		errs = append(errs, fmt.Errorf("spec.topology.controlPlanes: is %d, but the embedded provider runs exactly 1; use PROVIDER=kind or existing for more", n))
	}
	seen := map[clusters.Component]bool{}
	for _, instance := range s.instances() {
		// Every node has the same flags, except for its name.
		if _, err := s.flags(instance); err != nil && !seen[instance.Component] {
			seen[instance.Component] = true
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
