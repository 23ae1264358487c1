package providers

import (
	"context"
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/kind"
	"github.com/podburst/podburst/internal/nearest"
)

// registered are all providers, in the order in which they are offered. A new
// provider takes its folder and one line here.
func registered() []clusters.Descriptor {
	return []clusters.Descriptor{
		embedded.Descriptor(),
		kind.Descriptor(),
		existing.Descriptor(),
	}
}

// Auto is the word that leaves the choice to Choose. It never selects a cluster
// that someone else runs.
const Auto = "auto"

// Names are the words that Choose accepts.
func Names() []string { return names(func(clusters.Descriptor) bool { return true }) }

// Configuring are the names of providers that configure their clusters from a
// profile: only with these can a run compare profiles.
func Configuring() []string { return names(func(d clusters.Descriptor) bool { return !d.Adopts }) }

func names(wanted func(clusters.Descriptor) bool) []string {
	list := []string{Auto}
	for _, d := range registered() {
		if wanted(d) {
			list = append(list, d.Name)
		}
	}
	return list
}

// Lookup describes the provider of that name. Auto's choice is not known before
// Choose, so its descriptor is that of the provider that needs least. For an
// unknown name the error gives the nearest valid one.
func Lookup(name string) (clusters.Descriptor, error) {
	for _, d := range registered() {
		if d.Name == name || name == Auto {
			return d, nil
		}
	}
	return clusters.Descriptor{}, fmt.Errorf("%q is unknown%s", name, nearest.Hint(name, "providers", Names()))
}

// Made is a cluster that podburst made on this machine.
type Made struct {
	Provider string
	clusters.Leftover
}

// List lists the clusters of all providers on this machine, including those in
// use. If there is an error, what could be found is still returned.
func List(ctx context.Context) ([]Made, error) {
	return made(ctx, registered(), func(d clusters.Descriptor) lister { return d.List })
}

// Clean removes the clusters, of all providers, whose owner has died, and
// returns them. Clusters in use, and those of others, are not touched.
func Clean(ctx context.Context) ([]Made, error) {
	return made(ctx, registered(), func(d clusters.Descriptor) lister { return d.Clean })
}

type lister = func(ctx context.Context) ([]clusters.Leftover, error)

func made(ctx context.Context, all []clusters.Descriptor, by func(clusters.Descriptor) lister) ([]Made, error) {
	var found []Made
	var errs []error
	for _, d := range all {
		list := by(d)
		if list == nil {
			continue
		}
		left, err := list(ctx)
		errs = append(errs, err)
		for _, l := range left {
			found = append(found, Made{d.Name, l})
		}
	}
	return found, errors.Join(errs...)
}
