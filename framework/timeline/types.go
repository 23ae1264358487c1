package timeline

import "time"

// Outcome is how a pod stood when the burst ended.
type Outcome string

// The outcomes. Together they account for every expected pod.
const (
	OutcomeReady   Outcome = "ready"
	OutcomeFailed  Outcome = "failed"
	OutcomePending Outcome = "pending"
	// OutcomeLost: deleted during the burst, or never seen at all.
	OutcomeLost Outcome = "lost"
)

// Pod is one pod's life, by UID.
type Pod struct {
	UID     string
	Name    string
	Node    string
	Outcome Outcome
	// Restarts and Deleted are reasons to distrust the burst.
	Restarts int
	Deleted  bool
	// Late: first seen by the watcher already past a mark.
	Late bool
	// Marks holds every reading of a mark, best source first. A mark that was
	// not seen is absent, never zero.
	Marks map[Mark][]Stamp
}

// Primary is the best reading of a mark; ok is false when there is none that
// may serve (an API field alone never does).
func (p Pod) Primary(m Mark) (stamp Stamp, ok bool) {
	for _, s := range p.Marks[m] {
		if s.Source != API {
			return s, true
		}
	}
	return Stamp{}, false
}

// Duration is the length of a phase of this pod, and the stamps it was taken
// from; ok is false when either mark is missing. It is not clamped: clock error
// shows as a negative value.
func (p Pod) Duration(ph Phase) (d time.Duration, from, to Stamp, ok bool) {
	from, okFrom := p.Primary(ph.From)
	to, okTo := p.Primary(ph.To)
	if !okFrom || !okTo {
		return 0, from, to, false
	}
	return to.At.Sub(from.At), from, to, true
}

// Accounting is the identity Expected = Ready + Failed + Pending + Lost.
// Replaced counts further pods of the same Job beyond the expected ones; Foreign
// counts pods that carry the burst's label and belong to no Job of ours.
type Accounting struct {
	Expected int `json:"expected"`
	Ready    int `json:"ready"`
	Failed   int `json:"failed"`
	Pending  int `json:"pending"`
	Lost     int `json:"lost"`
	Replaced int `json:"replaced"`
	Foreign  int `json:"foreign"`
}

// Timeline is a burst's pods and what follows from them.
type Timeline struct {
	// Pods are sorted by Create (then UID); pods without that mark come last.
	Pods       []Pod
	Accounting Accounting
	// Submit is the primary submit stamp that all pods share.
	Submit Stamp
	// Completion[k-1] is the time from submit until the k-th pod was ready;
	// its last element is the makespan. It has Accounting.Ready elements.
	Completion []time.Duration
	// Unavailable are marks that no pod of the burst has, for the provider
	// cannot give them (created without component logs), so that their phases are
	// reported as unavailable and not as missing.
	Unavailable []Mark
}
