package providers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/kind"
	"github.com/podburst/podburst/internal/nearest"
)

// Auto is the word that leaves the choice to Choose. It never takes a cluster that
// others run.
const Auto = "auto"

// Names are the words that Choose takes.
func Names() []string {
	return []string{Auto, embedded.ProviderName, kind.ProviderName, existing.ProviderName}
}

// Check refuses a name that Choose does not know.
func Check(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return fmt.Errorf("PROVIDER=%q is unknown%s", name, nearest.Hint(name, "providers", Names()))
}

// Options is what a provider needs that its choice does not decide.
type Options struct {
	// Out receives progress, a line a step.
	Out io.Writer
	// Terminal says that Out is a terminal.
	Terminal bool
	// Binary is a control-plane binary built elsewhere; empty: clusters/builder's.
	Binary string
	// Kubeconfig, Context and AuditLog are the existing provider's (existing.Options).
	Kubeconfig, Context, AuditLog string
}

func (o Options) progress(line string) { fmt.Fprintf(o.Out, "podburst: %s\n", line) }

// Choose returns the provider of that name, ready to create clusters, and one
// sentence that says which it is and why. For the embedded provider it compiles
// the control plane first if that was not done before.
func Choose(ctx context.Context, name string, o Options) (clusters.Provider, string, error) {
	if err := Check(name); err != nil {
		return nil, "", err
	}
	reason := fmt.Sprintf("provider %s: it was asked for", name)
	if name == Auto {
		available, err := kind.Available(ctx, kind.Options{})
		name, reason = auto(available, err)
	}
	switch name {
	case kind.ProviderName:
		provider, err := kind.New(kind.Options{Progress: o.progress})
		return provider, reason, err
	case existing.ProviderName:
		provider, err := existing.New(existing.Options{Kubeconfig: o.Kubeconfig, Context: o.Context, AuditLog: o.AuditLog, Progress: o.progress})
		if err != nil {
			return nil, "", fmt.Errorf("PROVIDER=%s: %w", name, err)
		}
		return provider, fmt.Sprintf("%s; the cluster of context %q is measured as it is", reason, provider.Context()), nil
	}
	provider, err := o.embedded(ctx)
	return provider, reason, err
}

// auto decides by what the machine has for kind. It never pulls: whether a
// registry happens to be in reach must not change what is measured.
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

func (o Options) embedded(ctx context.Context) (clusters.Provider, error) {
	if o.Binary == "" {
		build := builder.Options{Output: o.Out, Terminal: o.Terminal}
		status, err := builder.Cached(ctx, build)
		if err != nil {
			return nil, err
		}
		o.progress(status.String())
		if o.Binary, err = builder.Binary(ctx, build); err != nil {
			return nil, err
		}
	}
	return embedded.New(embedded.Options{Binary: o.Binary, Progress: o.progress}), nil
}
