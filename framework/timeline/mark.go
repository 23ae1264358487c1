// Package timeline turns one recorded burst into the life of each of its pods: marks
// (instants, each with its source and resolution) and phases (the differences between
// consecutive marks, which sum exactly to the total). It is a pure function of a
// recording.Burst. framework/validity judges the result.
package timeline

import "fmt"

// Mark is an instant in a pod's life. Its zero value is Submit. Marks are ordered as a pod
// passes them.
type Mark uint8

// The marks, in the order a pod passes them.
const (
	// Submit is the workload's POST: when the API server received it, else the client's
	// call.
	Submit Mark = iota
	// Create is the API server's answer to the pod's POST.
	Create
	// Schedule is the answer to the pod's binding.
	Schedule
	// Accept is the first status that the kubelet writes for the pod.
	Accept
	// Sandbox is the write that sets PodReadyToStartContainers (KEP-3085).
	Sandbox
	// Created is when the kubelet reports the last container created.
	Created
	// Started is the write that reports every container running.
	Started
	// Run is the write that sets phase Running.
	Run
	// Ready is the write that sets the Ready condition.
	Ready
	// Observed is the watcher's receipt of the pod as Running.
	Observed

	markCount = iota
)

var markNames = [markCount]string{
	"submit", "create", "schedule", "accept", "sandbox", "created", "started", "run", "ready", "observed",
}

// String is the mark's name in files and reports.
func (m Mark) String() string {
	if int(m) < len(markNames) {
		return markNames[m]
	}
	return fmt.Sprintf("mark(%d)", uint8(m))
}

// MarshalText writes the mark's name.
func (m Mark) MarshalText() ([]byte, error) {
	if int(m) >= len(markNames) {
		return nil, fmt.Errorf("marshal mark: no mark has number %d", uint8(m))
	}
	return []byte(markNames[m]), nil
}

// UnmarshalText reads a mark's name.
func (m *Mark) UnmarshalText(text []byte) error {
	for i, name := range markNames {
		if string(text) == name {
			*m = Mark(i)
			return nil
		}
	}
	return fmt.Errorf("unmarshal mark: %q is no mark; marks are %v", text, Marks())
}

// Marks lists all marks in order.
func Marks() []Mark {
	marks := make([]Mark, markCount)
	for i := range marks {
		marks[i] = Mark(i)
	}
	return marks
}

// Phase is the time from one mark to another.
type Phase struct {
	Name     string
	From, To Mark
}

// Chain returns the consecutive phases from submit to observed. For every pod with all its
// marks they sum exactly to Observed - Submit.
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

// Derived returns phases that span several phases of the chain, under their usual names,
// and the three-stage view (scheduling, creation, startup).
//
// pod_startup follows the Kubernetes pod startup latency SLI (sig-scalability): created to
// observed running, excluding image pulls and init containers.
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

// Phases returns Chain and Derived.
func Phases() []Phase { return append(Chain(), Derived()...) }
