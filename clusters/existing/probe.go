package existing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/podburst/podburst/clusters"
)

const (
	// probeTimeout bounds one request of the probe: a node that does not answer
	// must not hold up the run.
	probeTimeout = 10 * time.Second
	// probers is how many requests are under way at a time.
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
			if instance.Component != clusters.KubeAPIServer { // which has no such limits
				limits, config = c.limits(ctx, instance)
			}
			mu.Lock()
			defer mu.Unlock()
			if metrics != nil {
				c.metricsUnavailable[instance] = unavailable("read the metrics of", instance, metrics)
			}
			switch {
			case config != nil:
				c.configUnavailable[instance] = unavailable("read back the limits of", instance, config)
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

// errUnreachable is why there are no requests to a component at all.
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

// unavailable wraps clusters.ErrUnsupported with the reason.
func unavailable(action string, instance clusters.Instance, err error) error {
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		right := "get on nodes/proxy"
		if instance.Component == clusters.KubeAPIServer {
			right = "get on the path /metrics"
		}
		err = fmt.Errorf("this user lacks %s", right)
	}
	return fmt.Errorf("%s %s: %w: %w", action, instance, clusters.ErrUnsupported, err)
}

// Metrics implements clusters.Cluster. What could not be read at Create is
// unavailable for good; what fails later is an error.
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

// EffectiveConfig implements clusters.Cluster: what /configz of the kubelets said
// at Create. Its error wraps clusters.ErrUnsupported and gives a reason for each
// instance that is absent; a profile that states limits for one is not met.
func (c *Cluster) EffectiveConfig(context.Context) (clusters.Effective, error) {
	effective := clusters.Effective{}
	var errs []error
	for _, instance := range c.Instances() {
		if limits, read := c.effective[instance.String()]; read {
			effective[instance.String()] = limits
		} else if err := c.configUnavailable[instance]; err != nil {
			errs = append(errs, err)
		}
	}
	return effective, errors.Join(errs...)
}
