package readiness

import (
	"testing"

	v1 "k8s.io/api/core/v1"
)

func TestAContainerIsReadyWhileItRuns(t *testing.T) {
	waiting := v1.ContainerState{Waiting: &v1.ContainerStateWaiting{}}
	running := v1.ContainerState{Running: &v1.ContainerStateRunning{}}
	succeeded := v1.ContainerState{Terminated: &v1.ContainerStateTerminated{}}
	failed := v1.ContainerState{Terminated: &v1.ContainerStateTerminated{ExitCode: 1}}
	always := v1.ContainerRestartPolicyAlways

	pod := &v1.Pod{Spec: v1.PodSpec{InitContainers: []v1.Container{
		{Name: "init"},
		{Name: "sidecar", RestartPolicy: &always},
	}}}
	for _, test := range []struct {
		name      string
		container string // of the pod's init containers, or empty for an ordinary one
		state     v1.ContainerState
		started   bool
		ready     bool
	}{
		// Pins the fault of the kubelet's own fake, which calls every container
		// ready: pods were Ready before they ran.
		{"an ordinary one that waits", "", waiting, false, false},
		{"an ordinary one that runs", "", running, true, true},
		{"an ordinary one that succeeded", "", succeeded, false, false},
		{"an ordinary one that failed", "", failed, false, false},
		{"an init container that runs", "init", running, true, false},
		{"an init container that succeeded", "init", succeeded, false, true},
		{"an init container that failed", "init", failed, false, false},
		{"a sidecar that waits", "sidecar", waiting, false, false},
		{"a sidecar that runs", "sidecar", running, true, true},
		{"a sidecar that ended", "sidecar", succeeded, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			given := []v1.ContainerStatus{{Name: test.container, State: test.state, Ready: !test.ready}}
			status := &v1.PodStatus{}
			if test.container == "" {
				status.ContainerStatuses = given
			} else {
				status.InitContainerStatuses = given
			}
			Set(pod, status)
			if c := given[0]; c.Started == nil || *c.Started != test.started || c.Ready != test.ready {
				t.Errorf("started %v, ready %v; want %v, %v", c.Started, c.Ready, test.started, test.ready)
			}
		})
	}
}
