// Package component holds the Kubernetes components and etcd as programs of a
// multi-call executable. Each file does what the component's own main function
// does upstream, and nothing more, so that what is measured is the component
// as it is released.
//
// kubeadm and kubectl are in component/nodetool, apart from the rest, because
// they are costly to compile and only a node image needs them.
package component

import (
	// Cron jobs may name a time zone, and the machine may have no database of them.
	_ "time/tzdata"

	// Every component registers these: the JSON log format, the metrics of
	// client-go (rest_client_rate_limiter_duration_seconds among them) and the
	// build information.
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// ControlPlane lists what an embedded cluster runs.
func ControlPlane() []multicall.Program {
	return []multicall.Program{
		Etcd(),
		KubeAPIServer(),
		KubeControllerManager(),
		KubeScheduler(),
		Kubelet(),
		HollowKubelet(),
		Version(),
	}
}
