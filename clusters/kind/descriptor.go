package kind

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
)

// Descriptor describes the provider. Its idle clusters run containers besides
// the control plane's processes, so they take more than embedded ones.
func Descriptor() clusters.Descriptor {
	return clusters.Descriptor{
		Name:  ProviderName,
		Idle:  clusters.Cost{CPUs: 2, Memory: 3 << 30},
		Start: time.Minute,
		Ready: func(ctx context.Context) clusters.Readiness {
			found, err := Available(ctx, Options{})
			return Ready(found, err)
		},
		Open: func(_ context.Context, o clusters.OpenOptions) (clusters.Provider, string, error) {
			provider, err := New(Options{Progress: func(line string) { fmt.Fprintf(o.Out, "podburst: %s\n", line) }})
			return provider, "", err
		},
		List:  func(ctx context.Context) ([]clusters.Leftover, error) { return withoutEngine(List(ctx, Options{})) },
		Clean: func(ctx context.Context) ([]clusters.Leftover, error) { return withoutEngine(Clean(ctx, Options{})) },
	}
}

// Ready judges what Available found.
func Ready(found Availability, err error) clusters.Readiness {
	switch {
	case err != nil:
		return clusters.Readiness{Subject: "Docker engine", Err: err, Advice: "start one, or use PROVIDER=embedded, which needs none"}
	case !found.Present:
		return clusters.Readiness{Subject: "node image", Detail: fmt.Sprintf("Docker %s answers but has no node image", found.Engine),
			Advice: "make node-image, or docker pull " + found.Image}
	}
	return clusters.Readiness{Subject: "node image", Ready: true, Detail: fmt.Sprintf("Docker %s answers and has %s", found.Engine, found.Image)}
}

// withoutEngine drops the error of an engine that does not answer, if no folder
// shows that there is a cluster.
func withoutEngine(list []clusters.Leftover, err error) ([]clusters.Leftover, error) {
	if errors.Is(err, ErrNoEngine) && len(list) == 0 {
		return nil, nil
	}
	return list, err
}
