package causes

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station"
)

// What is injected.
const (
	// WebhookDelay is what the webhook takes for each pod.
	WebhookDelay = 200 * time.Millisecond
	// ExtenderDelay is what the scheduler's extender takes for each pod.
	ExtenderDelay = 100 * time.Millisecond
	// GateTime is how long after the submission the gates are removed.
	GateTime = 5 * time.Second
	// FullTime is how long after the submission the nodes are emptied.
	FullTime = 4 * time.Second
	// PullLatency is what pulling an image takes.
	PullLatency = 250 * time.Millisecond
	// StartLatency is what starting one container takes on a slow runtime.
	StartLatency = 2 * time.Second
	// WatchDelay is how long the observer's watch is held back.
	WatchDelay = time.Second
	// EtcdStopped of each EtcdCycle etcd does not run.
	EtcdStopped, EtcdCycle = 80 * time.Millisecond, 100 * time.Millisecond
	// Loops is how many other processes keep processors busy.
	Loops = 4
)

var (
	// controllerLimits, schedulerLimits and kubeletLimits are too narrow for a burst.
	controllerLimits, schedulerLimits, kubeletLimits = limits(20, 30), limits(20, 20), limits(5, 10)
)

// All are the causes.
func All() []*Cause {
	return []*Cause{
		{
			Name: "controller-limiter", Injected: "kube-controller-manager's limiter at 20/30, all others 5000/10000", Robust: true, ManyPods: true,
			Set: limited(clusters.KubeControllerManager, controllerLimits), Lift: unchanged,
			Names:  []Place{{station.ClientLimiter, clusters.KubeControllerManager}},
			WhatIf: raised(clusters.KubeControllerManager), Limiter: clusters.KubeControllerManager, Amount: controllerLimiter,
		},
		{
			Name: "scheduler-limiter", Injected: "kube-scheduler's limiter at 20/20, all others 5000/10000", Robust: true, ManyPods: true,
			Set: limited(clusters.KubeScheduler, schedulerLimits), Lift: unchanged,
			Names:  []Place{{station.ClientLimiter, clusters.KubeScheduler}},
			WhatIf: raised(clusters.KubeScheduler), Limiter: clusters.KubeScheduler, Amount: schedulerLimiter,
		},
		{
			Name: "kubelet-limiter", Injected: "the kubelets' limiters at 5/10, all others 5000/10000", Robust: true,
			Pods: 40, Few: "100 pods would take a minute a burst",
			Set: limited(clusters.Kubelet, kubeletLimits), Lift: unchanged,
			Names:  []Place{{station.ClientLimiter, clusters.Kubelet}},
			WhatIf: raised(clusters.Kubelet), Limiter: clusters.Kubelet, Amount: kubeletLimiter,
		},
		{
			Name: "busy-processors", Injected: "4 processes that do nothing but run",
			Names: []Place{{Station: station.Processors}}, WhatIf: &station.Scenario{Alone: true},
		},
		{
			Name: "webhook", Injected: "a validating webhook of 200 ms on the creation of pods", Robust: true,
			Names: []Place{{Station: station.Admission}}, WhatIf: without(station.Admission), Amount: webhook,
		},
		{
			Name: "starved-of-seats", Injected: "a priority level with the fewest seats and one queue, which the Job controller shares with a client that keeps each seat for 200 ms",
			Names: []Place{{Station: station.PriorityAndFairness}}, WhatIf: without(station.PriorityAndFairness),
		},
		{
			Name: "etcd", Injected: "etcd stopped for 80 ms of each 100 ms",
			Names: []Place{{Station: station.Etcd}}, WhatIf: without(station.Etcd),
		},
		{
			Name: "slow-runtime", Injected: "a container runtime that takes 2 s to start a container", Robust: true,
			Set: runtime(20*time.Millisecond, 10*time.Millisecond, StartLatency, 110), Lift: unchanged,
			Names: []Place{{Station: station.ContainerRuntime}}, WhatIf: without(station.ContainerRuntime), Amount: runtimeStart,
		},
		{
			Name: "serial-runtime", Injected: "a container runtime that does one thing at a time (50, 20 and 30 ms)", Robust: true,
			Set:   runtime(50*time.Millisecond, 20*time.Millisecond, 30*time.Millisecond, 1),
			Lift:  runtime(50*time.Millisecond, 20*time.Millisecond, 30*time.Millisecond, 110),
			Names: []Place{{Station: station.ContainerRuntime}}, WhatIf: without(station.ContainerRuntime),
		},
		{
			Name: "image-pulls", Injected: "images that take 250 ms to pull, one after the other on each node, and pods that pull theirs each time", Robust: true,
			Pods: 40, Few: "a kubelet refuses more than registryPullQPS, 5 a second",
			Set: pulling, Lift: unchanged,
			Names: []Place{{Station: station.ImagePulls}}, WhatIf: without(station.ImagePulls),
		},
		{
			Name: "extender", Injected: "a scheduler extender of 100 ms for each pod", Robust: true,
			Names: []Place{{Station: station.SchedulingLoop}}, WhatIf: without(station.SchedulingLoop), Amount: extender,
		},
		{
			Name: "gated", Injected: "pods with a scheduling gate that is removed 5 s after the submission", Robust: true,
			Names: []Place{{Station: station.Place}}, WhatIf: without(station.Place), Amount: gated,
		},
		{
			Name: "full-nodes", Injected: "nodes that are full until other pods leave, 4 s after the submission", Robust: true,
			Names: []Place{{Station: station.Place}}, WhatIf: without(station.Place), Amount: full,
		},
		{
			Name: "starved-observer", Injected: "the observer's watch held back by 1 s",
			Names:       []Place{{Station: station.ObserverWatch}},
			Amount:      observed,
			Unpredicted: "the observer is no part of the makespan",
		},
		{
			Name: "nothing", Injected: "nothing", Robust: true,
			Names: []Place{{Station: station.Processors}}, Unpredicted: "nothing is lifted",
		},
	}
}

// Named is the cause of that name, or nil.
func Named(name string) *Cause {
	for _, c := range All() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// raised is the advice for a limiter: the limits of the lifted bursts.
func raised(c clusters.Component) *station.Scenario {
	return &station.Scenario{Limits: map[clusters.Component]clusters.Limits{c: generous}}
}

func without(name station.Name) *station.Scenario {
	return &station.Scenario{Without: []station.Name{name}}
}
