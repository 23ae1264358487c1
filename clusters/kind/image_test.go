package kind

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/nodeimage"
	"github.com/podburst/podburst/internal/command"
)

func TestTheNodeImageIsTheOneThatTheNodesWereMadeFrom(t *testing.T) {
	tag := nodeimage.Tag(clusters.DefaultVersion)
	for name, c := range map[string]struct {
		change func(w *world)
		want   clusters.Image
		fails  string
	}{
		"built here":             {func(*world) {}, clusters.Image{Name: tag, ID: "sha256:of-" + tag}, ""},
		"from a registry":        {func(w *world) { w.engine.images[tag] = image{Digest: "kindest/node@sha256:d"} }, clusters.Image{Name: tag, ID: "sha256:of-" + tag, Digest: "kindest/node@sha256:d"}, ""},
		"removed under the node": {func(w *world) { delete(w.engine.images, tag) }, clusters.Image{Name: tag, ID: "sha256:of-" + tag}, ""},
		"a load balancer beside": {func(w *world) {
			w.engine.add(container{Name: "podburst-test-lb", Cluster: "podburst-test", Role: "external-load-balancer", ImageID: "sha256:haproxy"})
		}, clusters.Image{Name: tag, ID: "sha256:of-" + tag}, ""},
		"nodes of two images": {func(w *world) { w.engine.nodes[0].ImageID = "sha256:other" }, clusters.Image{}, "sha256:of-" + tag + " and sha256:other"},
		"no node left":        {func(w *world) { w.engine.nodes = nil }, clusters.Image{}, "none of its nodes"},
		"no engine":           {func(w *world) { w.engine.down = ErrNoEngine }, clusters.Image{}, ErrNoEngine.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			made, err := w.provider.Create(t.Context(), defaultProfile(t))
			if err != nil {
				t.Fatal(err)
			}
			c.change(w)
			got, err := made.(clusters.ImageReader).NodeImage(t.Context())
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) || got != c.want {
				t.Errorf("%+v, error %v; want %+v, %q", got, err, c.want, c.fails)
			}
		})
	}
}

func TestAnImageIsReadFromTheEngine(t *testing.T) {
	for text, want := range map[string]image{
		`{"Id":"sha256:a","RepoDigests":["z/node@sha256:1","a/node@sha256:1"],"Config":{"Labels":null}}`: {Digest: "a/node@sha256:1"},
		`{"Id":"sha256:a","RepoDigests":[],"Config":{"Labels":{"` + nodeimage.InputsLabel + `":"x"}}}`:   {Offline: true},
	} {
		d := docker{run: func(_ context.Context, c command.Command) error {
			_, err := fmt.Fprint(c.Stdout, text)
			return err
		}}
		if got, err := d.image(t.Context(), "node"); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestAContainersImageIsReadByItsContent(t *testing.T) {
	// Config.Image is the tag, which may have moved since.
	nodes, err := parseContainers(`[{"Name":"/a","Image":"sha256:1","Config":{"Image":"podburst/node:v1.37.2"}}]`)
	if err != nil || len(nodes) != 1 || nodes[0].ImageID != "sha256:1" {
		t.Errorf("%+v, %v", nodes, err)
	}
}
