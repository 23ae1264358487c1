package kind

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/command"
)

// Cluster is a running kind cluster. It implements clusters.Cluster.
type Cluster struct {
	options Options
	plan    plan
	state   state
	client  client
	// nodes are the names of all nodes; controlPlanes and workers are those with
	// that role.
	nodes, controlPlanes, workers []string
	// ids are the nodes' container IDs by name.
	ids map[string]string

	watched watched
	// deleting serializes concurrent Deletes.
	deleting sync.Mutex
	deleted  bool
}

var (
	_ clusters.Cluster        = (*Cluster)(nil)
	_ clusters.SettingsReader = (*Cluster)(nil)
)

func newCluster(o Options, plan plan, s state, containers []container, client client) *Cluster {
	c := &Cluster{options: o, plan: plan, state: s, client: client, ids: map[string]string{}}
	for _, node := range containers {
		c.ids[node.Name] = node.ID
		switch node.Role {
		case "control-plane":
			c.controlPlanes = append(c.controlPlanes, node.Name)
		case "worker":
			c.workers = append(c.workers, node.Name)
		}
	}
	slices.Sort(c.controlPlanes)
	slices.Sort(c.workers)
	c.nodes = slices.Concat(c.controlPlanes, c.workers)
	return c
}

// Name implements clusters.Cluster.
func (c *Cluster) Name() string { return c.plan.name }

// Profile implements clusters.Cluster: what was requested, with podburst's
// defaults.
func (c *Cluster) Profile() clusters.Profile { return c.plan.profile }

// Image is the node image that the cluster was made from.
func (c *Cluster) Image() string { return c.plan.image }

// Instances implements clusters.Cluster. Control plane instances name their
// node only if there are several.
func (c *Cluster) Instances() []clusters.Instance {
	var list []clusters.Instance
	for _, node := range c.controlPlanes {
		for _, component := range clusters.ControlPlane() {
			instance := clusters.Instance{Component: component}
			if len(c.controlPlanes) > 1 {
				instance.Node = node
			}
			list = append(list, instance)
		}
	}
	for _, node := range c.nodes {
		list = append(list, clusters.Instance{Component: clusters.Kubelet, Node: node})
	}
	return list
}

// nodeOf is the node that an instance runs on.
func (c *Cluster) nodeOf(instance clusters.Instance) (string, error) {
	if !slices.Contains(c.Instances(), instance) {
		return "", fmt.Errorf("cluster %s has no %s", c.plan.name, instance)
	}
	if instance.Node == "" {
		return c.controlPlanes[0], nil
	}
	return instance.Node, nil
}

// WorkerNodes implements clusters.Cluster.
func (c *Cluster) WorkerNodes() []string { return slices.Clone(c.workers) }

// RESTConfig implements clusters.Cluster.
func (c *Cluster) RESTConfig() *rest.Config { return c.client.config() }

// Delete implements clusters.Cluster: it removes the nodes, their volumes and
// the cluster's folder. The engine's network named kind stays, because all kind
// clusters on the machine share it.
func (c *Cluster) Delete(ctx context.Context) error {
	c.deleting.Lock()
	defer c.deleting.Unlock()
	if c.deleted {
		return nil
	}
	if err := c.options.remove(ctx, c.plan.name, c.state.dir); err != nil {
		return fmt.Errorf("delete cluster %s: %w", c.plan.name, err)
	}
	c.deleted = true
	c.options.Progress(fmt.Sprintf("cluster %s: removed", c.plan.name))
	return nil
}

// Collect implements clusters.Cluster: kind's own collection (each node's
// journal, /var/log and containers' logs, the engine's view of the nodes) and
// the static pod manifests. None of it contains keys, tokens or kubeconfigs.
func (c *Cluster) Collect(ctx context.Context, dir string) error {
	collected := make(chan error, 1)
	go func() { collected <- c.options.maker.collectLogs(c.plan.name, dir) }()
	select {
	case err := <-collected:
		if err != nil {
			err = fmt.Errorf("collect logs of cluster %s: %w", c.plan.name, err)
		}
		return errors.Join(err, c.collectManifests(ctx, dir))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c *Cluster) collectManifests(ctx context.Context, dir string) error {
	var errs []error
	for _, node := range c.controlPlanes {
		for _, component := range clusters.ControlPlane() {
			name := string(component) + ".yaml"
			manifest, err := c.inNode(ctx, node, "cat", "/etc/kubernetes/manifests/"+name)
			if err == nil {
				path := filepath.Join(dir, node, "manifests", name)
				err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, manifest, 0o644))
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// inNode runs a program in a node and returns what it prints.
func (c *Cluster) inNode(ctx context.Context, node string, args ...string) ([]byte, error) {
	var stdout bytes.Buffer
	err := c.options.engine.exec(ctx, node, &stdout, args...)
	return stdout.Bytes(), err
}

// stream runs a program in a node and returns its output as it arrives. If the
// program fails, the reader returns the error; closing the reader ends the
// program.
func (c *Cluster) stream(ctx context.Context, node string, args ...string) io.ReadCloser {
	ctx, cancel := context.WithCancel(ctx)
	reader, writer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		writer.CloseWithError(c.options.engine.exec(ctx, node, writer, args...))
	}()
	return &streamReader{PipeReader: reader, cancel: cancel, ended: ended}
}

type streamReader struct {
	*io.PipeReader
	cancel context.CancelFunc
	ended  chan struct{}
}

func (r *streamReader) Close() error {
	r.cancel()
	err := r.PipeReader.Close()
	<-r.ended
	return err
}

// lastLines returns the end of an instance's log, or why there is none.
func (c *Cluster) lastLines(ctx context.Context, instance clusters.Instance) string {
	log, err := c.Logs(ctx, instance)
	if err != nil {
		return "  " + err.Error()
	}
	defer log.Close()
	text, err := io.ReadAll(log)
	if err != nil && len(text) == 0 {
		return "  " + strings.TrimSpace(err.Error())
	}
	return command.LastLines(string(text), shownLines)
}
