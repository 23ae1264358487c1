package embedded

import (
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// defaultWorkers is how many nodes a profile that does not say gets.
const defaultWorkers = 2

// workers is the number of nodes that the profile asks for.
func workers(profile clusters.Profile) int {
	if n := profile.Spec.Topology.Workers; n != nil {
		return *n
	}
	return defaultWorkers
}

// refuse says what this provider cannot do of a profile. What only the kind
// provider reads (nodeImage, kind) is no reason: the same profile describes the
// same limits on either provider. The Kubernetes version is checked where the
// binary is at hand, see checkVersion.
func refuse(profile clusters.Profile) error {
	var errs []error
	if profile.Metadata.Name == "" {
		errs = append(errs, errors.New("metadata.name is empty"))
	}
	if n := profile.Spec.Topology.ControlPlanes; n != nil && *n != 1 {
		errs = append(errs, fmt.Errorf("topology.controlPlanes is %d: the embedded provider runs exactly 1; use PROVIDER=kind or existing for more", *n))
	}
	if n := workers(profile); n < 1 {
		errs = append(errs, fmt.Errorf("topology.workers is %d: a burst needs at least 1, for the control plane is no node here", n))
	}
	// The flags say what else is wrong, whatever the folder and the ports.
	s := settings{profile: profile, workers: workerNames(max(0, workers(profile)))}
	seen := map[string]bool{}
	for _, instance := range s.instances() {
		if _, err := s.flags(instance); err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
