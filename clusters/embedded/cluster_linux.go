package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
)

// Cluster is a running embedded cluster.
type Cluster struct {
	name         string
	profile      clusters.Profile
	settings     settings
	credentials  credentials
	grace        time.Duration
	progress     func(string)
	reaper       *reaper
	endpoint     endpoint
	etcdEndpoint endpoint

	mu      sync.Mutex
	lives   map[clusters.Instance]*process // the latest life of each instance
	deleted bool                           // no more processes may be started

	deleting sync.Mutex // one Delete at a time; the next one finds nothing to do
}

var _ clusters.Cluster = (*Cluster)(nil)

// Name implements clusters.Cluster.
func (c *Cluster) Name() string { return c.name }

// Profile implements clusters.Cluster.
func (c *Cluster) Profile() clusters.Profile { return c.profile }

// Instances implements clusters.Cluster.
func (c *Cluster) Instances() []clusters.Instance { return c.settings.instances() }

// WorkerNodes implements clusters.Cluster.
func (c *Cluster) WorkerNodes() []string { return slices.Clone(c.settings.workers) }

// Dir is the cluster's folder. It holds keys: see Collect for what may leave
// this machine.
func (c *Cluster) Dir() string { return c.settings.layout.dir }

// Kubeconfig is the path of a kubeconfig for kubectl. It is removed with the
// cluster.
func (c *Cluster) Kubeconfig() string { return c.settings.layout.kubeconfig("admin") }

// RESTConfig implements clusters.Cluster.
func (c *Cluster) RESTConfig() *rest.Config {
	return &rest.Config{
		Host: address(c.settings.ports.apiServer),
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   slices.Clone(c.credentials.authority),
			CertData: slices.Clone(c.credentials.admin.certificate),
			KeyData:  slices.Clone(c.credentials.admin.key),
		},
		QPS:       -1,
		UserAgent: adminUser,
	}
}

// Metrics implements clusters.Cluster.
func (c *Cluster) Metrics(ctx context.Context, instance clusters.Instance) ([]byte, error) {
	text, err := c.get(ctx, instance, "/metrics")
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", instance, err)
	}
	return text, nil
}

// get reads a path of the instance's own server.
func (c *Cluster) get(ctx context.Context, instance clusters.Instance, path string) ([]byte, error) {
	if err := c.known(instance); err != nil {
		return nil, err
	}
	through := c.endpoint
	if instance.Component == clusters.Etcd {
		through = c.etcdEndpoint
	}
	return through.get(ctx, c.settings.ports.port(instance), path)
}

// known returns an error for an instance that the cluster does not have.
func (c *Cluster) known(instance clusters.Instance) error {
	if !slices.Contains(c.settings.instances(), instance) {
		return fmt.Errorf("cluster %s has no %s", c.name, instance)
	}
	return nil
}

// Logs implements clusters.Cluster.
func (c *Cluster) Logs(_ context.Context, instance clusters.Instance) (io.ReadCloser, error) {
	if err := c.known(instance); err != nil {
		return nil, err
	}
	file, err := os.Open(c.settings.layout.log(instance.String()))
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", instance, err)
	}
	return file, nil
}

// AuditLog implements clusters.Cluster.
func (c *Cluster) AuditLog(context.Context) (io.ReadCloser, error) {
	file, err := os.Open(c.settings.layout.auditLog())
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	return file, nil
}

// Processes implements clusters.Cluster.
func (c *Cluster) Processes(context.Context) ([]clusters.Process, error) {
	var list []clusters.Process
	for _, instance := range c.settings.instances() {
		p := c.life(instance)
		if p == nil {
			continue // Create failed before it reached this one.
		}
		process := clusters.Process{Instance: instance, ID: fmt.Sprintf("%d/%s", p.pid, p.start), Running: p.running()}
		if !process.Running {
			process.Exit = p.exit + "; its last log lines:\n" + p.tail()
		}
		list = append(list, process)
	}
	return list, nil
}

// life returns the latest process of the instance, or nil.
func (c *Cluster) life(instance clusters.Instance) *process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lives[instance]
}

// startInstance starts a process for an instance that has none.
func (c *Cluster) startInstance(instance clusters.Instance) (*process, error) {
	f, err := c.settings.flags(instance)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deleted {
		return nil, fmt.Errorf("start %s: cluster %s is deleted", instance, c.name)
	}
	if old := c.lives[instance]; old != nil && old.running() {
		return nil, fmt.Errorf("start %s: process %d still runs", instance, old.pid)
	}
	l := c.settings.layout
	p, err := startProcess(program{
		instance: instance,
		args:     append([]string{l.program(programOf(instance.Component))}, f.args()...),
		dir:      l.dir,
		environ:  environment(l),
		log:      l.log(instance.String()),
	})
	if err != nil {
		return nil, err
	}
	c.lives[instance] = p
	return p, nil
}

// environment is the components' environment: none of the user's variables that
// would change what is measured (GOMAXPROCS, GODEBUG, proxies), and a temporary
// folder that is removed with the cluster.
func environment(l layout) []string {
	return []string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME=" + l.temporary(),
		"TMPDIR=" + l.temporary(),
		// klog's timestamps have no time zone; readers take them as UTC.
		"TZ=UTC",
	}
}

// StopComponent stops one instance until StartComponent, for fault tests.
func (c *Cluster) StopComponent(ctx context.Context, instance clusters.Instance) error {
	if err := c.known(instance); err != nil {
		return err
	}
	p := c.life(instance)
	if p == nil {
		return fmt.Errorf("stop %s: it was never started", instance)
	}
	return p.stop(ctx, c.grace)
}

// StartComponent starts an instance again after StopComponent, on the same
// port and with the same flags, and waits until it works.
func (c *Cluster) StartComponent(ctx context.Context, instance clusters.Instance) error {
	if err := c.known(instance); err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	if err := c.launch(instance, fail); err != nil {
		return err
	}
	return c.awaitHealthy(ctx, instance)
}

func (c *Cluster) say(format string, args ...any) {
	c.progress(fmt.Sprintf("embedded %s: ", c.profile.Metadata.Name) + fmt.Sprintf(format, args...))
}

// stopOrder is the order of an orderly stop: first the API server's clients,
// then the API server, then its database.
var stopOrder = [][]clusters.Component{
	{clusters.Kubelet, clusters.KubeScheduler, clusters.KubeControllerManager},
	{clusters.KubeAPIServer},
	{clusters.Etcd},
}

// Delete implements clusters.Cluster. When ctx ends, it no longer waits for an
// orderly stop, but still kills and removes everything.
func (c *Cluster) Delete(ctx context.Context) error {
	c.deleting.Lock()
	defer c.deleting.Unlock()
	c.mu.Lock()
	c.deleted = true
	c.mu.Unlock()

	var errs []error
	for _, group := range stopOrder {
		errs = append(errs, c.stopGroup(ctx, group))
	}
	if c.endpoint.client != nil {
		c.endpoint.close()
		c.etcdEndpoint.close()
	}
	if err := os.RemoveAll(c.settings.layout.dir); err != nil {
		errs = append(errs, fmt.Errorf("remove the cluster's folder: %w", err))
	} else if c.reaper != nil {
		// Only now: until the folder is gone, the reaper is needed in case this
		// process dies.
		errs = append(errs, c.reaper.dismiss())
		c.reaper = nil
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("delete cluster %s: %w; `podburst clusters clean` removes what is left", c.name, err)
	}
	return nil
}

// stopGroup stops the components' instances in parallel.
func (c *Cluster) stopGroup(ctx context.Context, components []clusters.Component) error {
	var group sync.WaitGroup
	errs := make([]error, len(c.settings.instances()))
	for i, instance := range c.settings.instances() {
		p := c.life(instance)
		if p == nil || !slices.Contains(components, instance.Component) {
			continue
		}
		group.Go(func() { errs[i] = p.stop(ctx, c.grace) })
	}
	group.Wait()
	return errors.Join(errs...)
}
