package hollow

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/kubelet/prober"

	"github.com/podburst/podburst/clusters/controlplane/internal/readiness"
)

// probes stands in for the kubelet's probe manager: every probe succeeds as
// soon as the container runs. Real probes would connect to the address of a
// pod, where nothing listens.
type probes struct{}

var _ prober.Manager = probes{}

// AddPod implements prober.Manager.
func (probes) AddPod(context.Context, *v1.Pod) {}

// StopLivenessAndStartup implements prober.Manager.
func (probes) StopLivenessAndStartup(*v1.Pod) {}

// RemovePod implements prober.Manager.
func (probes) RemovePod(*v1.Pod) {}

// CleanupPods implements prober.Manager.
func (probes) CleanupPods(map[types.UID]sets.Empty) {}

// UpdatePodStatus implements prober.Manager.
func (probes) UpdatePodStatus(_ context.Context, pod *v1.Pod, status *v1.PodStatus) {
	readiness.Set(pod, status)
}
