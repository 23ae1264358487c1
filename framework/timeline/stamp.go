package timeline

import "time"

// Source is where a mark's time was read.
type Source string

// The sources, best first.
const (
	// Audit is the API server's audit log (its clock, 1 µs).
	Audit Source = "audit"
	// ComponentLog is a component's klog line (its node's clock, 1 µs).
	ComponentLog Source = "componentlog"
	// Watch is the observer's clock after an event was decoded (1 ns). For Submit it is the
	// observer's clock right before the workload's POST.
	Watch Source = "watch"
	// API is a timestamp field of the object (1 s). It is shown, but is never the primary
	// time of a sub-second phase.
	API Source = "api"
)

// Stamp is one reading of a mark.
type Stamp struct {
	// At is in UTC and has no monotonic clock, so that a timeline is the same
	// whether its burst came from memory or from a file.
	At     time.Time `json:"at"`
	Source Source    `json:"source"`
	// Resolution is that of the source: the instant is in [At, At+Resolution).
	Resolution time.Duration `json:"-"`
	// Since bounds the instant from below: what the stamp reports happened within
	// [At-Since, At]. An audit stamp is taken when the answer is written, but the change
	// was committed at some time after the request came in. 0 if the source has no such
	// bound.
	Since time.Duration `json:"-"`
}

// Readings holds every reading of a pod's marks, best source first, indexed by Mark. A mark
// that was not seen has no reading, never a zero time.
type Readings [markCount][]Stamp

// Primary is the best usable reading of a mark; ok is false without one. An API field alone
// is never usable. A component's log is usable only for Created, which has no other source:
// log lines run ahead of the status writes that give the neighboring marks, so a phase
// between the two could be negative.
func (rs *Readings) Primary(m Mark) (stamp Stamp, ok bool) {
	for _, s := range rs[m] {
		if s.Source != API && (s.Source != ComponentLog || m == Created) {
			return s, true
		}
	}
	return Stamp{}, false
}
