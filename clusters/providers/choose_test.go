package providers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

func TestCheckNamesTheNearestProvider(t *testing.T) {
	if err := Check("embeded"); err == nil || !strings.Contains(err.Error(), "embedded") {
		t.Errorf("Check: %v", err)
	}
	for _, name := range Names() {
		if err := Check(name); err != nil {
			t.Errorf("Check(%q): %v", name, err)
		}
	}
}

func TestChooseTakesTheContextOfAKubeconfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: u, user: {token: secret}}]\n" +
		"contexts: [{name: staging, context: {cluster: c, user: u}}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, reason, err := Choose(t.Context(), "existing", Options{Out: io.Discard, Kubeconfig: file, Context: "staging"})
	if err != nil || !strings.Contains(reason, "staging") || strings.Contains(reason, "secret") {
		t.Errorf("reason %q, %v", reason, err)
	}
	_, _, err = Choose(t.Context(), "existing", Options{Out: io.Discard, Kubeconfig: file, Context: "stagin"})
	if err == nil || !strings.Contains(err.Error(), "did you mean staging?") {
		t.Errorf("a context that is not there: %v", err)
	}
}
