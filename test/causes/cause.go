package causes

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station"
)

// Cause is one thing that makes bursts slow.
type Cause struct {
	// Name is a DNS label: the profile of the bursts that have it.
	Name string
	// Injected says for people what is done.
	Injected string
	// Pods a burst has. Default: Pods.
	Pods int
	// Few says why it has fewer pods than the others, where it has.
	Few string
	// Set changes the profile of the bursts that have the cause; nil: a profile in which
	// nothing is a bottleneck.
	Set func(*clusters.ProfileSpec)
	// Lift is Set for the bursts without the cause. nil: it is no matter of the profile,
	// and the same cluster has bursts with and without.
	Lift func(*clusters.ProfileSpec)
	// Names are the stations that may be named first. The first is the one to expect.
	Names []Place
	// AlsoBecause says why the further Names are right, too.
	AlsoBecause string
	// WhatIf is the change that lifts the cause in a replay; nil: the replay has no such
	// station, which Unpredicted says.
	WhatIf      *station.Scenario
	Unpredicted string
	// Limiter is the component whose limiter is the cause; advice to raise any other
	// limit is useless.
	Limiter clusters.Component
	// Amount is what is known of how long the cause held its phase; nil: not known exactly.
	Amount func(*Burst) (Amount, bool)
	// Robust causes show on any machine: the short form has them.
	Robust bool
	// ManyPods: the cause shows only with all its pods. The short form has fewer of the
	// others, so that processors that are busy with other things matter less.
	ManyPods bool
}

// Pods is how many a burst has unless its cause says otherwise, and fewPods how many in the
// short form.
const (
	Pods    = 100
	fewPods = 40
)

// Place is a station of a component; an empty component is any.
type Place struct {
	Station   station.Name
	Component clusters.Component
}

// limits make a limiter that holds nothing up, or one that does.
func limits(qps float64, burst int) clusters.Limits {
	return clusters.Limits{KubeAPIQPS: qps, KubeAPIBurst: burst}
}

// generous hold nothing up: those of the profile unlimited.
var generous = limits(5000, 10000)

func limited(c clusters.Component, l clusters.Limits) func(*clusters.ProfileSpec) {
	return func(s *clusters.ProfileSpec) {
		at := s.At(c)
		at.KubeAPIQPS, at.KubeAPIBurst = &l.KubeAPIQPS, &l.KubeAPIBurst
	}
}

func runtime(sandbox, create, start time.Duration, parallelism int) func(*clusters.ProfileSpec) {
	return func(s *clusters.ProfileSpec) {
		s.HollowRuntime.SandboxLatency = &metav1.Duration{Duration: sandbox}
		s.HollowRuntime.CreateLatency = &metav1.Duration{Duration: create}
		s.HollowRuntime.StartLatency = &metav1.Duration{Duration: start}
		s.HollowRuntime.Parallelism = &parallelism
	}
}

// pulling nodes pull one image at a time.
func pulling(s *clusters.ProfileSpec) {
	s.HollowRuntime.ImagePullLatency = &metav1.Duration{Duration: PullLatency}
	s.Kubelet.SerializeImagePulls = new(true)
}

func unchanged(*clusters.ProfileSpec) {}

// pods is the cause's number of pods.
func (c *Cause) pods() int {
	if c.Pods == 0 {
		return Pods
	}
	return c.Pods
}

// shortPods is its number of pods in the short form.
func (c *Cause) shortPods() int {
	if c.ManyPods {
		return c.pods()
	}
	return min(fewPods, c.pods())
}

// Profiles are those of the bursts with the cause and, where it is a matter of the
// profile, without it.
func (c *Cause) Profiles() []clusters.Profile {
	all := []clusters.Profile{profile(c.Name, c.Set)}
	if c.Lift != nil {
		all = append(all, profile(c.Name+"-lifted", c.Lift))
	}
	return all
}

func profile(name string, set func(*clusters.ProfileSpec)) clusters.Profile {
	p := clusters.Profile{APIVersion: clusters.APIVersion, Kind: clusters.ProfileKind, Metadata: clusters.Metadata{Name: name}}
	for _, c := range clusters.Configurable() {
		limited(c, generous)(&p.Spec)
	}
	if set != nil {
		set(&p.Spec)
	}
	return p
}
