package kind

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/nodeimage"
)

// fakeEngine is a container engine in memory.
type fakeEngine struct {
	mu     sync.Mutex
	images map[string]image
	nodes  []container
	// removed lists every container that was removed, in order.
	removed []string
	pulled  []string
	// programs answers exec by the longest key that the command contains.
	programs map[string]string
	// down is the error of every call, pullErr that of a pull.
	down, pullErr error
}

func (e *fakeEngine) version(context.Context) (string, error) { return "20.10", e.err() }

func (e *fakeEngine) err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.down
}

func (e *fakeEngine) image(_ context.Context, name string) (image, error) {
	if err := e.err(); err != nil {
		return image{}, err
	}
	found, ok := e.images[strings.TrimPrefix(name, "sha256:of-")]
	if !ok {
		return image{}, errNoImage
	}
	return found, nil
}

func (e *fakeEngine) pull(_ context.Context, name string) error {
	e.pulled = append(e.pulled, name)
	if e.pullErr == nil {
		e.images[name] = image{}
	}
	return e.pullErr
}

func (e *fakeEngine) containers(_ context.Context, cluster string) ([]container, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var found []container
	for _, node := range e.nodes {
		if cluster == "" || node.Cluster == cluster {
			found = append(found, node)
		}
	}
	return found, e.down
}

func (e *fakeEngine) remove(_ context.Context, names []string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down != nil {
		return e.down
	}
	var kept []container
	for _, node := range e.nodes {
		gone := false
		for _, name := range names {
			gone = gone || node.Name == name
		}
		if gone {
			e.removed = append(e.removed, node.Name)
		} else {
			kept = append(kept, node)
		}
	}
	e.nodes = kept
	return nil
}

func (e *fakeEngine) exec(_ context.Context, node string, stdout io.Writer, args ...string) error {
	if err := e.err(); err != nil {
		return err
	}
	command := strings.Join(append([]string{node}, args...), " ")
	best := ""
	for mark := range e.programs {
		if strings.Contains(command, mark) && len(mark) > len(best) {
			best = mark
		}
	}
	if best == "" {
		return fmt.Errorf("no program for %q", command)
	}
	_, err := io.WriteString(stdout, e.programs[best])
	return err
}

func (e *fakeEngine) add(nodes ...container) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.nodes = append(e.nodes, nodes...)
}

func (e *fakeEngine) has(cluster string) bool {
	nodes, _ := e.containers(context.Background(), cluster)
	return len(nodes) > 0
}

// fakeMaker is kind: it adds containers to the engine as the config says.
type fakeMaker struct {
	engine *fakeEngine
	// during runs after the nodes are added; its error is create's.
	during func(config *v1alpha4.Cluster) error
	logs   []string
}

func (m *fakeMaker) create(config *v1alpha4.Cluster, _ string) error {
	counts := map[v1alpha4.NodeRole]int{}
	for _, node := range config.Nodes {
		counts[node.Role]++
		name := config.Name + "-" + string(node.Role)
		if n := counts[node.Role]; n > 1 {
			name += fmt.Sprint(n)
		}
		m.engine.add(container{ID: "id-of-" + name, Name: name, Cluster: config.Name, Role: string(node.Role), Mount: node.ExtraMounts[0].HostPath, ImageID: "sha256:of-" + node.Image, Created: time.Now()})
	}
	if m.during != nil {
		return m.during(config)
	}
	return nil
}

func (m *fakeMaker) collectLogs(name, _ string) error {
	m.logs = append(m.logs, name)
	return nil
}

// fakeClient is an API server.
type fakeClient struct {
	answers map[string]string
	status  func() (map[string]string, error)
}

func (c *fakeClient) config() *rest.Config { return &rest.Config{Host: "https://127.0.0.1:1", QPS: -1} }

func (c *fakeClient) nodes(context.Context) (map[string]string, error) { return c.status() }

func (c *fakeClient) get(_ context.Context, path string) ([]byte, error) {
	answer, ok := c.answers[path]
	if !ok {
		return nil, errors.New("404 " + path)
	}
	return []byte(answer), nil
}

// world is a provider with everything around it replaced.
type world struct {
	engine   *fakeEngine
	maker    *fakeMaker
	client   *fakeClient
	provider *Provider
	progress []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{engine: &fakeEngine{
		images:   map[string]image{nodeimage.Tag(clusters.DefaultVersion): {Offline: true}},
		programs: map[string]string{"journalctl": "kubelet says why\n"},
	}}
	w.maker = &fakeMaker{engine: w.engine}
	w.client = &fakeClient{answers: map[string]string{}, status: func() (map[string]string, error) {
		ready := map[string]string{}
		nodes, err := w.engine.containers(context.Background(), "")
		for _, node := range nodes {
			ready[node.Name] = ""
		}
		return ready, err
	}}
	provider, err := New(Options{
		BaseDir: t.TempDir(), Name: "podburst-test", Progress: func(line string) { w.progress = append(w.progress, line) },
		ReadyTimeout: 50 * time.Millisecond, pause: time.Millisecond,
		engine: w.engine, maker: w.maker, client: func(string) (client, error) { return w.client, nil },
		busy: func(string) bool { return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.provider = provider
	return w
}
