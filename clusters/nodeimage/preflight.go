package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// Errors that a caller may want to tell apart; each comes wrapped in a sentence
// that says what to do.
var (
	// ErrNoEngine: no Docker engine answers.
	ErrNoEngine = errors.New("no Docker engine answers")
	// ErrNotRoot: debootstrap needs root.
	ErrNotRoot = errors.New("building the node image needs root")
	// ErrMissingTool: a program is not installed.
	ErrMissingTool = errors.New("not installed")
)

// DiskNeeded is what a build writes at its peak, in bytes, the engine's copy of
// the image included; rounded up from a measured build. Go's own caches, where
// the Kubernetes binary is not compiled yet, come on top.
const DiskNeeded = 4 << 30

// checkEngine asks for the engine's version.
func (o Options) checkEngine(ctx context.Context) error {
	_, err := o.run(ctx, "", "docker", "version", "--format", "{{.Server.Version}}")
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: there is no docker command; install Docker, or run .ci/docker-engine start on Debian", ErrNoEngine)
	case strings.Contains(err.Error(), "permission denied"):
		return fmt.Errorf("%w to this user: add the user to the group docker, or run as root\n%w", ErrNoEngine, err)
	}
	return fmt.Errorf("%w: start it, or let .ci/docker-engine start one of its own\n%w", ErrNoEngine, err)
}

// preflight finds out within a second what would otherwise end a build after
// minutes. Every fault is reported.
func (o Options) preflight() error {
	var errs []error
	if !o.Root() {
		errs = append(errs, fmt.Errorf("%w: debootstrap makes device nodes and changes its root; run it through sudo, once", ErrNotRoot))
	}
	for tool, from := range map[string]string{
		"debootstrap": "the package debootstrap",
		"go":          "https://go.dev/dl/",
		"gcc":         "the packages gcc and libc6-dev",
	} {
		if !o.onPath(tool) {
			errs = append(errs, fmt.Errorf("%s: %w: it comes from %s", tool, ErrMissingTool, from))
		}
	}
	if err := os.MkdirAll(o.CacheDir, 0o755); err != nil {
		errs = append(errs, fmt.Errorf("make the cache folder: %w; set %s to a folder that can be written", err, CacheEnv))
	} else if free := o.FreeBytes(o.CacheDir); free >= 0 && free < DiskNeeded {
		errs = append(errs, fmt.Errorf("%w: %s has %d MiB free and the build needs about %d MiB; free some or move the cache with %s",
			syscall.ENOSPC, o.CacheDir, free>>20, int64(DiskNeeded)>>20, CacheEnv))
	}
	return errors.Join(errs...)
}

// onPath looks a program up as the commands of this build will.
func (o Options) onPath(tool string) bool {
	path := ""
	for _, entry := range o.Environ {
		if value, ok := strings.CutPrefix(entry, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range strings.Split(path, string(os.PathListSeparator)) {
		if info, err := os.Stat(dir + "/" + tool); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return true
		}
	}
	return false
}
