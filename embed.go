// Package podburst holds the files at the root of the repository that the binary brings
// along, so that each exists once. The code is in the folders below.
package podburst

import _ "embed"

// DefaultSLO is slo.yaml: the objectives that a run is judged by unless it names others.
//
//go:embed slo.yaml
var DefaultSLO string

// RBAC is deploy/rbac.yaml: what a user needs to run the suite against a cluster
// that exists. RBACKubelets adds what reading the kubelets takes, and warns.
// RBACPassive is what podburst observe needs, for a user of its own.
var (
	//go:embed deploy/rbac.yaml
	RBAC string
	//go:embed deploy/rbac-kubelets.yaml
	RBACKubelets string
	//go:embed deploy/rbac-passive.yaml
	RBACPassive string
)
