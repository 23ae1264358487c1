package kind

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/nodeimage"
	"github.com/podburst/podburst/internal/command"
	"github.com/podburst/podburst/internal/procfs"
)

// ProviderName is the provider's name as PROVIDER= takes it.
const ProviderName = "kind"

// PublishedImage is kind's own default node image, used if the engine does not
// have the offline one.
const PublishedImage = defaults.Image

// Options configures a Provider. The zero value works.
type Options struct {
	// BaseDir is where each cluster gets its own folder. The Docker engine must
	// see the same folder, because files in it are mounted into nodes. Default:
	// podburst/kind in the user's cache folder.
	BaseDir string
	// LogsDir is where the logs of clusters that could not be made are kept, one
	// folder each. Default: failed in BaseDir.
	LogsDir string
	// Name is the cluster's name, for a cluster that must be found again. Default:
	// podburst-<profile>-<random>, so that names never clash.
	Name string
	// RunID is kept in the owner's record, to show which run made a cluster.
	RunID string
	// Progress receives one line per step of a cluster's life. Default: dropped.
	Progress func(line string)
	// ReadyTimeout is how long Create waits for nodes to be Ready once kubeadm
	// has ended. Default: 5 minutes.
	ReadyTimeout time.Duration

	// proc is this machine's /proc.
	proc *procfs.FS
	// now returns the time; engine, kubeadm and client are replaced in tests.
	now    func() time.Time
	engine engine
	maker  maker
	client clientMaker
	// busy reports whether a docker command is still about to start a node of the
	// cluster.
	busy func(cluster string) bool
	// pause is how long the removal of a cluster waits before it checks again.
	pause time.Duration
}

// Provider starts kind clusters, one at a time; several may live side by side.
type Provider struct {
	options Options
}

var _ clusters.Provider = (*Provider)(nil)

// New returns a provider. It asks nothing of the engine yet.
func New(options Options) (*Provider, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("kind provider: %w", err)
	}
	return &Provider{options: o}, nil
}

func (o Options) withDefaults() (Options, error) {
	if o.BaseDir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return o, fmt.Errorf("find the cache folder: %w; name a folder for the clusters' files", err)
		}
		o.BaseDir = filepath.Join(dir, "podburst", "kind")
	}
	base, err := filepath.Abs(o.BaseDir)
	if err != nil {
		return o, err
	}
	// docker's --volume separates its parts with colons.
	if strings.Contains(base, ":") {
		return o, fmt.Errorf("folder %s has a colon in its name, and Docker cannot mount it; name another", base)
	}
	o.BaseDir = base
	if o.LogsDir == "" {
		o.LogsDir = filepath.Join(base, "failed")
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.ReadyTimeout <= 0 {
		o.ReadyTimeout = 5 * time.Minute
	}
	if o.proc == nil {
		here := procfs.Local()
		o.proc = &here
	}
	if o.now == nil {
		o.now = time.Now
	}
	if o.engine == nil {
		o.engine = docker{run: command.Exec}
	}
	if o.maker == nil {
		o.maker = newMaker(o.Progress)
	}
	if o.client == nil {
		o.client = newClient
	}
	if o.busy == nil {
		o.busy = dockerBusy
	}
	if o.pause <= 0 {
		o.pause = 300 * time.Millisecond
	}
	return o, nil
}

// Name implements clusters.Provider.
func (p *Provider) Name() string { return ProviderName }

// imageOf is the node image that the profile asks for, or "" if it asks for none.
func imageOf(profile clusters.Profile) (string, error) {
	spec := profile.Spec
	switch {
	case spec.NodeImage != "" && spec.KubernetesVersion != "" && !strings.Contains(spec.NodeImage, spec.KubernetesVersion):
		return "", fmt.Errorf("nodeImage is %s and kubernetesVersion is %s; leave one of them out", spec.NodeImage, spec.KubernetesVersion)
	case spec.NodeImage != "":
		return spec.NodeImage, nil
	case spec.KubernetesVersion == "":
		return "", nil
	case spec.KubernetesVersion == clusters.DefaultVersion:
		return nodeimage.Tag(clusters.DefaultVersion), nil
	}
	return "kindest/node:" + spec.KubernetesVersion, nil
}
