package builder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/podburst/podburst/internal/command"
)

// binaryName is the binary's name in its cache folder.
const binaryName = "podburst-controlplane"

// Status says what calling Binary would do now.
type Status struct {
	// Path is where the binary is, or will be.
	Path string
	// Version is the Kubernetes version it is built from, as "v1.37.2".
	Version string
	// Ready means that Path exists, so Binary will return at once.
	Ready bool
}

// String is one line for people.
func (s Status) String() string {
	if s.Ready {
		return fmt.Sprintf("control plane %s: built already", s.Version)
	}
	return fmt.Sprintf("control plane %s: must be compiled first, once (%s when Go's build cache is cold)", s.Version, about(coldEstimate()))
}

// Cached reports what Binary would do. It compiles nothing and takes well under
// a second.
func Cached(ctx context.Context, options Options) (Status, error) {
	o, err := options.withDefaults()
	if err != nil {
		return Status{}, err
	}
	status, _, err := look(ctx, o)
	return status, err
}

// Binary returns the path of the control-plane binary, and builds it first if
// it is not cached. With several callers, in any processes, one builds and the
// others wait. When ctx ends, the compilers are killed and nothing half-built
// is left.
func Binary(ctx context.Context, options Options) (string, error) {
	o, err := options.withDefaults()
	if err != nil {
		return "", err
	}
	status, recipe, err := look(ctx, o)
	if err != nil {
		return "", err
	}
	if status.Ready {
		return status.Path, touch(o, status.Path)
	}

	root := filepath.Dir(filepath.Dir(status.Path))
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", fmt.Errorf("make the cache folder: %w; set %s to a folder that can be written", err, CacheEnv)
	}
	release, err := acquire(ctx, o.Clock, filepath.Join(root, "lock"), func(holder string) {
		if holder == "" {
			holder = "another process"
		}
		fmt.Fprintf(o.Output, "control plane %s: %s is compiling it; waiting\n", recipe.version, holder)
	})
	if err != nil {
		return "", err
	}
	err = buildLocked(ctx, o, recipe, status.Path)
	if err := errors.Join(err, release()); err != nil {
		return "", err
	}
	return status.Path, nil
}

// look finds out which binary is wanted and whether it is there.
func look(ctx context.Context, o Options) (Status, recipe, error) {
	recipe, err := readRecipe(ctx, o)
	if err != nil {
		return Status{}, recipe, err
	}
	status := Status{
		Path:    filepath.Join(o.CacheDir, "controlplane", recipe.key, binaryName),
		Version: recipe.version,
	}
	info, err := os.Stat(status.Path)
	status.Ready = err == nil && info.Mode().IsRegular()
	return status, recipe, nil
}

// buildLocked builds into a temporary folder and renames it, so that a folder
// named after a key is always complete. The caller holds the lock.
func buildLocked(ctx context.Context, o Options, recipe recipe, path string) (err error) {
	if _, err := os.Stat(path); err == nil {
		return touch(o, path) // The one we waited for has built it.
	}
	final := filepath.Dir(path)
	root := filepath.Dir(final)
	if err := removeUnfinished(root); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(root, unfinished)
	if err != nil {
		return fmt.Errorf("make a folder for the build: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temporary))
		}
	}()
	if err := compile(ctx, o, recipe, filepath.Join(temporary, binaryName)); err != nil {
		return err
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return fmt.Errorf("keep the binary: %w", err)
	}
	// A folder with this key but no binary is left over from someone's rm.
	if err := os.RemoveAll(final); err != nil {
		return fmt.Errorf("keep the binary: %w", err)
	}
	if err := os.Rename(temporary, final); err != nil {
		return fmt.Errorf("keep the binary: %w", err)
	}
	return prune(root, o.Keep, o.Clock.Now())
}

// compile lists what needs compiling, then runs go build and reports its progress.
func compile(ctx context.Context, o Options, recipe recipe, target string) error {
	progress := newProgress(o, recipe.version)
	progress.say("looking at the sources (missing modules are fetched first)")
	stop := progress.every(progress.fetching)
	packages, err := listPackages(ctx, o, recipe, progress)
	stop()
	if err != nil {
		return err
	}
	progress.plan(packages)

	stop = progress.every(progress.compiling)
	err = o.Run.Do(ctx, command.Command{
		Dir:     o.SourceDir,
		Environ: o.buildEnviron(),
		// -v names each package as its compilation starts: that is the progress.
		Args:   []string{o.GoTool, "build", "-v", "-trimpath", "-buildvcs=false", "-ldflags", recipe.ldflags, "-o", target, "."},
		Stderr: progress.filter(),
	})
	stop()
	if err != nil {
		return explain("compile control plane "+recipe.version, err)
	}
	if _, err := os.Stat(target); err != nil {
		return fmt.Errorf("compile control plane %s: the go command left no binary: %w", recipe.version, err)
	}
	progress.say("compiled in " + progress.elapsed().String())
	return nil
}

// listPackages returns every package of the binary and whether it has yet to be
// compiled. Missing modules are fetched here, so that a failed download is not
// taken for a compile error.
func listPackages(ctx context.Context, o Options, recipe recipe, progress *progress) (map[string]bool, error) {
	listed, err := o.Run.Output(ctx, command.Command{
		Dir:     o.SourceDir,
		Environ: o.buildEnviron(),
		Args:    []string{o.GoTool, "list", "-deps", "-trimpath", "-buildvcs=false", "-ldflags", recipe.ldflags, "-f", "{{.ImportPath}} {{.Stale}}", "."},
		Stderr:  progress.filter(),
	})
	if err != nil {
		return nil, explain("list the packages of control plane "+recipe.version, err)
	}
	packages := map[string]bool{}
	for line := range strings.Lines(listed) {
		if path, stale, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			packages[path] = stale == "true"
		}
	}
	return packages, nil
}
