package hollow

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/kubelet/prober"
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

// UpdatePodStatus implements prober.Manager. An init container that is done
// counts as ready when it succeeded, one that goes on (a sidecar) while it runs.
func (probes) UpdatePodStatus(_ context.Context, pod *v1.Pod, status *v1.PodStatus) {
	for i := range status.ContainerStatuses {
		setReady(&status.ContainerStatuses[i], true)
	}
	sidecars := sets.New[string]()
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == v1.ContainerRestartPolicyAlways {
			sidecars.Insert(c.Name)
		}
	}
	for i := range status.InitContainerStatuses {
		c := &status.InitContainerStatuses[i]
		setReady(c, sidecars.Has(c.Name))
	}
}

func setReady(c *v1.ContainerStatus, readyWhileRunning bool) {
	running := c.State.Running != nil
	c.Started = &running
	if readyWhileRunning {
		c.Ready = running
		return
	}
	c.Ready = c.State.Terminated != nil && c.State.Terminated.ExitCode == 0
}
