package embedded

import (
	"context"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
)

// Descriptor describes the provider. Measured on two cores
// (docs/statistics.md): an idle cluster with two hollow nodes takes a few
// percent of a core and 0.7 GiB.
func Descriptor() clusters.Descriptor {
	return clusters.Descriptor{
		Name:  ProviderName,
		Local: true,
		Idle:  clusters.Cost{CPUs: 1, Memory: 1 << 30},
		Start: 8 * time.Second,
		Ready: ready,
		Open:  open,
		List:  func(ctx context.Context) ([]clusters.Leftover, error) { return List(ctx, "") },
		Clean: func(ctx context.Context) ([]clusters.Leftover, error) { return Clean(ctx, "") },
	}
}

func ready(ctx context.Context) clusters.Readiness {
	found := clusters.Readiness{Subject: "control plane", Advice: "podburst controlplane build"}
	// This asks the go command for its version, so it fails without one.
	status, err := builder.Cached(ctx, builder.Options{})
	if err != nil {
		found.Err, found.Advice = err, "run it in a checkout of podburst, with Go on PATH"
	}
	found.Ready, found.Detail = status.Ready, status.String()
	return found
}

// open first compiles the control plane if that has not been done.
func open(ctx context.Context, o clusters.OpenOptions) (clusters.Provider, string, error) {
	say := func(line string) { fmt.Fprintf(o.Out, "podburst: %s\n", line) }
	build := builder.Options{Output: o.Out, Terminal: o.Terminal}
	status, err := builder.Cached(ctx, build)
	if err != nil {
		return nil, "", err
	}
	say(status.String())
	binary, err := builder.Binary(ctx, build)
	if err != nil {
		return nil, "", err
	}
	return New(Options{Binary: binary, Progress: say}), "", nil
}
