//go:build !linux

package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/podburst/podburst/clusters"
)

// errLinux: the kernel must kill the children of a process that dies, and only
// Linux does.
var errLinux = fmt.Errorf("the embedded provider needs Linux: %w; use PROVIDER=kind or existing", errors.ErrUnsupported)

// Create implements clusters.Provider.
func (p *Provider) Create(_ context.Context, profile clusters.Profile) (clusters.Cluster, error) {
	return nil, fmt.Errorf("create cluster %q: %w", profile.Metadata.Name, errLinux)
}

// List returns no folders: there can be none.
func List(context.Context, string) ([]clusters.Leftover, error) {
	return nil, fmt.Errorf("list embedded clusters: %w", errLinux)
}

// Clean removes nothing: there is nothing.
func Clean(context.Context, string) ([]clusters.Leftover, error) {
	return nil, fmt.Errorf("clean up embedded clusters: %w", errLinux)
}
