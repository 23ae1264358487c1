package nodeimage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/podburst/podburst/internal/command"
)

// importedState is what an import leaves that a node needs: the blobs and the
// database that names them. Folders of other plugins are made anew.
var importedState = regexp.MustCompile(`^io\.containerd\.(content\.v1\.content(/blobs(/.*)?)?|metadata\.v1\.bolt(/.*)?)$`)

// importTimeout bounds the import of the component images, which takes seconds.
const importTimeout = 3 * time.Minute

// importImages starts the image's own containerd on this machine, with a root
// folder of its own, and imports the archive into it. It returns that root
// folder: what the node's /var/lib/containerd starts from. Nothing is unpacked:
// a node that runs no control plane has no use for its files.
func (o Options) importImages(ctx context.Context, work string, built programs, archive string) (root string, err error) {
	root = filepath.Join(work, "imported")
	state, socket := filepath.Join(work, "state"), filepath.Join(work, "containerd.sock")
	config := filepath.Join(work, "import.toml")
	text, err := readFile("import.toml", "@ROOT@", root, "@STATE@", state, "@ADDRESS@", socket)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, importTimeout)
	defer cancel()
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- o.Run.Do(serving, command.Command{
			Dir: work, Environ: o.Environ,
			Args: []string{built.runtime["containerd"], "--config", config},
		})
	}()
	ctr := func(args ...string) error {
		_, err := o.run(ctx, work, append([]string{built.runtime["ctr"], "--address", socket, "--namespace", "k8s.io"}, args...)...)
		return err
	}

	err = waitFor(ctx, func() error {
		select {
		case err := <-ended:
			ended <- err
			return &finalError{errors.New("containerd ended")}
		default:
			return ctr("version")
		}
	})
	if err == nil {
		err = ctr("images", "import", "--local", "--no-unpack", archive)
	}
	stop()
	end := <-ended // Of the signal, if all went well.
	if err == nil {
		// No error so far is no proof of success.
		_, err = os.Stat(filepath.Join(root, "io.containerd.metadata.v1.bolt", "meta.db"))
	}
	if err != nil {
		return "", fmt.Errorf("import the control plane's images: %w", errors.Join(err, end))
	}
	return root, nil
}

// finalError ends a wait.
type finalError struct{ error }

// waitFor tries until it succeeds, fails for good or ctx ends.
func waitFor(ctx context.Context, try func() error) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		err := try()
		var final *finalError
		if err == nil || errors.As(err, &final) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-ticker.C:
		}
	}
}

// readFile returns one of this package's files with replacements, given as
// pairs, made in it.
func readFile(name string, replacements ...string) (string, error) {
	data, err := files.ReadFile("files/" + name)
	if err != nil {
		return "", err
	}
	return strings.NewReplacer(replacements...).Replace(string(data)), nil
}

// unpack writes one of this package's files to path.
func (o Options) unpack(name, path string) error {
	text, err := readFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}
