package fakeruntime

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// The exit codes of a container that was stopped: those of a program that has
// no handler for SIGTERM, and of one that was killed. Neither is 0, for a pod
// whose container is stopped halfway must not be taken for one that finished.
const (
	terminatedExitCode = 143
	killedExitCode     = 137
)

// container is one attempt at one container of a pod.
type container struct {
	entity
	sandbox   *sandbox
	config    *runtimeapi.ContainerConfig
	resources *runtimeapi.ContainerResources

	state      runtimeapi.ContainerState
	startedAt  time.Time
	finishedAt time.Time
	exitCode   int32
	// exit ends the container by itself; nil if nothing will.
	exit *time.Timer
}

// CreateContainer implements cri.RuntimeService. The container exists, and can
// be listed, once its latency is over.
func (r *Runtime) CreateContainer(ctx context.Context, sandboxID string, config *runtimeapi.ContainerConfig, _ *runtimeapi.PodSandboxConfig) (string, error) {
	if err := r.perform(ctx, r.options.CreateLatency); err != nil {
		return "", contextStatus("create container", err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.sandboxes.get(sandboxID)
	if err != nil {
		return "", err
	}
	if !s.ready {
		return "", status.Errorf(codes.FailedPrecondition, "create container: pod sandbox %q is not ready", sandboxID)
	}
	c := &container{
		entity:    newEntity(),
		sandbox:   s,
		config:    config,
		resources: &runtimeapi.ContainerResources{Linux: config.GetLinux().GetResources()},
		state:     runtimeapi.ContainerState_CONTAINER_CREATED,
	}
	r.containers.add(c)
	return c.id, nil
}

// StartContainer implements cri.RuntimeService. The container runs once its
// latency is over, unless it was stopped or removed meanwhile.
func (r *Runtime) StartContainer(ctx context.Context, id string) error {
	if err := r.perform(ctx, r.options.StartLatency); err != nil {
		return contextStatus("start container", err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.containers.get(id)
	if err != nil {
		return err
	}
	if c.state != runtimeapi.ContainerState_CONTAINER_CREATED {
		return status.Errorf(codes.FailedPrecondition, "start container %q: it is in state %s", id, c.state)
	}
	c.state = runtimeapi.ContainerState_CONTAINER_RUNNING
	c.startedAt = time.Now()
	if plan := c.sandbox.exit; plan.ends {
		c.exit = time.AfterFunc(plan.after, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.end(c, plan.code)
		})
	}
	return nil
}

// StopContainer implements cri.RuntimeService: the container ends at once,
// killed if it was given no time and terminated otherwise. A container that
// is gone or has ended counts as stopped.
func (r *Runtime) StopContainer(_ context.Context, id string, timeout int64) error {
	code := int32(terminatedExitCode)
	if timeout <= 0 {
		code = killedExitCode
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.containers.byID[id]; ok {
		r.end(c, code)
	}
	return nil
}

// end makes a living container an ended one; the caller holds the lock. One
// that has ended keeps its first exit.
func (r *Runtime) end(c *container, code int32) {
	if c.state == runtimeapi.ContainerState_CONTAINER_EXITED {
		return
	}
	if c.exit != nil {
		c.exit.Stop()
		c.exit = nil
	}
	c.state = runtimeapi.ContainerState_CONTAINER_EXITED
	c.finishedAt = time.Now()
	c.exitCode = code
}

// RemoveContainer implements cri.RuntimeService: it stops the container if need
// be and forgets it. A container that is gone counts as removed.
func (r *Runtime) RemoveContainer(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.containers.byID[id]; ok {
		r.end(c, killedExitCode)
		delete(r.containers.byID, id)
	}
	return nil
}

// ListContainers implements cri.RuntimeService, oldest first.
func (r *Runtime) ListContainers(_ context.Context, filter *runtimeapi.ContainerFilter) ([]*runtimeapi.Container, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted := func(c *container) bool {
		return selects(filter.GetId(), filter.GetLabelSelector(), c.id, c.config.GetLabels()) &&
			(filter.GetState() == nil || filter.GetState().GetState() == c.state) &&
			(filter.GetPodSandboxId() == "" || filter.GetPodSandboxId() == c.sandbox.id)
	}
	var list []*runtimeapi.Container
	for _, c := range r.containers.sorted(wanted) {
		list = append(list, &runtimeapi.Container{
			Id:           c.id,
			PodSandboxId: c.sandbox.id,
			Metadata:     c.config.GetMetadata(),
			Image:        imageSpec(c.config.GetImage()),
			ImageRef:     imageID(c.config.GetImage()),
			ImageId:      imageID(c.config.GetImage()),
			State:        c.state,
			CreatedAt:    c.createdAt.UnixNano(),
			Labels:       c.config.GetLabels(),
			Annotations:  c.config.GetAnnotations(),
		})
	}
	return list, nil
}

// ContainerStatus implements cri.RuntimeService.
func (r *Runtime) ContainerStatus(_ context.Context, id string, _ bool) (*runtimeapi.ContainerStatusResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.containers.get(id)
	if err != nil {
		return nil, err
	}
	return &runtimeapi.ContainerStatusResponse{Status: c.status()}, nil
}

// UpdateContainerResources implements cri.RuntimeService: the new resources are
// in force at once.
func (r *Runtime) UpdateContainerResources(_ context.Context, id string, resources *runtimeapi.ContainerResources) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.containers.get(id)
	if err != nil {
		return err
	}
	c.resources = resources
	return nil
}

func (c *container) status() *runtimeapi.ContainerStatus {
	s := &runtimeapi.ContainerStatus{
		Id:          c.id,
		Metadata:    c.config.GetMetadata(),
		State:       c.state,
		CreatedAt:   c.createdAt.UnixNano(),
		Image:       imageSpec(c.config.GetImage()),
		ImageRef:    imageID(c.config.GetImage()),
		ImageId:     imageID(c.config.GetImage()),
		Labels:      c.config.GetLabels(),
		Annotations: c.config.GetAnnotations(),
		Mounts:      c.config.GetMounts(),
		Resources:   c.resources,
	}
	if !c.startedAt.IsZero() {
		s.StartedAt = c.startedAt.UnixNano()
	}
	if c.state == runtimeapi.ContainerState_CONTAINER_EXITED {
		s.FinishedAt = c.finishedAt.UnixNano()
		s.ExitCode = c.exitCode
		s.Reason = "Completed"
		if c.exitCode != 0 {
			s.Reason = "Error"
		}
	}
	return s
}
