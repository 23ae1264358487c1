package timeline

import (
	"slices"
	"time"
)

// Outcome is how far a pod had come when the burst ended.
type Outcome string

// The outcomes. Together they account for every expected pod.
const (
	// OutcomeReady: the pod was Ready at some time, or Succeeded (a short-lived container
	// may end before anyone sees it Ready; its marks are then missing).
	OutcomeReady Outcome = "ready"
	// OutcomeFailed: the pod reached phase Failed, or a container ended with an error,
	// whether or not it was ready before.
	OutcomeFailed Outcome = "failed"
	// OutcomePending: none of the others.
	OutcomePending Outcome = "pending"
	// OutcomeLost: the pod was deleted during the burst, or never seen at all (such pods
	// are counted but have no Pod).
	OutcomeLost Outcome = "lost"
)

// Pod is the life of one pod, by UID: another UID is another pod, even with the same name.
type Pod struct {
	UID     string
	Name    string
	Node    string
	Outcome Outcome
	// Restarts (of all its containers) and Deleted are reasons to distrust the burst.
	Restarts int
	Deleted  bool
	// Late: when the watcher first saw the pod, it had already passed a mark or came from a
	// relist.
	Late bool
	// Replacement: created beyond the number of pods that the Job asks for. Such pods count
	// only in Accounting.Replaced.
	Replacement bool
	// Waiting is the last reason why a container waited ("ImagePullBackOff"); empty if it
	// runs.
	Waiting string
	Marks   Readings
}

// Primary is the best usable reading of a mark; ok is false without one (an API field alone
// is never usable).
func (p *Pod) Primary(m Mark) (stamp Stamp, ok bool) { return p.Marks.Primary(m) }

// Duration is the length of a phase of this pod, with the stamps that it was computed from.
// ok is false if either mark is missing. The length is not clamped: clock error shows as a
// negative value.
//
// A phase that begins with a log line of a component also ends with one if there is one:
// startup is from created to started as the kubelet itself logs them, not until it next
// wrote the pod's status.
func (p *Pod) Duration(ph Phase) (d time.Duration, from, to Stamp, ok bool) {
	from, okFrom := p.Primary(ph.From)
	to, okTo := p.Primary(ph.To)
	if from.Source == ComponentLog {
		for _, s := range p.Marks[ph.To] {
			if s.Source == ComponentLog {
				to = s
			}
		}
	}
	if !okFrom || !okTo {
		return 0, from, to, false
	}
	return to.At.Sub(from.At), from, to, true
}

// Accounting is where the pods of a burst ended up. It always holds that Expected = Ready
// + Failed + Pending + Lost.
type Accounting struct {
	// Expected is how many pods were asked for.
	Expected int `json:"expected"`
	// Ready is how many expected pods were ready at some time, or succeeded too fast to be
	// seen ready.
	Ready int `json:"ready"`
	// Failed is how many expected pods failed, or had a container that ended with an
	// error.
	Failed int `json:"failed"`
	// Pending is how many expected pods were neither ready nor failed nor lost when the
	// burst ended.
	Pending int `json:"pending"`
	// Lost is how many expected pods were deleted during the burst or never seen.
	Lost int `json:"lost"`
	// Replaced is how many pods the workload made beyond the expected ones.
	Replaced int `json:"replaced"`
	// Foreign is how many pods carry the burst's label and belong to no workload of podburst's.
	Foreign int `json:"foreign"`
}

// Balanced tells whether the identity holds.
func (a Accounting) Balanced() bool {
	return a.Expected == a.Ready+a.Failed+a.Pending+a.Lost
}

// Timeline is a burst's pods and what follows from them.
type Timeline struct {
	// Pods are sorted by Create (then UID); pods without that mark come last.
	Pods       []Pod
	Accounting Accounting
	// Submit is the primary submit stamp, which all pods share; zero if the burst has none.
	Submit Stamp
	// Completion[k-1] is the time from submit until the k-th pod was ready. It
	// has Accounting.Ready elements unless a ready pod lacks its Ready mark.
	Completion []time.Duration
	// Unavailable are marks that no pod of the burst has because the provider cannot give
	// them (for example created without component logs). Their phases are reported as
	// unavailable, not as missing.
	Unavailable []Mark
	// Foreign names the pods that Accounting.Foreign counts, sorted.
	Foreign []string
}

// Makespan is the time from submit until the last pod was ready. ok is false unless every
// expected pod has its Ready mark.
func (t *Timeline) Makespan() (d time.Duration, ok bool) {
	if n := len(t.Completion); n > 0 && n == t.Accounting.Expected {
		return t.Completion[n-1], true
	}
	return 0, false
}

// Span is the time from the first pod's creation until the last pod was ready. It stands in
// for the makespan of a passive burst, which has none. ok is false unless every expected
// pod has both marks.
func (t *Timeline) Span() (d time.Duration, ok bool) {
	var first, last time.Time
	n := 0
	for i := range t.Pods {
		p := &t.Pods[i]
		created, okCreated := p.Primary(Create)
		ready, okReady := p.Primary(Ready)
		if p.Replacement || p.Outcome != OutcomeReady || !okCreated || !okReady {
			continue
		}
		n++
		if first.IsZero() || created.At.Before(first) {
			first = created.At
		}
		if ready.At.After(last) {
			last = ready.At
		}
	}
	return last.Sub(first), n > 0 && n == t.Accounting.Expected
}

// Available tells whether the provider can give both marks of a phase as two separate
// observations. Without an audit log, the event that shows a pod running is also its
// observation, so the time between the two is unknown rather than 0.
func (t *Timeline) Available(ph Phase) bool {
	if ph.From == Run && ph.To == Observed && !t.runsApart() {
		return false
	}
	return !slices.Contains(t.Unavailable, ph.From) && !slices.Contains(t.Unavailable, ph.To)
}

// runsApart tells whether any pod's Run was read from a source other than the watch.
func (t *Timeline) runsApart() bool {
	return slices.ContainsFunc(t.Pods, func(p Pod) bool {
		run, ok := p.Primary(Run)
		return ok && run.Source != Watch
	})
}
