//go:build integration && linux

package embedded

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
)

// binaryEnv names a control-plane binary that is already built. Without it the
// tests take the one in the builder's cache, built first if necessary.
const binaryEnv = "PODBURST_CONTROLPLANE"

func TestMain(m *testing.M) {
	if os.Getenv(binaryEnv) == "" {
		path, err := builder.Binary(context.Background(), builder.Options{Output: os.Stderr})
		if err == nil {
			err = os.Setenv(binaryEnv, path) // Helper processes need not look again.
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func newTestProvider(tb testing.TB, base string) *Provider {
	tb.Helper()
	return New(Options{Binary: os.Getenv(binaryEnv), BaseDir: base, Progress: func(line string) { tb.Log(line) }})
}

// shipped is a profile that comes with podburst.
func shipped(tb testing.TB, name string) clusters.Profile {
	tb.Helper()
	profile, err := clusters.Resolve(name)
	if err != nil {
		tb.Fatal(err)
	}
	return profile
}

// create starts a cluster that is deleted when the test ends.
func create(tb testing.TB, p *Provider, profile clusters.Profile) *Cluster {
	tb.Helper()
	made, err := p.Create(tb.Context(), profile)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		// The test's own context has ended by now.
		if err := made.Delete(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return made.(*Cluster)
}

// alone is the instance of a component that a cluster has only one of.
func alone(component clusters.Component) clusters.Instance {
	return clusters.Instance{Component: component}
}

// pids are the pids of a cluster's processes.
func (c *Cluster) pids() map[clusters.Instance]int {
	pids := map[clusters.Instance]int{}
	for _, instance := range c.Instances() {
		pids[instance] = c.life(instance).pid
	}
	return pids
}
