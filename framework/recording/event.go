package recording

import "time"

// KubeEvent is a Kubernetes Event object as the watcher saw it, trimmed. It is
// evidence for people (why a pod was not scheduled, which image was pulled), never
// the time of a mark: components may drop, merge and delay Events.
type KubeEvent struct {
	// At is the observer's clock when the event had been decoded.
	At time.Time `json:"at"`
	// Reason is the event's reason: "FailedScheduling", "Pulling".
	Reason string `json:"reason"`
	// Type is "Normal" or "Warning".
	Type string `json:"type,omitempty"`
	// Message is cut after 256 bytes.
	Message string `json:"message,omitempty"`
	// Kind, Namespace, Name and UID are the object's that the event is about.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	UID       string `json:"uid,omitempty"`
	// Component is who reported it ("kubelet", "default-scheduler").
	Component string `json:"component,omitempty"`
	// Node is the reporting node, if any.
	Node string `json:"node,omitempty"`
	// Count is how often it happened, as the reporter merged it; at least 1.
	Count int `json:"count"`
	// FirstTimestamp and LastTimestamp have a resolution of 1 s; zero where
	// the reporter gives only EventTime (1 µs).
	FirstTimestamp time.Time `json:"firstTimestamp,omitzero"`
	LastTimestamp  time.Time `json:"lastTimestamp,omitzero"`
	EventTime      time.Time `json:"eventTime,omitzero"`
}

// ClockOffset is how far the API server's clock is ahead of the observer's, between two
// bounds. They follow from when a request was sent and answered by one clock, and when it
// was audited by the other (Cristian's algorithm).
type ClockOffset struct {
	// LowSeconds is the least that the API server's clock is ahead; negative if it may be
	// behind.
	LowSeconds float64 `json:"lowSeconds"`
	// HighSeconds is the most that the API server's clock is ahead; negative if it is
	// behind.
	HighSeconds float64 `json:"highSeconds"`
}
