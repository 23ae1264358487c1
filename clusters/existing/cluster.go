package existing

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
)

// Cluster is a cluster that someone else runs.
type Cluster struct {
	provider *Provider
	profile  clusters.Profile
	client   kubernetes.Interface
	version  string
	workers  []string

	// What probe found out. metricsUnavailable has the reason for each instance
	// whose metrics cannot be read; the others can be asked.
	metricsUnavailable map[clusters.Instance]error
	effective          clusters.Effective
	configUnavailable  map[clusters.Instance]error
}

var _ clusters.Standing = (*Cluster)(nil)

// Name implements clusters.Cluster: the kubeconfig's context.
func (c *Cluster) Name() string { return c.provider.context }

// Profile implements clusters.Cluster.
func (c *Cluster) Profile() clusters.Profile { return c.profile }

// Instances implements clusters.Cluster. A replicated control plane is listed
// once: through a kubeconfig only the replica that answers can be seen, and
// etcd not at all.
func (c *Cluster) Instances() []clusters.Instance {
	return slices.DeleteFunc(clusters.Instances(c.workers), func(i clusters.Instance) bool { return i.Component == clusters.Etcd })
}

// WorkerNodes implements clusters.Cluster: those that were Ready, schedulable and
// untainted at Create.
func (c *Cluster) WorkerNodes() []string { return slices.Clone(c.workers) }

// RESTConfig implements clusters.Cluster.
func (c *Cluster) RESTConfig() *rest.Config { return c.provider.RESTConfig() }

// Logs implements clusters.Cluster: they cannot be read.
func (c *Cluster) Logs(_ context.Context, instance clusters.Instance) (io.ReadCloser, error) {
	return nil, fmt.Errorf("read the log of %s: %w: a kubeconfig does not reach the logs of components", instance, clusters.ErrUnsupported)
}

// AuditLog implements clusters.Cluster.
func (c *Cluster) AuditLog(context.Context) (io.ReadCloser, error) {
	path := c.provider.options.AuditLog
	if path == "" {
		return nil, fmt.Errorf("open the audit log: %w: a kubeconfig does not reach it (AUDIT_LOG takes its path where this machine has the file)", clusters.ErrUnsupported)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	return file, nil
}

// Processes implements clusters.Cluster: they are not podburst's.
func (c *Cluster) Processes(context.Context) ([]clusters.Process, error) {
	return nil, fmt.Errorf("list processes: %w: a kubeconfig does not show the processes of components", clusters.ErrUnsupported)
}

// Delete implements clusters.Cluster. There is nothing to remove: the run removes
// its own namespace (see clusters.Standing).
func (c *Cluster) Delete(context.Context) error { return nil }

func (c *Cluster) say(format string, args ...any) {
	c.provider.options.Progress(fmt.Sprintf("existing %s: ", c.Name()) + fmt.Sprintf(format, args...))
}
