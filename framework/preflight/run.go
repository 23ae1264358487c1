package preflight

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
)

// Options of Run. Config and Open are required.
type Options struct {
	// Config reaches the cluster (clusters.Cluster's RESTConfig).
	Config *rest.Config
	// Open opens the cluster; if something is missing, that is a failed check.
	Open func(ctx context.Context) (clusters.Cluster, error)
	// Request is what a burst will ask for: it decides which room, image and
	// admission are checked. Default: 100 pods of load.PauseImage.
	load.Request
	// Namespace is where to check quotas and admission. Default: a new one, like a
	// run's, removed at the end.
	Namespace string
	// Now is the observer's clock. Default: time.Now.
	Now func() time.Time
}

// Run makes all checks of a cluster. A check that cannot be made is a finding; an
// error means that the options cannot work.
func Run(ctx context.Context, o Options) ([]Check, error) {
	if o.Config == nil || o.Open == nil {
		return nil, errors.New("check cluster: Config and Open are required")
	}
	if o.Pods == 0 {
		o.Pods = 100
	}
	if o.Image == "" {
		o.Image = load.PauseImage
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	client, err := burst.NewClient(o.Config)
	if err != nil {
		return nil, fmt.Errorf("check cluster: %w", err)
	}
	l := &listing{}
	if !l.version(client) {
		return l.checks, nil // no answer: every other check would say the same
	}
	web, err := rest.HTTPClientFor(o.Config)
	if err != nil {
		return nil, fmt.Errorf("check cluster: %w", err)
	}
	l.clock(ctx, web, o)
	asked := o.Namespace
	if asked == "" {
		asked = burst.NamespaceOf("doctor")
	}
	l.permissions(ctx, client, asked)
	l.cluster(ctx, client, o)
	l.admission(ctx, client, o)
	if err := ctx.Err(); err != nil {
		return l.checks, context.Cause(ctx)
	}
	return l.checks, nil
}

// version reports whether the API server answers.
func (l *listing) version(client kubernetes.Interface) bool {
	version, err := client.Discovery().ServerVersion()
	if err != nil {
		l.add(Fail, "API server", "see that the kubeconfig's context is the one meant and that its credentials are valid", "no answer: %v", err)
		return false
	}
	l.released("API server", version.GitVersion)
	return true
}

// get requests a path; the caller closes the body.
func get(ctx context.Context, web *http.Client, url string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return web.Do(request)
}
