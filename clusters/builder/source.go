package builder

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
)

// sourceDir is the control plane's module, relative to the repository's root.
const sourceDir = "clusters/controlplane"

var requireKubernetes = regexp.MustCompile(`(?m)^\s*(?:require\s+)?k8s\.io/kubernetes\s+(v\d+\.\d+\.\S+)`)

// KubernetesVersion reads the version that the control plane's module is built from.
func KubernetesVersion(gomod []byte) (string, error) {
	match := requireKubernetes.FindSubmatch(gomod)
	if match == nil {
		return "", fmt.Errorf("read the Kubernetes version: go.mod of %s does not require k8s.io/kubernetes", sourceDir)
	}
	return string(match[1]), nil
}

// VersionFlags are linker flags that stamp a binary with its Kubernetes
// version. Without them every component says v0.0.0, and kubeadm refuses such a
// kubelet. The first package sets what --version says, the second what user
// agents say. An empty commit keeps the unstamped "$Format" out of both.
func VersionFlags(version string) string {
	parts := append(strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3), "", "")
	flags := "-s -w"
	for _, in := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags += fmt.Sprintf(" -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s -X %[1]s.gitCommit=", in, version, parts[0], parts[1])
	}
	return flags
}

// IsSource reports whether a file can change a Go program. Tests cannot, so
// editing one causes no rebuild.
func IsSource(name string) bool {
	return strings.HasSuffix(name, "go.mod") || strings.HasSuffix(name, "go.sum") ||
		strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// Hash adds the wanted files of a tree by name and content, in name order. What
// the go command skips (testdata, .x, _x) is left out.
func Hash(to io.Writer, tree fs.FS, wanted func(name string) bool) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		base := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_'):
			return fs.SkipDir
		case entry.IsDir() || !wanted(name):
			return nil
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, "%s %x\n", name, sha256.Sum256(content))
		return err
	})
}
