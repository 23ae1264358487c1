package suite

import (
	"context"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/providers"
)

// Must ends the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Provider is the provider of that name.
func Provider(t testing.TB, name string) clusters.Provider {
	t.Helper()
	provider, _, err := providers.Choose(t.Context(), name, clusters.OpenOptions{Out: logger{t}})
	Must(t, err)
	return provider
}

// StartCluster starts a cluster of the profile (a shipped one's name, or a file) and
// deletes it at the end of the test.
func StartCluster(t testing.TB, provider, profile string) clusters.Cluster {
	t.Helper()
	resolved, err := clusters.Resolve(profile)
	Must(t, err)
	made, err := Provider(t, provider).Create(t.Context(), resolved)
	Must(t, err)
	t.Cleanup(func() {
		// By now the test's own context has ended.
		Must(t, made.Delete(context.WithoutCancel(t.Context())))
	})
	return made
}

// logger writes lines to the test's log.
type logger struct{ t testing.TB }

func (w logger) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}
