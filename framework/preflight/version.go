package preflight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

// The releases whose defaults, log lines and metrics were checked. Others work as far
// as they are alike.
const (
	oldestMinor = 34
	newestMinor = 37
)

func (l *listing) released(what, gitVersion string) {
	parsed, err := version.ParseGeneric(gitVersion)
	switch {
	case err != nil:
		l.add(Warn, what, "", "its version %q is none of Kubernetes' own", gitVersion)
	case parsed.Major() == 1 && parsed.Minor() >= oldestMinor && parsed.Minor() <= newestMinor:
		l.add(OK, what, "", "Kubernetes %s", gitVersion)
	default:
		l.add(Warn, what, "expect a component's defaults and metrics to differ from what the documents say",
			"Kubernetes %s: podburst is tested with 1.%d to 1.%d", gitVersion, oldestMinor, newestMinor)
	}
}

// kubelets says which versions the worker nodes run; if they differ, a run measures
// several things at once.
func (l *listing) kubelets(nodesOf map[string]int) {
	var parts []string
	for _, v := range slices.Sorted(maps.Keys(nodesOf)) {
		parts = append(parts, fmt.Sprintf("%d with %s", nodesOf[v], v))
	}
	if len(nodesOf) > 1 {
		l.add(Warn, "kubelets", "compare only runs between which this did not change", "unlike worker nodes: %s", strings.Join(parts, "; "))
		return
	}
	l.add(OK, "kubelets", "", "worker nodes alike: %s", strings.Join(parts, "; "))
}
