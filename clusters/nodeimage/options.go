package nodeimage

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Repository is the image's name without its tag.
const Repository = "podburst/node"

// InputsLabel is the image's label that holds the hash of its inputs. Its
// presence tells a node image of podburst's making from a published one.
const InputsLabel = "dev.podburst.node-image.inputs"

// CacheEnv names the environment variable that moves podburst's cache folder.
const CacheEnv = "PODBURST_CACHE"

// Tag is the image's full name for a Kubernetes version such as "v1.37.2".
func Tag(kubernetesVersion string) string { return Repository + ":" + kubernetesVersion }

// Options says what to build and whom to tell. The zero value works inside a
// checkout of podburst.
type Options struct {
	// SourceDir is the clusters folder of a checkout of podburst. Default:
	// found by walking up from WorkDir.
	SourceDir string
	// WorkDir is where the search for SourceDir starts. Default: the current folder.
	WorkDir string
	// CacheDir holds podburst's caches; the root file system is kept in
	// nodeimage in it. Default: $PODBURST_CACHE, else podburst in the user's
	// cache folder.
	CacheDir string
	// Mirror is the Debian mirror to fetch packages from. Default: debootstrap's own.
	Mirror string
	// Force builds even if the image is there and its inputs are unchanged.
	Force bool
	// Environ is the environment of every command. Default: os.Environ().
	Environ []string
	// Output receives the progress, one line a step. Default: nothing is written.
	Output io.Writer
	// Interval is the time between two lines of a long step. Default: 15 s.
	Interval time.Duration

	// Run runs commands. Default: Exec.
	Run Runner
	// Root says whether this process may make devices and change its root.
	// Default: whether it runs as root.
	Root func() bool
	// FreeBytes tells the free space of the file system that holds dir, or a
	// negative number where that is unknown. Default: asks the system.
	FreeBytes func(dir string) int64
}

func (o Options) withDefaults() (Options, error) {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.Interval <= 0 {
		o.Interval = 15 * time.Second
	}
	if o.Run == nil {
		o.Run = Exec
	}
	if o.Root == nil {
		o.Root = func() bool { return os.Geteuid() == 0 }
	}
	if o.FreeBytes == nil {
		o.FreeBytes = freeBytes
	}
	if o.CacheDir == "" {
		o.CacheDir = os.Getenv(CacheEnv)
	}
	if o.CacheDir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return o, fmt.Errorf("find the cache folder: %w; set %s to a folder that can be written", err, CacheEnv)
		}
		o.CacheDir = filepath.Join(dir, "podburst")
	}
	dir, err := filepath.Abs(o.CacheDir)
	if err != nil {
		return o, fmt.Errorf("find the cache folder: %w", err)
	}
	o.CacheDir = filepath.Join(dir, "nodeimage")
	if o.SourceDir == "" {
		o.SourceDir, err = findSource(o.WorkDir)
	}
	return o, err
}

// say writes one line of progress.
func (o Options) say(format string, args ...any) {
	fmt.Fprintf(o.Output, "node image: "+format+"\n", args...)
}

// findSource walks up from dir to the checkout's clusters folder.
func findSource(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the sources: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		clusters := filepath.Join(dir, "clusters")
		if _, err := os.Stat(filepath.Join(clusters, runtimeModule, "go.mod")); err == nil {
			return clusters, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("find the sources: no folder from %s upwards holds clusters/%s; run inside a checkout of podburst", start, runtimeModule)
		}
	}
}
