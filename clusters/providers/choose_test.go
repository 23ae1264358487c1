package providers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/kind"
)

func TestAutoTakesKindOnlyWhereItCanStartAtOnceAndSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		found kind.Availability
		err   error
		want  string
		says  []string
	}{
		"no engine":         {kind.Availability{}, fmt.Errorf("look: %w", kind.ErrNoEngine), "embedded", []string{"no Docker engine"}},
		"engine, no image":  {kind.Availability{Engine: "28.1", Image: "kindest/node:v1"}, nil, "embedded", []string{"28.1", "make node-image", "kindest/node:v1"}},
		"engine and image":  {kind.Availability{Engine: "28.1", Image: "kindest/node:v1", Present: true}, nil, "kind", []string{"28.1", "kindest/node:v1"}},
		"engine that fails": {kind.Availability{Engine: "28.1"}, errors.New("permission denied"), "embedded", []string{"permission denied"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, reason := auto(c.found, c.err)
			if got != c.want {
				t.Errorf("took %s, want %s", got, c.want)
			}
			for _, s := range append(c.says, "provider "+c.want) {
				if !strings.Contains(reason, s) {
					t.Errorf("the reason %q does not say %q", reason, s)
				}
			}
		})
	}
}

func TestAnUnknownNameIsAnErrorWithTheNearest(t *testing.T) {
	if _, err := Lookup("embeded"); err == nil || !strings.Contains(err.Error(), "did you mean embedded?") {
		t.Errorf("Lookup: %v", err)
	}
	for _, name := range Names() {
		if _, err := Lookup(name); err != nil {
			t.Errorf("Lookup(%q): %v", name, err)
		}
	}
}

// A provider's descriptor says what it can do, so it must be complete.
func TestEveryDescriptorIsWhole(t *testing.T) {
	for _, d := range registered() {
		if d.Name == "" || d.Open == nil {
			t.Errorf("%+v lacks a name or Open", d)
		}
		if started := !d.Adopts; started && (d.Idle.CPUs < 1 || d.Idle.Memory <= 0 || d.Start <= 0 || d.Ready == nil || d.List == nil || d.Clean == nil) {
			t.Errorf("%s starts clusters, and says too little of them", d.Name)
		}
		if slices.Contains(Configuring(), d.Name) == d.Adopts {
			t.Errorf("%s: Configuring says otherwise than its descriptor", d.Name)
		}
	}
}

func TestClustersOfAllProvidersAreListedAlsoWhereOneFails(t *testing.T) {
	down := errors.New("no engine")
	gives := func(err error, names ...string) lister {
		return func(context.Context) (list []clusters.Leftover, _ error) {
			for _, name := range names {
				list = append(list, clusters.Leftover{Cluster: name})
			}
			return list, err
		}
	}
	found, err := made(t.Context(), []clusters.Descriptor{
		{Name: "one", List: gives(nil, "a", "b")}, {Name: "makes none"}, {Name: "two", List: gives(down, "c")},
	}, func(d clusters.Descriptor) lister { return d.List })
	if !errors.Is(err, down) || len(found) != 3 || found[0].Provider != "one" || found[2].Cluster != "c" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestChooseTakesTheContextOfAKubeconfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: u, user: {token: secret}}]\n" +
		"contexts: [{name: staging, context: {cluster: c, user: u}}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, reason, err := Choose(t.Context(), "existing", clusters.OpenOptions{Out: io.Discard, Kubeconfig: file, Context: "staging"})
	if err != nil || !strings.Contains(reason, "staging") || strings.Contains(reason, "secret") {
		t.Errorf("reason %q, %v", reason, err)
	}
	_, _, err = Choose(t.Context(), "existing", clusters.OpenOptions{Out: io.Discard, Kubeconfig: file, Context: "stagin"})
	if err == nil || !strings.Contains(err.Error(), "did you mean staging?") {
		t.Errorf("a context that is not there: %v", err)
	}
}
