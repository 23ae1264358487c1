package builder

import (
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/podburst/podburst/internal/checkout"
	"github.com/podburst/podburst/internal/command"
)

// CacheEnv names the environment variable that moves podburst's cache folder.
const CacheEnv = checkout.CacheEnv

// Options says what to build and where to report. The zero value works inside a
// checkout of podburst.
type Options struct {
	// SourceDir is the folder of the control plane's module. Default: found by
	// walking up from WorkDir.
	SourceDir string
	// WorkDir is where the search for SourceDir starts. Default: the current folder.
	WorkDir string
	// CacheDir holds podburst's caches; binaries go to controlplane/<key> in it.
	// Default: $PODBURST_CACHE, else podburst in the user's cache folder.
	CacheDir string
	// GoTool is the go command. Default: "go", looked up on PATH.
	GoTool string
	// Environ is the environment of the go command, as os.Environ gives it.
	// Default: os.Environ(). Variables that would change the binary are
	// overridden.
	Environ []string
	// Output receives the progress of a build. Default: nothing is written.
	Output io.Writer
	// Terminal says that Output is a terminal. Progress is then one line that is
	// rewritten; otherwise it is one line every Interval.
	Terminal bool
	// Interval is the time between two lines of progress. Default: 15 s (a
	// second on a terminal).
	Interval time.Duration
	// Keep is how many binaries stay in the cache. Default: 3.
	Keep int

	// Run runs the go command. Default: command.Exec.
	Run command.Runner
	// Clock tells the time. Default: the real one.
	Clock Clock
}

// Clock is as much of a clock as a build needs.
type Clock interface {
	Now() time.Time
	// After delivers the time once d has passed.
	After(d time.Duration) <-chan time.Time
}

type realClock struct{}

func (realClock) Now() time.Time                         { return time.Now() }
func (realClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// withDefaults fills in what is unset.
func (o Options) withDefaults() (Options, error) {
	if o.GoTool == "" {
		o.GoTool = "go"
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Output == nil {
		o.Output = io.Discard
	}
	if o.Interval <= 0 {
		o.Interval = 15 * time.Second
		if o.Terminal {
			o.Interval = time.Second
		}
	}
	if o.Keep <= 0 {
		o.Keep = 3
	}
	if o.Run == nil {
		o.Run = command.Exec
	}
	if o.Clock == nil {
		o.Clock = realClock{}
	}
	if o.CacheDir == "" {
		o.CacheDir = lookup(o.Environ, CacheEnv)
	}
	dir, err := checkout.Cache(o.CacheDir)
	if err != nil {
		return o, err
	}
	o.CacheDir = dir
	if o.SourceDir == "" {
		if o.SourceDir, err = checkout.Module(o.WorkDir, sourceDir); err != nil {
			return o, err
		}
	}
	return o, nil
}

// buildEnviron is the environment of every go command.
func (o Options) buildEnviron() []string { return Environ(o.Environ) }

// Environ is the environment of a go command that builds a static program: the
// user's, except for what would change the binary or stop the build. GOFLAGS
// must not be empty: an empty value lets the one from `go env -w` through.
func Environ(of []string) []string {
	goflags := "-mod=readonly"
	// The user chose it for the module cache's permissions; it does not change the
	// binary.
	if strings.Contains(lookup(of, "GOFLAGS"), "-modcacherw") {
		goflags += " -modcacherw"
	}
	own := []string{
		"CGO_ENABLED=0",
		"GOFLAGS=" + goflags,
		"GOWORK=off",
		"GOOS=" + runtime.GOOS,
		"GOARCH=" + runtime.GOARCH,
	}
	environ := make([]string, 0, len(of)+len(own))
	for _, entry := range of {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "CGO_ENABLED", "GOFLAGS", "GOWORK", "GOOS", "GOARCH", "PWD":
		default:
			environ = append(environ, entry)
		}
	}
	return append(environ, own...)
}

func lookup(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if key, v, ok := strings.Cut(entry, "="); ok && key == name {
			value = v
		}
	}
	return value
}
