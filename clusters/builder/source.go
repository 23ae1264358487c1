package builder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// sourceDir is the control plane's module, from the repository's root.
const sourceDir = "clusters/controlplane"

// findSource walks up from dir to the folder that holds clusters/controlplane.
func findSource(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", sourceDir, err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		candidate := filepath.Join(dir, filepath.FromSlash(sourceDir))
		_, err := os.Stat(filepath.Join(candidate, "go.mod"))
		if err == nil {
			return candidate, nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("find %s: %w", sourceDir, err)
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("find %s: no folder from %s upwards holds it; run inside a checkout of podburst, or name a binary that is already built", sourceDir, start)
		}
	}
}

var requireKubernetes = regexp.MustCompile(`(?m)^\s*(?:require\s+)?k8s\.io/kubernetes\s+(v(\d+)\.(\d+)\.\S+)`)

// kubernetesVersion reads the version that the module is built from. It stamps
// the binary with it: without the stamp every component says v0.0.0, and
// kubeadm refuses to work with such a kubelet.
func kubernetesVersion(gomod []byte) (version, major, minor string, err error) {
	match := requireKubernetes.FindSubmatch(gomod)
	if match == nil {
		return "", "", "", fmt.Errorf("read the Kubernetes version: go.mod of %s does not require k8s.io/kubernetes", sourceDir)
	}
	return string(match[1]), string(match[2]), string(match[3]), nil
}
