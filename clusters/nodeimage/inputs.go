package nodeimage

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

//go:embed files
var files embed.FS

// layoutVersion is counted up when this package's code, which the hash of the
// inputs does not see, makes another image of the same inputs.
const layoutVersion = 2

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

var requireKubernetes = regexp.MustCompile(`(?m)^\s*(?:require\s+)?k8s\.io/kubernetes\s+(v\S+)`)

// readInputs hashes sources and settings. It compiles nothing.
func (o Options) readInputs(ctx context.Context) (inputs, error) {
	gomod, err := os.ReadFile(filepath.Join(o.SourceDir, controlPlaneModule, "go.mod"))
	if err != nil {
		return inputs{}, fmt.Errorf("read the sources: %w", err)
	}
	match := requireKubernetes.FindSubmatch(gomod)
	if match == nil {
		return inputs{}, fmt.Errorf("read the sources: go.mod of clusters/%s does not require k8s.io/kubernetes", controlPlaneModule)
	}
	in := inputs{version: string(match[1])}
	goVersion, err := o.run(ctx, o.SourceDir, "go", "env", "GOVERSION")
	if err != nil {
		return inputs{}, err
	}

	rootfs := sha256.New()
	fmt.Fprintln(rootfs, runtime.GOARCH, suite, strings.Join(packages, ","), o.Mirror)
	in.rootfs = hex.EncodeToString(rootfs.Sum(nil))[:20]

	all := sha256.New()
	fmt.Fprintln(all, layoutVersion, in.rootfs, strings.TrimSpace(goVersion))
	if err := hashTree(all, files, func(string) bool { return true }); err != nil {
		return inputs{}, fmt.Errorf("read the sources: %w", err)
	}
	for _, module := range []string{runtimeModule, controlPlaneModule} {
		if err := hashTree(all, os.DirFS(filepath.Join(o.SourceDir, module)), isSource); err != nil {
			return inputs{}, fmt.Errorf("read the sources: %w", err)
		}
	}
	in.hash = hex.EncodeToString(all.Sum(nil))[:20]
	return in, nil
}

// isSource tells what can change a binary from what cannot.
func isSource(name string) bool {
	return strings.HasSuffix(name, "go.mod") || strings.HasSuffix(name, "go.sum") ||
		strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// hashTree adds the wanted files of a tree by name and content, in the order of
// their names.
func hashTree(to io.Writer, tree fs.FS, wanted func(name string) bool) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !wanted(name) {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, "%s %x\n", name, sha256.Sum256(content))
		return err
	})
}
