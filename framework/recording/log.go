package recording

import "time"

// Kinds of LogLines.
const (
	// LogBound: kube-scheduler has bound the pod to a node (its -v=2).
	LogBound = "bound"
	// LogCreated and LogStarted: the kubelet reports that a container was created and
	// started (its -v=3).
	LogCreated = "created"
	LogStarted = "started"
	// LogThrottled: a request waited in the component's own client-side limiter; the
	// line comes at the end of the wait. Waits of more than a second are logged at
	// -v=2, at most one a second; all waits of more than 50 ms at higher levels.
	LogThrottled = "throttled"
)

// LogLine is what a component wrote to its log about a pod of the burst, or
// (LogThrottled) about a request of its own during the burst.
type LogLine struct {
	// At is the line's own stamp: the clock of the component's node, 1 µs.
	At   time.Time `json:"at"`
	Kind string    `json:"kind"`
	// Instance is who wrote it: "kube-scheduler", "kubelet-worker-1".
	Instance  string `json:"instance"`
	Namespace string `json:"namespace"`
	// Name is the pod's; it and Namespace are empty for LogThrottled.
	Name string `json:"name"`
	// Container is which container of the pod (created and started only). Init
	// containers are not recorded.
	Container string `json:"container,omitempty"`
	// Node is where the pod was bound to (bound only).
	Node string `json:"node,omitempty"`
	// WaitSeconds is how long the request waited (throttled only).
	WaitSeconds float64 `json:"waitSeconds,omitempty"`
}
