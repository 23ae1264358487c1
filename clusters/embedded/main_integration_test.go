//go:build integration

package embedded

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
)

// binaryEnv names a control-plane binary that is already built; without it the
// tests build one, or take it from the builder's cache.
const binaryEnv = "PODBURST_CONTROLPLANE"

// helperEnv makes the test binary play the process that is killed, see
// killed_integration_test.go.
const helperEnv = "PODBURST_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(binaryEnv) == "" {
		path, err := builder.Binary(context.Background(), builder.Options{Output: os.Stderr})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := os.Setenv(binaryEnv, path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func newTestProvider(tb testing.TB) *Provider {
	tb.Helper()
	return New(Options{Binary: os.Getenv(binaryEnv), BaseDir: tb.TempDir(), Progress: func(line string) { tb.Log(line) }})
}

// profile is named for what it sets.
func profile(name string) clusters.Profile {
	return clusters.Profile{APIVersion: clusters.APIVersion, Kind: clusters.ProfileKind, Metadata: clusters.Metadata{Name: name}}
}

// create starts a cluster that is deleted at the end of the test.
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
