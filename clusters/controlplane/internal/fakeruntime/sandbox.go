package fakeruntime

import (
	"context"
	"net/netip"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// sandbox is one attempt at a pod's sandbox.
type sandbox struct {
	entity
	config  *runtimeapi.PodSandboxConfig
	handler string
	ready   bool
	// address is the zero Addr for a pod in the node's own network.
	address netip.Addr
	exit    exitPlan
}

// RunPodSandbox implements cri.RuntimeService. The sandbox exists, and can be
// listed, once its latency is over.
func (r *Runtime) RunPodSandbox(ctx context.Context, config *runtimeapi.PodSandboxConfig, handler string) (string, error) {
	exit, err := newExitPlan(config.GetAnnotations(), r.options.ContainerLifetime)
	if err != nil {
		return "", status.Errorf(codes.InvalidArgument, "run pod sandbox: %v", err)
	}
	if err := r.perform(ctx, r.options.SandboxLatency); err != nil {
		return "", contextStatus("run pod sandbox", err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	s := &sandbox{
		entity:  newEntity(),
		config:  config,
		handler: handler,
		ready:   true,
		exit:    exit,
	}
	if config.GetLinux().GetSecurityContext().GetNamespaceOptions().GetNetwork() != runtimeapi.NamespaceMode_NODE {
		s.address = r.addresses.take()
	}
	r.sandboxes.add(s)
	return s.id, nil
}

// StopPodSandbox implements cri.RuntimeService: it ends the sandbox's
// containers and then the sandbox. A sandbox that is gone counts as stopped.
func (r *Runtime) StopPodSandbox(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.sandboxes.byID[id]; ok {
		r.stopSandbox(s)
	}
	return nil
}

func (r *Runtime) stopSandbox(s *sandbox) {
	for _, c := range r.containers.byID {
		if c.sandbox == s {
			r.end(c, killedExitCode)
		}
	}
	s.ready = false
	if s.address.IsValid() {
		r.addresses.release(s.address)
		s.address = netip.Addr{}
	}
}

// RemovePodSandbox implements cri.RuntimeService: it stops the sandbox if need
// be and forgets it with all its containers. A sandbox that is gone counts as removed.
func (r *Runtime) RemovePodSandbox(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.sandboxes.byID[id]
	if !ok {
		return nil
	}
	r.stopSandbox(s)
	for containerID, c := range r.containers.byID {
		if c.sandbox == s {
			delete(r.containers.byID, containerID)
		}
	}
	delete(r.sandboxes.byID, id)
	return nil
}

// PodSandboxStatus implements cri.RuntimeService.
func (r *Runtime) PodSandboxStatus(_ context.Context, id string, _ bool) (*runtimeapi.PodSandboxStatusResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.sandboxes.get(id)
	if err != nil {
		return nil, err
	}
	response := &runtimeapi.PodSandboxStatusResponse{
		Status: &runtimeapi.PodSandboxStatus{
			Id:        s.id,
			Metadata:  s.config.GetMetadata(),
			State:     s.state(),
			CreatedAt: s.createdAt.UnixNano(),
			Network:   &runtimeapi.PodSandboxNetworkStatus{},
			Linux: &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{
				Options: s.config.GetLinux().GetSecurityContext().GetNamespaceOptions(),
			}},
			Labels:         s.config.GetLabels(),
			Annotations:    s.config.GetAnnotations(),
			RuntimeHandler: s.handler,
		},
		Timestamp: time.Now().UnixNano(),
	}
	if s.address.IsValid() {
		response.Status.Network.Ip = s.address.String()
	}
	for _, c := range r.containers.sorted(func(c *container) bool { return c.sandbox == s }) {
		response.ContainersStatuses = append(response.ContainersStatuses, c.status())
	}
	return response, nil
}

// ListPodSandbox implements cri.RuntimeService, oldest first.
func (r *Runtime) ListPodSandbox(_ context.Context, filter *runtimeapi.PodSandboxFilter) ([]*runtimeapi.PodSandbox, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted := func(s *sandbox) bool {
		return selects(filter.GetId(), filter.GetLabelSelector(), s.id, s.config.GetLabels()) &&
			(filter.GetState() == nil || filter.GetState().GetState() == s.state())
	}
	var list []*runtimeapi.PodSandbox
	for _, s := range r.sandboxes.sorted(wanted) {
		list = append(list, &runtimeapi.PodSandbox{
			Id:             s.id,
			Metadata:       s.config.GetMetadata(),
			State:          s.state(),
			CreatedAt:      s.createdAt.UnixNano(),
			Labels:         s.config.GetLabels(),
			Annotations:    s.config.GetAnnotations(),
			RuntimeHandler: s.handler,
		})
	}
	return list, nil
}

// UpdatePodSandboxResources implements cri.RuntimeService. There is nothing to
// update: the kubelet keeps the pod's resources itself.
func (r *Runtime) UpdatePodSandboxResources(_ context.Context, request *runtimeapi.UpdatePodSandboxResourcesRequest) (*runtimeapi.UpdatePodSandboxResourcesResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.sandboxes.get(request.GetPodSandboxId()); err != nil {
		return nil, err
	}
	return &runtimeapi.UpdatePodSandboxResourcesResponse{}, nil
}

func (s *sandbox) state() runtimeapi.PodSandboxState {
	if s.ready {
		return runtimeapi.PodSandboxState_SANDBOX_READY
	}
	return runtimeapi.PodSandboxState_SANDBOX_NOTREADY
}

// contextStatus gives a context's error the code that a remote runtime's
// client would have seen.
func contextStatus(operation string, err error) error {
	return status.Errorf(status.FromContextError(err).Code(), "%s: %v", operation, err)
}
