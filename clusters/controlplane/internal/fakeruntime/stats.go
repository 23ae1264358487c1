package fakeruntime

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// The statistics below list what exists and say that it uses nothing, which is
// the truth for containers without processes.

// ContainerStats implements cri.RuntimeService.
func (r *Runtime) ContainerStats(_ context.Context, id string) (*runtimeapi.ContainerStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.containers.get(id)
	if err != nil {
		return nil, err
	}
	return containerStats(c), nil
}

// ListContainerStats implements cri.RuntimeService: one entry for each
// container that runs.
func (r *Runtime) ListContainerStats(_ context.Context, filter *runtimeapi.ContainerStatsFilter) ([]*runtimeapi.ContainerStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted := func(c *container) bool {
		return c.state == runtimeapi.ContainerState_CONTAINER_RUNNING &&
			selects(filter.GetId(), filter.GetLabelSelector(), c.id, c.config.GetLabels()) &&
			(filter.GetPodSandboxId() == "" || filter.GetPodSandboxId() == c.sandbox.id)
	}
	var list []*runtimeapi.ContainerStats
	for _, c := range r.containers.sorted(wanted) {
		list = append(list, containerStats(c))
	}
	return list, nil
}

// PodSandboxStats implements cri.RuntimeService.
func (r *Runtime) PodSandboxStats(_ context.Context, id string) (*runtimeapi.PodSandboxStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.sandboxes.get(id)
	if err != nil {
		return nil, err
	}
	return r.sandboxStats(s), nil
}

// ListPodSandboxStats implements cri.RuntimeService: one entry for each sandbox
// that is ready.
func (r *Runtime) ListPodSandboxStats(_ context.Context, filter *runtimeapi.PodSandboxStatsFilter) ([]*runtimeapi.PodSandboxStats, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wanted := func(s *sandbox) bool {
		return s.ready && selects(filter.GetId(), filter.GetLabelSelector(), s.id, s.config.GetLabels())
	}
	var list []*runtimeapi.PodSandboxStats
	for _, s := range r.sandboxes.sorted(wanted) {
		list = append(list, r.sandboxStats(s))
	}
	return list, nil
}

// ListMetricDescriptors implements cri.RuntimeService.
func (r *Runtime) ListMetricDescriptors(context.Context) ([]*runtimeapi.MetricDescriptor, error) {
	return nil, status.Error(codes.Unimplemented, "a hollow runtime has no metrics of its own")
}

// ListPodSandboxMetrics implements cri.RuntimeService.
func (r *Runtime) ListPodSandboxMetrics(context.Context) ([]*runtimeapi.PodSandboxMetrics, error) {
	return nil, status.Error(codes.Unimplemented, "a hollow runtime has no metrics of its own")
}

func containerStats(c *container) *runtimeapi.ContainerStats {
	now := time.Now().UnixNano()
	zero := &runtimeapi.UInt64Value{}
	return &runtimeapi.ContainerStats{
		Attributes: &runtimeapi.ContainerAttributes{
			Id:          c.id,
			Metadata:    c.config.GetMetadata(),
			Labels:      c.config.GetLabels(),
			Annotations: c.config.GetAnnotations(),
		},
		Cpu:    &runtimeapi.CpuUsage{Timestamp: now, UsageCoreNanoSeconds: zero, UsageNanoCores: zero},
		Memory: &runtimeapi.MemoryUsage{Timestamp: now, WorkingSetBytes: zero, UsageBytes: zero},
		WritableLayer: &runtimeapi.FilesystemUsage{
			Timestamp:  now,
			FsId:       &runtimeapi.FilesystemIdentifier{Mountpoint: imageMountpoint},
			UsedBytes:  zero,
			InodesUsed: zero,
		},
	}
}

func (r *Runtime) sandboxStats(s *sandbox) *runtimeapi.PodSandboxStats {
	now := time.Now().UnixNano()
	zero := &runtimeapi.UInt64Value{}
	stats := &runtimeapi.PodSandboxStats{
		Attributes: &runtimeapi.PodSandboxAttributes{
			Id:          s.id,
			Metadata:    s.config.GetMetadata(),
			Labels:      s.config.GetLabels(),
			Annotations: s.config.GetAnnotations(),
		},
		Linux: &runtimeapi.LinuxPodSandboxStats{
			Cpu:    &runtimeapi.CpuUsage{Timestamp: now, UsageCoreNanoSeconds: zero, UsageNanoCores: zero},
			Memory: &runtimeapi.MemoryUsage{Timestamp: now, WorkingSetBytes: zero, UsageBytes: zero},
		},
	}
	running := func(c *container) bool {
		return c.sandbox == s && c.state == runtimeapi.ContainerState_CONTAINER_RUNNING
	}
	for _, c := range r.containers.sorted(running) {
		stats.Linux.Containers = append(stats.Linux.Containers, containerStats(c))
	}
	return stats
}
