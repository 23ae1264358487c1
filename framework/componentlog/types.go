package componentlog

import "time"

// Resolution is the resolution of a stamp.
const Resolution = time.Microsecond

// Kind says what a line reports.
type Kind string

// The kinds of lines that are kept.
const (
	// Bound: the scheduler has bound a pod to a node (scheduler, -v=2).
	Bound Kind = "bound"
	// Created: a container of a pod has been created (kubelet, -v=3).
	Created Kind = "created"
	// Started: a container of a pod has been started (kubelet, -v=3).
	Started Kind = "started"
	// Throttled: a request waited in the component's own client-side limiter.
	// client-go logs waits of more than a second at -v=2 (more than 50 ms at higher
	// levels); the line's stamp is the end of the wait.
	Throttled Kind = "throttled"
)

// PodName names a pod; these lines carry no UID.
type PodName struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Line is one line that reports something.
type Line struct {
	// At is the line's own stamp, in UTC.
	At   time.Time `json:"at"`
	Kind Kind      `json:"kind"`
	// Pod is the pod it is about; empty for Throttled.
	Pod PodName `json:"pod,omitzero"`
	// Node is the node the pod was bound to (Bound only).
	Node string `json:"node,omitempty"`
	// Container is the name of the container (Created and Started only).
	Container string `json:"container,omitempty"`
	// Init says that it is an init container.
	Init bool `json:"init,omitempty"`
	// Wait is how long the request waited (Throttled only).
	Wait time.Duration `json:"wait,omitempty"`
	// Verb and URL are the request that waited (Throttled only).
	Verb string `json:"verb,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Log is what a component's log holds.
type Log struct {
	// Lines are the lines that report something, in the order of the log.
	Lines []Line
	// First and Last are the stamps of the first and last line with a stamp,
	// whatever they report; zero when there is none.
	First, Last time.Time
	// FromStart says that the first line is one that a component logs when it starts:
	// nothing before it is missing.
	FromStart bool
	// Read counts all lines; Unstamped those without a readable stamp (continuations,
	// other programs' output); Damaged those that announce something this package
	// reads but cannot be read.
	Read, Unstamped, Damaged int
}

// Coverage says whether a log covers a span of time.
type Coverage string

// The coverages.
const (
	// Covered: the log begins before the span.
	Covered Coverage = "covered"
	// Missing: no line has a stamp.
	Missing Coverage = "missing"
	// Rotated: the log begins within the span or after it, in the middle of a
	// component's life; earlier lines were rotated away or dropped.
	Rotated Coverage = "rotated"
	// Restarted: the log begins within the span or after it, with the start of the
	// component; the log of its previous life is elsewhere.
	Restarted Coverage = "restarted"
)

// Covers says whether the log covers the time from the given instant on. A log that
// ends early cannot be told from a component that had nothing to log.
func (l *Log) Covers(from time.Time) Coverage {
	switch {
	case l.First.IsZero():
		return Missing
	case !l.First.After(from):
		return Covered
	case l.FromStart:
		return Restarted
	}
	return Rotated
}
