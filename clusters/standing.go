package clusters

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Standing is implemented by a Cluster that stood before the run and outlives it:
// its Delete removes nothing of what a run made there, so the run removes its own
// namespace, and its pods must fit into what is free.
type Standing interface {
	Cluster
	// FreePods is how many more pods the worker nodes hold now: their allocatable
	// pods less those that are bound to them and have not ended.
	FreePods(ctx context.Context) (int, error)
}

// Adopter is implemented by a Provider that starts nothing: Create takes a
// cluster as it is. A profile can state what is in force there, but not set it,
// and there can be only one.
type Adopter interface {
	Provider
	// CheckProfile names what the profile asks for that nothing but starting a
	// cluster could give.
	CheckProfile(profile Profile) error
}

// CheckPlan is an error where bursts of so many pods cannot work with these
// profiles on clusters of the provider, as far as that is known before Create.
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
