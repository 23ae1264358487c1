package fakeruntime

import (
	"errors"
	"fmt"
	"time"
)

// The latencies and the parallelism that a hollow node has unless it is told
// otherwise: small, but not zero, so that the phases of a pod's start keep
// their order.
const (
	DefaultSandboxLatency = 20 * time.Millisecond
	DefaultCreateLatency  = 10 * time.Millisecond
	DefaultStartLatency   = 10 * time.Millisecond
	DefaultParallelism    = 16
)

// Options says how the simulated runtime behaves.
type Options struct {
	// NodeName seeds the addresses of the node's pods.
	NodeName string
	// SandboxLatency is how long making one pod sandbox takes. Zero: no time.
	SandboxLatency time.Duration
	// CreateLatency is how long creating one container takes. Zero: no time.
	CreateLatency time.Duration
	// StartLatency is how long starting one container takes. Zero: no time.
	StartLatency time.Duration
	// Parallelism is how many of the three operations run at once; at least 1.
	Parallelism int
	// ImagePullLatency is how long pulling one image takes. Zero: every image is present.
	ImagePullLatency time.Duration
	// ContainerLifetime ends every container with exit code 0 that long after
	// its start. Zero: a container runs until it is stopped.
	ContainerLifetime time.Duration
}

// Validate reports every field that cannot be simulated.
func (o Options) Validate() error {
	var errs []error
	for _, d := range []struct {
		name  string
		value time.Duration
	}{
		{"sandbox latency", o.SandboxLatency},
		{"create latency", o.CreateLatency},
		{"start latency", o.StartLatency},
		{"image pull latency", o.ImagePullLatency},
		{"container lifetime", o.ContainerLifetime},
	} {
		if d.value < 0 {
			errs = append(errs, fmt.Errorf("%s is %v, which is negative", d.name, d.value))
		}
	}
	if o.Parallelism < 1 {
		errs = append(errs, fmt.Errorf("parallelism is %d, but at least one operation must be able to run", o.Parallelism))
	}
	return errors.Join(errs...)
}
