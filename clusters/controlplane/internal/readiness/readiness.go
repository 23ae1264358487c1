// Package readiness says which containers are started and ready when nothing
// can be probed: every probe counts as successful once its container runs. It
// is what the kubelet does with containers that have no probes.
package readiness

import (
	v1 "k8s.io/api/core/v1"
)

// Set fills in Started and Ready of each of the pod's containers. An init
// container that is done is ready when it succeeded; one that goes on beside
// the others (a sidecar) is ready while it runs.
func Set(pod *v1.Pod, status *v1.PodStatus) {
	for i := range status.ContainerStatuses {
		c := &status.ContainerStatuses[i]
		c.Started = running(c)
		c.Ready = *c.Started
	}
	sidecar := map[string]bool{}
	for _, c := range pod.Spec.InitContainers {
		sidecar[c.Name] = c.RestartPolicy != nil && *c.RestartPolicy == v1.ContainerRestartPolicyAlways
	}
	for i := range status.InitContainerStatuses {
		c := &status.InitContainerStatuses[i]
		c.Started = running(c)
		if sidecar[c.Name] {
			c.Ready = *c.Started
		} else {
			c.Ready = c.State.Terminated != nil && c.State.Terminated.ExitCode == 0
		}
	}
}

func running(c *v1.ContainerStatus) *bool {
	is := c.State.Running != nil
	return &is
}
