package existing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/podburst/podburst/clusters"
)

const (
	// probeTimeout limits one request of the probe: a node that does not answer
	// must not hold up the run.
	probeTimeout = 10 * time.Second
	// probers is how many requests are in flight at a time.
	probers = 16
)

// probe asks every instance once for its metrics and settings.
func (c *Cluster) probe(ctx context.Context) {
	c.metricsUnavailable = map[clusters.Instance]error{}
	c.configUnavailable = map[clusters.Instance]error{}
	c.effective = clusters.Effective{}
	var (
		mu    sync.Mutex
		tasks sync.WaitGroup
		busy  = make(chan struct{}, probers)
	)
	for _, instance := range c.Instances() {
		busy <- struct{}{}
		tasks.Go(func() {
			defer func() { <-busy }()
			ctx, cancel := context.WithTimeout(ctx, probeTimeout)
			defer cancel()
			_, metrics := c.get(ctx, instance, "metrics")
			var limits clusters.Limits
			var config error
			if instance.Component != clusters.KubeAPIServer { // which has no client limits
				limits, config = c.limits(ctx, instance)
			}
			mu.Lock()
			defer mu.Unlock()
			if metrics != nil {
				c.metricsUnavailable[instance] = fmt.Errorf("read the metrics of %s: %w: %w", instance, clusters.ErrUnsupported, because(instance, metrics))
			}
			switch {
			case config != nil:
				c.configUnavailable[instance] = because(instance, config)
			case instance.Component != clusters.KubeAPIServer:
				c.effective[instance.String()] = limits
			}
		})
	}
	tasks.Wait()
}

func (c *Cluster) limits(ctx context.Context, instance clusters.Instance) (clusters.Limits, error) {
	text, err := c.get(ctx, instance, "configz")
	if err != nil {
		return clusters.Limits{}, err
	}
	return clusters.ParseConfigz(instance.Component, text)
}

// errUnreachable is why a component is not asked at all.
var errUnreachable = errors.New("it serves on its own node, where a kubeconfig does not reach")

// get reads a path of an instance through the API server.
func (c *Cluster) get(ctx context.Context, instance clusters.Instance, path string) ([]byte, error) {
	request := c.client.Discovery().RESTClient().Get()
	switch {
	case instance.Component == clusters.KubeAPIServer:
		return request.AbsPath("/" + path).DoRaw(ctx)
	case instance.Component != clusters.Kubelet:
		return nil, errUnreachable
	case len(c.workers) > c.provider.options.MaxKubelets:
		return nil, fmt.Errorf("there are %d worker nodes, and no more than %d are asked, for each costs a request before and after every burst", len(c.workers), c.provider.options.MaxKubelets)
	}
	return request.AbsPath("/api/v1/nodes", instance.Node, "proxy", path).DoRaw(ctx)
}

// because names the permission that a refused request would have needed.
func because(instance clusters.Instance, err error) error {
	switch {
	case !apierrors.IsForbidden(err) && !apierrors.IsUnauthorized(err):
		return err
	case instance.Component == clusters.KubeAPIServer:
		return errors.New("this user lacks get on the path /metrics")
	}
	return errors.New("this user lacks get on nodes/proxy")
}

// Metrics implements clusters.Cluster. What could not be read at Create stays
// unavailable; a later failure is an error.
func (c *Cluster) Metrics(ctx context.Context, instance clusters.Instance) ([]byte, error) {
	if err := c.metricsUnavailable[instance]; err != nil {
		return nil, err
	}
	if !slices.Contains(c.Instances(), instance) {
		return nil, fmt.Errorf("cluster %s has no %s", c.Name(), instance)
	}
	text, err := c.get(ctx, instance, "metrics")
	if err != nil {
		return nil, fmt.Errorf("read the metrics of %s: %w", instance, err)
	}
	return text, nil
}

// EffectiveConfig implements clusters.Cluster: what the kubelets' /configz said
// at Create. Its error wraps clusters.ErrUnsupported and gives the reason for
// each missing instance. Limits that a profile states for such an instance
// count as not met.
func (c *Cluster) EffectiveConfig(context.Context) (clusters.Effective, error) {
	effective := clusters.Effective{}
	// Many nodes share one reason, so they are reported together.
	type reason struct {
		component clusters.Component
		text      string
	}
	count := map[reason]int{}
	var order []reason
	for _, instance := range c.Instances() {
		if limits, read := c.effective[instance.String()]; read {
			effective[instance.String()] = limits
		} else if err := c.configUnavailable[instance]; err != nil {
			r := reason{instance.Component, err.Error()}
			if count[r]++; count[r] == 1 {
				order = append(order, r)
			}
		}
	}
	if len(order) == 0 {
		return effective, nil
	}
	var parts []string
	for _, r := range order {
		part := fmt.Sprintf("%s: %s", r.component, r.text)
		if n := count[r]; n > 1 {
			part = fmt.Sprintf("%s on %d nodes: %s", r.component, n, r.text)
		}
		parts = append(parts, part)
	}
	return effective, fmt.Errorf("read back limits: %w: %s", clusters.ErrUnsupported, strings.Join(parts, "; "))
}
