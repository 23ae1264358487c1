package providers

import (
	"context"
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/clusters/kind"
)

// Choose returns the provider of that name, ready to create clusters, and one
// sentence that says which it is and why. What the provider needs (the embedded
// one's control plane) is built first if necessary.
func Choose(ctx context.Context, name string, o clusters.OpenOptions) (clusters.Provider, string, error) {
	reason := fmt.Sprintf("provider %s: it was asked for", name)
	if name == Auto {
		available, err := kind.Available(ctx, kind.Options{})
		name, reason = auto(available, err)
	}
	d, err := Lookup(name)
	if err != nil {
		return nil, "", fmt.Errorf("PROVIDER=%w", err)
	}
	provider, more, err := d.Open(ctx, o)
	if err != nil {
		return nil, "", err
	}
	if more != "" {
		reason += "; " + more
	}
	return provider, reason, nil
}

// auto decides by what the machine has for kind. It never pulls: whether a
// registry happens to be reachable must not change what is measured.
func auto(found kind.Availability, err error) (name, reason string) {
	switch {
	case errors.Is(err, kind.ErrNoEngine):
		return embedded.ProviderName, "provider embedded: no Docker engine answers (a real control plane with hollow nodes on this machine)"
	case err != nil:
		return embedded.ProviderName, fmt.Sprintf("provider embedded: Docker cannot be used (%v)", err)
	case !found.Present:
		return embedded.ProviderName, fmt.Sprintf("provider embedded: Docker %s answers but has no node image; for kind run make node-image, or docker pull %s", found.Engine, found.Image)
	}
	return kind.ProviderName, fmt.Sprintf("provider kind: Docker %s answers and has the node image %s", found.Engine, found.Image)
}
