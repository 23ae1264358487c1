package providers

import (
	"context"
	"fmt"
	"io"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/internal/nearest"
)

// Auto is the word that leaves the choice to Choose.
const Auto = "auto"

// Names are the words that Choose takes.
func Names() []string { return []string{Auto, embedded.ProviderName} }

// Check refuses a name that Choose does not know.
func Check(name string) error {
	for _, n := range Names() {
		if n == name {
			return nil
		}
	}
	return fmt.Errorf("PROVIDER=%q: %s", name, nearest.Hint(name, "provider", Names()))
}

// Options is what a provider needs that its choice does not decide.
type Options struct {
	// Out receives progress, a line a step.
	Out io.Writer
	// Terminal says that Out is a terminal.
	Terminal bool
	// Binary is a control-plane binary built elsewhere; empty: clusters/builder's.
	Binary string
}

// Choose returns the provider of that name, ready to create clusters, and one
// sentence that says which it is and why. For the embedded provider it compiles
// the control plane first if that was not done before.
func Choose(ctx context.Context, name string, o Options) (clusters.Provider, string, error) {
	if err := Check(name); err != nil {
		return nil, "", err
	}
	reason := "provider embedded: it was asked for"
	if name == Auto {
		// There is one provider that can be chosen; what is measured does not
		// depend on whether a Docker engine happens to run.
		reason = "provider embedded: a real control plane with hollow nodes on this machine, no Docker needed"
	}
	if o.Binary == "" {
		build := builder.Options{Output: o.Out, Terminal: o.Terminal}
		status, err := builder.Cached(ctx, build)
		if err != nil {
			return nil, "", err
		}
		fmt.Fprintf(o.Out, "podburst: %s\n", status)
		if o.Binary, err = builder.Binary(ctx, build); err != nil {
			return nil, "", err
		}
	}
	return embedded.New(embedded.Options{
		Binary:   o.Binary,
		Progress: func(line string) { fmt.Fprintf(o.Out, "podburst: %s\n", line) },
	}), reason, nil
}
