// Package timeline turns one recorded burst into the life of each of its pods:
// marks (instants, each with where it was read and how exact it is) and phases
// (the differences of consecutive marks, which sum exactly to the total). It is
// a pure function of a recording.Burst; judging is framework/validity's work.
package timeline

import "time"

// Mark is an instant in a pod's life.
type Mark string

// The marks, in the order a pod passes them.
const (
	// Submit is the Job's POST: when the API server received it, else the client call.
	Submit Mark = "submit"
	// Create is the API server's answer to the pod's POST.
	Create Mark = "create"
	// Schedule is the answer to the pod's binding.
	Schedule Mark = "schedule"
	// Accept is the first status that the kubelet writes for the pod.
	Accept Mark = "accept"
	// Sandbox is the write that sets PodReadyToStartContainers (KEP-3085).
	Sandbox Mark = "sandbox"
	// Created is when the kubelet reports the last container created.
	Created Mark = "created"
	// Started is the write that reports every container running.
	Started Mark = "started"
	// Run is the write that sets phase Running.
	Run Mark = "run"
	// Ready is the write that sets the Ready condition.
	Ready Mark = "ready"
	// Observed is the watcher's receipt of the pod as Running.
	Observed Mark = "observed"
)

// Marks lists all marks in order.
func Marks() []Mark {
	return []Mark{Submit, Create, Schedule, Accept, Sandbox, Created, Started, Run, Ready, Observed}
}

// Source is where a mark's time was read.
type Source string

// The sources, best first.
const (
	// Audit is the API server's audit log (its clock, 1 µs).
	Audit Source = "audit"
	// ComponentLog is a component's klog line (its node's clock, 1 µs).
	ComponentLog Source = "componentlog"
	// Watch is the observer's clock when an event had been decoded (1 ns).
	Watch Source = "watch"
	// API is a timestamp field of the object (1 s): shown, but never the
	// primary time of a sub-second phase.
	API Source = "api"
)

// Stamp is one reading of a mark.
type Stamp struct {
	At         time.Time     `json:"at"`
	Source     Source        `json:"source"`
	Resolution time.Duration `json:"-"`
	// Since bounds the instant from below: what the stamp reports happened
	// within [At-Since, At] (an audit stamp is taken when the answer is
	// written, the change was committed at some time since the request came in).
	Since time.Duration `json:"-"`
}

// Phase is the time from one mark to another.
type Phase struct {
	Name     string
	From, To Mark
}

// Chain are the consecutive phases from submit to observed; for every pod with
// all its marks they sum exactly to Observed - Submit.
func Chain() []Phase {
	return []Phase{
		{"submit_to_create", Submit, Create},
		{"create_to_schedule", Create, Schedule},
		{"schedule_to_accept", Schedule, Accept},
		{"accept_to_sandbox", Accept, Sandbox},
		{"sandbox_to_started", Sandbox, Started},
		{"started_to_run", Started, Run},
		{"run_to_observed", Run, Observed},
	}
}

// Derived are phases that span several of the chain, named as the field names
// them, and the three-stage view (scheduling, creation, startup).
//
// pod_startup has the shape of the Kubernetes pod startup latency SLI
// (sig-scalability: created to observed running; images and init containers excluded).
func Derived() []Phase {
	return []Phase{
		{"schedule_to_run", Schedule, Run},
		{"run_to_watch", Run, Observed},
		{"schedule_to_watch", Schedule, Observed},
		{"pod_startup", Create, Observed},
		{"submit_to_ready", Submit, Ready},
		{"total", Submit, Observed},
		{"scheduling", Submit, Schedule},
		{"creation", Schedule, Created},
		{"startup", Created, Started},
	}
}

// Phases are Chain and Derived.
func Phases() []Phase { return append(Chain(), Derived()...) }
