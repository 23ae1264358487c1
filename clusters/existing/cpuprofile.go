package existing

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/podburst/podburst/clusters"
)

var _ clusters.Profiler = (*Cluster)(nil)

// CPUProfile implements clusters.Profiler: of kube-apiserver and of the kubelets, through
// the API server. The error of a refusal names the right that is missing.
func (c *Cluster) CPUProfile(ctx context.Context, instance clusters.Instance, d time.Duration) ([]byte, error) {
	if !slices.Contains(c.Instances(), instance) {
		return nil, fmt.Errorf("cluster %s has no %s", c.Name(), instance)
	}
	path, right := "", "get on the nonResourceURL /debug/pprof/profile, which no shipped manifest grants"
	switch {
	case instance.Component == clusters.KubeAPIServer:
	case instance.Component != clusters.Kubelet:
		return nil, fmt.Errorf("profile %s: %w: %w", instance, clusters.ErrUnsupported, errUnreachable)
	default:
		path, right = "/api/v1/nodes/"+url.PathEscape(instance.Node)+"/proxy", "get on nodes/proxy, which deploy/rbac-kubelets.yaml grants"
	}
	data, err := c.client.Discovery().RESTClient().Get().RequestURI(path + clusters.ProfilePath(d)).DoRaw(ctx)
	switch {
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		return nil, fmt.Errorf("profile %s: %w: this user lacks %s", instance, clusters.ErrUnsupported, right)
	case apierrors.IsNotFound(err):
		return nil, fmt.Errorf("profile %s: %w: it serves no profiles (is it started with --profiling=false?)", instance, clusters.ErrUnsupported)
	case err != nil:
		return nil, fmt.Errorf("profile %s: %w", instance, err)
	}
	return data, nil
}
