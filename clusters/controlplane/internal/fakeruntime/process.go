package fakeruntime

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// What needs a process behind a container is below: hooks run by ExecSync
// succeed, so that a pod that has some starts and stops; what would have to
// return a process's data says that it cannot.

var errNoProcess = status.Error(codes.Unimplemented, "a hollow container has no process")

// ExecSync implements cri.RuntimeService: the command does nothing and succeeds.
func (r *Runtime) ExecSync(_ context.Context, id string, _ []string, _ time.Duration) (stdout, stderr []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.containers.get(id)
	if err != nil {
		return nil, nil, err
	}
	if c.state != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return nil, nil, status.Errorf(codes.FailedPrecondition, "execute in container %q: it is in state %s", id, c.state)
	}
	return nil, nil, nil
}

// Exec implements cri.RuntimeService.
func (r *Runtime) Exec(context.Context, *runtimeapi.ExecRequest) (*runtimeapi.ExecResponse, error) {
	return nil, errNoProcess
}

// Attach implements cri.RuntimeService.
func (r *Runtime) Attach(context.Context, *runtimeapi.AttachRequest) (*runtimeapi.AttachResponse, error) {
	return nil, errNoProcess
}

// PortForward implements cri.RuntimeService.
func (r *Runtime) PortForward(context.Context, *runtimeapi.PortForwardRequest) (*runtimeapi.PortForwardResponse, error) {
	return nil, errNoProcess
}

// CheckpointContainer implements cri.RuntimeService.
func (r *Runtime) CheckpointContainer(context.Context, *runtimeapi.CheckpointContainerRequest) error {
	return errNoProcess
}

// CheckpointPod implements cri.RuntimeService.
func (r *Runtime) CheckpointPod(context.Context, *runtimeapi.CheckpointPodRequest) error {
	return errNoProcess
}

// RestorePod implements cri.RuntimeService.
func (r *Runtime) RestorePod(context.Context, *runtimeapi.RestorePodRequest) (*runtimeapi.RestorePodResponse, error) {
	return nil, errNoProcess
}

// ReopenContainerLog implements cri.RuntimeService. There is no log.
func (r *Runtime) ReopenContainerLog(context.Context, string) error { return nil }

// GetContainerEvents implements cri.RuntimeService. The stream is what the
// kubelet's EventedPLEG feature reads, which is off by default; without it the
// kubelet lists containers, as it does with a real runtime.
func (r *Runtime) GetContainerEvents(context.Context, chan *runtimeapi.ContainerEventResponse, func(runtimeapi.RuntimeService_GetContainerEventsClient)) error {
	return status.Error(codes.Unimplemented, "a hollow runtime has no event stream")
}
