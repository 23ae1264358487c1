package builder

import (
	"fmt"
	"regexp"
)

// sourceDir is the control plane's module, from the repository's root.
const sourceDir = "clusters/controlplane"

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
