package clusters

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Standing is implemented by a Cluster that existed before the run and outlives
// it. Its Delete does not remove what a run made there, so the run removes its
// own namespace, and its pods must fit into what is free.
type Standing interface {
	Cluster
	// FreePods is how many more pods the worker nodes can hold now: their
	// allocatable pods minus the bound pods that have not ended.
	FreePods(ctx context.Context) (int, error)
}

// Adopter is implemented by a Provider that starts nothing: Create uses a
// cluster as it is. A profile can state what is in force there but cannot set
// it, and there can be only one profile.
type Adopter interface {
	Provider
	// CheckProfile names the settings in the profile that only a provider that
	// starts clusters could apply.
	CheckProfile(profile Profile) error
}

// CheckPlan returns an error if bursts of that many pods cannot work with these
// profiles on the provider's clusters, as far as this is known before Create.
// Every fault is reported.
func CheckPlan(provider Provider, profiles []Profile, pods int) error {
	if len(profiles) == 0 {
		return errors.New("no profile given")
	}
	adopter, adopts := provider.(Adopter)
	var names []string
	var errs []error
	for _, p := range profiles {
		names = append(names, p.Metadata.Name)
		if !adopts {
			errs = append(errs, p.CheckBurst(pods))
			continue
		}
		if err := adopter.CheckProfile(p); err != nil {
			errs = append(errs, fmt.Errorf("profile %q: %w", p.Metadata.Name, err))
		}
	}
	if adopts && len(profiles) > 1 {
		errs = append(errs, fmt.Errorf("%d profiles (%s): PROVIDER=%s measures one cluster as it is, so give one, such as PROFILES=default; to compare settings, change the cluster between two runs",
			len(profiles), strings.Join(names, ", "), provider.Name()))
	}
	if adopts && pods < 1 {
		errs = append(errs, fmt.Errorf("a burst of %d pods: it takes at least 1", pods))
	}
	return errors.Join(errs...)
}
