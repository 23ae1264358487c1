package clusters

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The documented defaults for what a profile leaves unset.
const (
	DefaultControlPlanes  = 1
	DefaultWorkers        = 2
	DefaultMaxPods        = 110 // the kubelet's own
	DefaultSandboxLatency = 20 * time.Millisecond
	DefaultCreateLatency  = 10 * time.Millisecond
	DefaultStartLatency   = 10 * time.Millisecond
	DefaultParallelism    = 16
)

// WithDefaults returns the profile with the documented defaults for unset
// fields. Fields without a podburst default stay unset, so the component's own
// default applies: QPS and burst, image pulls, version, node image.
func (p Profile) WithDefaults() Profile {
	spec := &p.Spec
	fill(&spec.Topology.ControlPlanes, DefaultControlPlanes)
	fill(&spec.Topology.Workers, DefaultWorkers)
	for _, component := range Configurable() {
		fill(&spec.At(component).Verbosity, component.facts().verbosity)
	}
	fill(&spec.Kubelet.MaxPods, DefaultMaxPods)
	hollow := &spec.HollowRuntime
	fill(&hollow.SandboxLatency, metav1.Duration{Duration: DefaultSandboxLatency})
	fill(&hollow.CreateLatency, metav1.Duration{Duration: DefaultCreateLatency})
	fill(&hollow.StartLatency, metav1.Duration{Duration: DefaultStartLatency})
	fill(&hollow.Parallelism, DefaultParallelism)
	fill(&hollow.ImagePullLatency, metav1.Duration{})
	fill(&hollow.ContainerLifetime, metav1.Duration{})
	return p
}

func fill[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
