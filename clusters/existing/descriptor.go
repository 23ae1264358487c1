package existing

import (
	"context"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// Descriptor describes the provider. It makes nothing that could be left behind.
func Descriptor() clusters.Descriptor {
	return clusters.Descriptor{Name: ProviderName, Adopts: true, Open: open}
}

func open(_ context.Context, o clusters.OpenOptions) (clusters.Provider, string, error) {
	provider, err := New(Options{
		Kubeconfig: o.Kubeconfig, Context: o.Context, AuditLog: o.AuditLog, Passive: o.Passive,
		Progress: func(line string) { fmt.Fprintf(o.Out, "podburst: %s\n", line) },
	})
	if err != nil {
		return nil, "", fmt.Errorf("PROVIDER=%s: %w", ProviderName, err)
	}
	return provider, fmt.Sprintf("the cluster of context %q is measured as it is", provider.Context()), nil
}
