package existing

import (
	"context"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
)

// Create implements clusters.Provider: it finds the cluster's worker nodes and
// asks each component once for its metrics and settings, so that what cannot be
// read is known before a burst and not requested again.
func (p *Provider) Create(ctx context.Context, profile clusters.Profile) (clusters.Cluster, error) {
	c, err := p.create(ctx, profile)
	if err != nil {
		return nil, fmt.Errorf("take the cluster of context %q: %w", p.context, err)
	}
	return c, nil
}

func (p *Provider) create(ctx context.Context, profile clusters.Profile) (*Cluster, error) {
	if err := p.CheckProfile(profile); err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(p.RESTConfig())
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	c := &Cluster{provider: p, profile: profile, client: client}
	version, err := client.Discovery().ServerVersion()
	if err != nil {
		return nil, fmt.Errorf("ask the API server for its version: %w", err)
	}
	c.version = version.GitVersion
	if wanted := profile.Spec.KubernetesVersion; wanted != "" && wanted != c.version {
		return nil, fmt.Errorf("kubernetesVersion is %s, but the cluster runs %s: leave the field out, or correct it", wanted, c.version)
	}
	if err := c.findWorkers(ctx); err != nil {
		return nil, err
	}
	c.say("%s, %d worker nodes", c.version, len(c.workers))
	c.probe(ctx)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	return c, nil
}

// findWorkers lists the nodes on which the scheduler would place the burst's pods.
func (c *Cluster) findWorkers(ctx context.Context) error {
	options := &c.provider.options
	nodes, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	switch {
	case options.Passive && apierrors.IsForbidden(err):
		return nil
	case err != nil:
		return fmt.Errorf("list nodes: %w", err)
	}
	for i := range nodes.Items {
		if unfit(&nodes.Items[i]) == "" {
			c.workers = append(c.workers, nodes.Items[i].Name)
		}
	}
	if len(c.workers) == 0 && !options.Passive {
		return fmt.Errorf("none of its %d nodes can take pods: %w", len(nodes.Items), unfitReasons(nodes.Items))
	}
	slices.Sort(c.workers)
	return nil
}

func unfitReasons(nodes []corev1.Node) error {
	const shown = 5
	var errs []error
	for i := range nodes[:min(len(nodes), shown)] {
		errs = append(errs, fmt.Errorf("%s %s", nodes[i].Name, unfit(&nodes[i])))
	}
	return errors.Join(errs...)
}

// unfit says why no pod of a burst would be placed on the node. It is empty for
// a worker node. A PreferNoSchedule taint does not keep pods away.
func unfit(node *corev1.Node) string {
	if node.Spec.Unschedulable {
		return "is cordoned"
	}
	for _, taint := range node.Spec.Taints {
		if taint.Effect == corev1.TaintEffectNoSchedule || taint.Effect == corev1.TaintEffectNoExecute {
			return "has the taint " + taint.ToString()
		}
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
			return ""
		}
	}
	return "is not Ready"
}
