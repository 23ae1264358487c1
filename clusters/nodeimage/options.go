package nodeimage

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/podburst/podburst/internal/checkout"
	"github.com/podburst/podburst/internal/command"
)

// Repository is the image's name without its tag.
const Repository = "podburst/node"

// InputsLabel is the image's label that holds the hash of its inputs. Its
// presence tells a node image of podburst's making from a published one.
const InputsLabel = "dev.podburst.node-image.inputs"

// CacheEnv names the environment variable that moves podburst's cache folder.
const CacheEnv = checkout.CacheEnv

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

	// Run runs commands. Default: command.Exec.
	Run command.Runner
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
		o.Run = command.Exec
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
	dir, err := checkout.Cache(o.CacheDir)
	if err != nil {
		return o, err
	}
	o.CacheDir = filepath.Join(dir, "nodeimage")
	if o.SourceDir == "" {
		var module string
		module, err = checkout.Module(o.WorkDir, "clusters/"+runtimeModule)
		o.SourceDir = strings.TrimSuffix(module, filepath.FromSlash("/"+runtimeModule))
	}
	return o, err
}

// say writes one line of progress.
func (o Options) say(format string, args ...any) {
	fmt.Fprintf(o.Output, "node image: "+format+"\n", args...)
}
