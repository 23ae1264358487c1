package fakeruntime

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"
	"time"

	cri "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// Name and Version are what the runtime says of itself in a node's status, so
// that nobody takes a hollow node for a real one.
const (
	Name    = "podburst-hollow"
	Version = "1.0.0"
)

// Runtime is the simulated container runtime of one node. Use New.
type Runtime struct {
	options Options
	// slots holds one token for each operation that is running.
	slots chan struct{}

	mu         sync.Mutex
	sandboxes  store[*sandbox]
	containers store[*container]
	addresses  addressPool
}

var _ cri.RuntimeService = (*Runtime)(nil)

// New returns a runtime that holds nothing yet.
func New(options Options) (*Runtime, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	return &Runtime{
		options:    options,
		slots:      make(chan struct{}, options.Parallelism),
		sandboxes:  newStore[*sandbox]("pod sandbox"),
		containers: newStore[*container]("container"),
		addresses:  newAddressPool(options.NodeName),
	}, nil
}

// perform waits for a free slot and then lets latency pass. It returns early
// with ctx's error when ctx ends; then the operation has not happened.
func (r *Runtime) perform(ctx context.Context, latency time.Duration) error {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return sleep(ctx, latency)
}

// sleep lets latency pass, or returns ctx's error as soon as ctx ends.
func sleep(ctx context.Context, latency time.Duration) error {
	if latency <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(latency)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newID returns an identifier of the length and alphabet that real runtimes
// use. It is random, so that a second attempt never has the first one's.
func newID() string {
	var id [32]byte
	rand.Read(id[:])
	return hex.EncodeToString(id[:])
}

// Version implements cri.RuntimeService.
func (r *Runtime) Version(context.Context, string) (*runtimeapi.VersionResponse, error) {
	return &runtimeapi.VersionResponse{
		// The kubelet refuses any other version of the CRI's version message.
		Version:           "0.1.0",
		RuntimeName:       Name,
		RuntimeVersion:    Version,
		RuntimeApiVersion: "v1",
	}, nil
}

// Status implements cri.RuntimeService: runtime and network are always ready.
func (r *Runtime) Status(context.Context, bool) (*runtimeapi.StatusResponse, error) {
	return &runtimeapi.StatusResponse{
		Status: &runtimeapi.RuntimeStatus{
			Conditions: []*runtimeapi.RuntimeCondition{
				{Type: runtimeapi.RuntimeReady, Status: true},
				{Type: runtimeapi.NetworkReady, Status: true},
			},
		},
		RuntimeHandlers: []*runtimeapi.RuntimeHandler{{Features: &runtimeapi.RuntimeHandlerFeatures{}}},
	}, nil
}

// RuntimeConfig implements cri.RuntimeService.
func (r *Runtime) RuntimeConfig(context.Context) (*runtimeapi.RuntimeConfigResponse, error) {
	return &runtimeapi.RuntimeConfigResponse{
		Linux: &runtimeapi.LinuxRuntimeConfiguration{CgroupDriver: runtimeapi.CgroupDriver_CGROUPFS},
	}, nil
}

// UpdateRuntimeConfig implements cri.RuntimeService. The pod CIDR that the
// kubelet passes has no effect: pods' addresses come from the runtime's own pool.
func (r *Runtime) UpdateRuntimeConfig(context.Context, *runtimeapi.RuntimeConfig) error { return nil }

// Close implements cri.RuntimeService. There is no connection to close.
func (r *Runtime) Close(context.Context) error { return nil }
