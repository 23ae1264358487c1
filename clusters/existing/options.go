package existing

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/nearest"
)

// ProviderName is the provider's name as PROVIDER= takes it.
const ProviderName = "existing"

// Options configures a Provider. The zero value uses what kubectl would use
// without KUBECONFIG: the current context of .kube/config in the home folder.
type Options struct {
	// Kubeconfig is a file, or several separated as in PATH, which are merged as
	// kubectl does. Default: .kube/config in the home folder.
	Kubeconfig string
	// Context is the context to use. Default: the current one.
	Context string
	// AuditLog is the API server's audit log, if this machine has that file (on a
	// control plane node, say). Default: none; marks then come from the watch.
	AuditLog string
	// MaxKubelets is the largest number of worker nodes for which the kubelets'
	// metrics and settings are read: each costs a request through the API server
	// before and after every burst. With more nodes they are unavailable. Default:
	// 50.
	MaxKubelets int
	// Passive means that pods are only watched and none are created. Then the
	// cluster needs no node to place them on, and the user need not be allowed to
	// list nodes (Cluster.WorkerNodes is empty in that case). Default: false.
	Passive bool
	// Progress receives one line per step. Default: dropped.
	Progress func(line string)
}

// Provider uses the cluster of one context.
type Provider struct {
	options   Options
	context   string
	namespace string
	// config has neither limiter nor user agent.
	config *rest.Config
}

var _ clusters.Adopter = (*Provider)(nil)

// New reads the kubeconfig and checks that a named audit log exists; it
// contacts nothing. Its errors name files and contexts, never the content of a
// kubeconfig.
func New(o Options) (*Provider, error) {
	if o.MaxKubelets == 0 {
		o.MaxKubelets = 50
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.AuditLog != "" {
		log, err := os.Open(o.AuditLog)
		if err != nil {
			return nil, fmt.Errorf("open the audit log: %w", err)
		}
		_ = log.Close() // only read
	}
	p := &Provider{options: o}
	rules, err := o.rules()
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	// Not the deferred loader: it would fall back to the pod's own service account.
	merged, err := rules.Load()
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	p.context = o.Context
	if p.context == "" {
		p.context = merged.CurrentContext
	}
	names := slices.Sorted(maps.Keys(merged.Contexts))
	switch {
	case p.context == "":
		return nil, fmt.Errorf("read kubeconfig: it has no current context: set KUBECONTEXT%s", nearest.Hint("", "contexts", names))
	case merged.Contexts[p.context] == nil:
		return nil, fmt.Errorf("read kubeconfig: it has no context %q%s", p.context, nearest.Hint(p.context, "contexts", names))
	}
	loader := clientcmd.NewNonInteractiveClientConfig(*merged, p.context, &clientcmd.ConfigOverrides{}, rules)
	config, err := loader.ClientConfig()
	if err == nil {
		p.namespace, _, err = loader.Namespace()
	}
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: context %q: %w", p.context, err)
	}
	config.QPS, config.Burst, config.RateLimiter = -1, 0, nil
	config.UserAgent = ""
	// It would cut off the watches.
	config.Timeout = 0
	p.config = config
	return p, nil
}

// rules say which files to read. A named file that does not exist is an error;
// clientcmd would skip it in a list.
func (o Options) rules() (*clientcmd.ClientConfigLoadingRules, error) {
	named := o.Kubeconfig != ""
	files := filepath.SplitList(o.Kubeconfig)
	if !named {
		files = []string{clientcmd.RecommendedHomeFile}
	}
	var errs []error
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			errs = append(errs, err)
		}
	}
	err := errors.Join(errs...)
	switch {
	case err != nil && named:
		return nil, fmt.Errorf("KUBECONFIG: %w", err)
	case err != nil:
		return nil, fmt.Errorf("there is none: set KUBECONFIG to one (%w)", err)
	case len(files) == 1:
		return &clientcmd.ClientConfigLoadingRules{ExplicitPath: files[0]}, nil
	}
	return &clientcmd.ClientConfigLoadingRules{Precedence: files}, nil
}

// Name implements clusters.Provider.
func (p *Provider) Name() string { return ProviderName }

// Context is the kubeconfig's context that the provider uses.
func (p *Provider) Context() string { return p.context }

// Namespace is the context's namespace, "default" if it has none, as in kubectl.
func (p *Provider) Namespace() string { return p.namespace }

// RESTConfig is how to reach the cluster, with QPS -1. It holds credentials.
func (p *Provider) RESTConfig() *rest.Config { return rest.CopyConfig(p.config) }
