package nodeimage

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/podburst/podburst/clusters/builder"
)

//go:embed files
var files embed.FS

// layoutVersion is counted up when this package's code, which the hash of the
// inputs does not see, makes another image of the same inputs.
const layoutVersion = 3

// The Go modules that programs of the image come from, below the clusters folder.
const (
	runtimeModule      = "nodeimage/runtime"
	controlPlaneModule = "controlplane"
)

// inputs is what decides the image.
type inputs struct {
	// version is the Kubernetes version, as "v1.37.2".
	version string
	// hash is over all that goes into the image; rootfs over what goes into
	// its first layer, which takes longest to make and changes least.
	hash, rootfs string
}

// readInputs hashes sources and settings. It compiles nothing.
func (o Options) readInputs(ctx context.Context) (inputs, error) {
	gomod, err := os.ReadFile(filepath.Join(o.SourceDir, controlPlaneModule, "go.mod"))
	if err != nil {
		return inputs{}, fmt.Errorf("read the sources: %w", err)
	}
	var in inputs
	if in.version, err = builder.KubernetesVersion(gomod); err != nil {
		return inputs{}, err
	}
	goVersion, err := o.run(ctx, o.SourceDir, "go", "env", "GOVERSION")
	if err != nil {
		return inputs{}, err
	}

	rootfs := sha256.New()
	fmt.Fprintln(rootfs, runtime.GOARCH, suite, strings.Join(packages, ","), o.Mirror)
	in.rootfs = hex.EncodeToString(rootfs.Sum(nil))[:20]

	all := sha256.New()
	fmt.Fprintln(all, layoutVersion, in.rootfs, strings.TrimSpace(goVersion))
	if err := builder.Hash(all, files, func(string) bool { return true }); err != nil {
		return inputs{}, fmt.Errorf("read the sources: %w", err)
	}
	for _, module := range []string{runtimeModule, controlPlaneModule} {
		if err := builder.Hash(all, os.DirFS(filepath.Join(o.SourceDir, module)), builder.IsSource); err != nil {
			return inputs{}, fmt.Errorf("read the sources: %w", err)
		}
	}
	in.hash = hex.EncodeToString(all.Sum(nil))[:20]
	return in, nil
}
