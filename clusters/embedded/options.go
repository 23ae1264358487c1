package embedded

import (
	"os"
	"time"

	"github.com/podburst/podburst/clusters"
)

// ProviderName is the provider's name as PROVIDER= takes it.
const ProviderName = "embedded"

// Options configures a Provider.
type Options struct {
	// Binary is the path of the control-plane binary (see clusters/builder). Required.
	Binary string
	// BaseDir is where each cluster gets its own folder. Default: os.TempDir().
	BaseDir string
	// Progress receives one line per step of a cluster's life. Default: dropped.
	Progress func(line string)
	// ReadyTimeout is how long Create waits for the cluster before it gives up.
	// Default: 2 minutes, to allow for a busy machine.
	ReadyTimeout time.Duration
	// StopGrace is how long each group of components (nodes and controllers, API
	// server, etcd) may take to stop by itself before it is killed. Default: 300
	// ms, because nothing of a cluster is kept, and kube-scheduler, kube-apiserver
	// and etcd each take more than a second for an orderly stop.
	StopGrace time.Duration
	// SchedulerConfiguration are further fields of kube-scheduler's configuration
	// file (KubeSchedulerConfiguration, kubescheduler.config.k8s.io/v1) as YAML:
	// extenders, say. A profile cannot hold them, since with a file the scheduler
	// ignores its flags for the limiter; this provider writes the profile's limits
	// into the file. Default: no file.
	SchedulerConfiguration string
	// Now returns the time for certificates and the owner's record. Default:
	// time.Now.
	Now func() time.Time
}

// Provider starts embedded clusters. Several may live side by side.
type Provider struct {
	options Options
	ports   *portPicker
}

var _ clusters.Provider = (*Provider)(nil)

// New returns a provider.
func New(options Options) *Provider {
	if options.BaseDir == "" {
		options.BaseDir = os.TempDir()
	}
	if options.Progress == nil {
		options.Progress = func(string) {}
	}
	if options.ReadyTimeout <= 0 {
		options.ReadyTimeout = 2 * time.Minute
	}
	if options.StopGrace <= 0 {
		options.StopGrace = 300 * time.Millisecond
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Provider{options: options, ports: newPortPicker()}
}

// Name implements clusters.Provider.
func (p *Provider) Name() string { return ProviderName }
