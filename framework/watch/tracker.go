package watch

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/podburst/podburst/framework/recording"
)

// Counts are a burst's pods by how far they have got.
type Counts struct {
	// Expected is how many the burst asked for.
	Expected int
	// Seen pods have been observed at some time; there are more than Expected if pods
	// were replaced.
	Seen int
	// Scheduled, Running, Failed, Deleting and Gone are sticky: ever bound to a node,
	// ever in phase Running, ever failed without being deleted (phase Failed, or a
	// container that ended with an error), ever with a deletionTimestamp, ever
	// removed.
	Scheduled, Running, Failed, Deleting, Gone int
	// Ready pods are Ready now and not gone.
	Ready int
	// Late pods were already past a mark when they were first seen.
	Late int
	// WasReady pods have been Ready at some time, or have Succeeded. Settled pods are
	// those, plus those that have failed or are gone: no more is expected of them.
	WasReady, Settled int
}

// Tracker keeps what is seen of one burst. Its methods may be called concurrently.
type Tracker struct {
	watcher *Watcher
	id      string
	since   time.Time
	before  tally
	changed chan struct{}

	mu sync.Mutex
	// existing are, by UID, the pods from before TrackMatching; nil in the tracker of
	// a burst.
	existing map[string]bool
	begun    bool
	pods     map[string]podState
	records  []record
	counts   Counts
	last     time.Time
	maxDelay time.Duration
}

// podState is what Counts needs to know of one pod.
type podState struct {
	name                                              string
	scheduled, running, ready, failed, deleting, gone bool
	wasReady                                          bool
}

// Changed receives a signal after something changed. Signals are coalesced: one may
// stand for many changes.
func (t *Tracker) Changed() <-chan struct{} { return t.changed }

// add keeps an observation; it reports whether this is a late first sight of a pod.
func (t *Tracker) add(r record, decoded time.Time, delay time.Duration) (late bool) {
	t.mu.Lock()
	if t.leaveOutLocked(r) {
		t.mu.Unlock()
		return false
	}
	before, known := t.pods[r.observation.UID]
	after := before.next(r)
	t.pods[r.observation.UID] = after
	t.records = append(t.records, r)
	if !known {
		t.counts.Seen++
		// A pod's first event should be its creation. If it has a node or a phase
		// beyond Pending, or came with a full read, it had a past that nobody saw.
		late = r.initial || r.change != added || after.scheduled || after.running || after.failed
		if late {
			t.counts.Late++
		}
	}
	t.counts.move(before, after)
	t.last = decoded
	t.maxDelay = max(t.maxDelay, delay)
	t.mu.Unlock()

	select {
	case t.changed <- struct{}{}:
	default:
	}
	return late
}

func (s podState) next(r record) podState {
	o := r.observation
	s.name = o.Name
	s.scheduled = s.scheduled || o.Node != ""
	s.running = s.running || o.Phase == string(corev1.PodRunning)
	s.failed = s.failed || !o.Deleting && (o.Phase == string(corev1.PodFailed) || o.Containers.Failed > 0)
	s.deleting = s.deleting || o.Deleting
	s.gone = s.gone || r.change == deleted
	s.ready = false
	for _, c := range o.Conditions {
		if c.Type == string(corev1.PodReady) {
			s.ready = c.Status == string(corev1.ConditionTrue) && !s.gone
		}
	}
	s.wasReady = s.wasReady || s.ready || o.Phase == string(corev1.PodSucceeded)
	return s
}

func (c *Counts) move(before, after podState) {
	for _, m := range [...]struct {
		count  *int
		before bool
		after  bool
	}{
		{&c.Scheduled, before.scheduled, after.scheduled},
		{&c.Running, before.running, after.running},
		{&c.Ready, before.ready, after.ready},
		{&c.Failed, before.failed, after.failed},
		{&c.Deleting, before.deleting, after.deleting},
		{&c.Gone, before.gone, after.gone},
		{&c.WasReady, before.wasReady, after.wasReady},
		{&c.Settled, before.settled(), after.settled()},
	} {
		switch {
		case m.after && !m.before:
			*m.count++
		case m.before && !m.after:
			*m.count--
		}
	}
}

// Counts returns the current counts.
func (t *Tracker) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts
}

// AllReady reports whether at least the expected number of pods are Ready now.
func (t *Tracker) AllReady() bool {
	c := t.Counts()
	return c.Ready >= c.Expected
}

// Pod names a pod that is left, and whether it is being deleted.
type Pod struct {
	Name     string
	Deleting bool
}

// Remaining returns, by UID, the pods that were seen and are not gone.
func (t *Tracker) Remaining() map[string]Pod {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := make(map[string]Pod, len(t.pods))
	for uid, s := range t.pods {
		if !s.gone {
			left[uid] = Pod{Name: s.name, Deleting: s.deleting}
		}
	}
	return left
}

// LastEvent is when the last event of a pod of the burst was decoded; zero
// before the first.
func (t *Tracker) LastEvent() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// Observations returns a copy of everything kept, in the order it was seen.
func (t *Tracker) Observations() []recording.Observation {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]recording.Observation, len(t.records))
	for i, r := range t.records {
		all[i] = r.full()
	}
	return all
}

// Events returns the Kubernetes Events seen since Track about the burst's pods and
// about the object of that kind and name.
func (t *Tracker) Events(kind, name string) []recording.KubeEvent {
	t.mu.Lock()
	pods := make(map[string]bool, len(t.pods))
	for uid := range t.pods {
		pods[uid] = true
	}
	t.mu.Unlock()
	return t.watcher.events.since(wall(t.since), func(e recording.KubeEvent) bool {
		return e.Kind == kind && e.Name == name || pods[e.UID]
	})
}

// Health is how the watcher has fared since Track.
func (t *Tracker) Health() recording.WatchHealth {
	t.mu.Lock()
	delay := t.maxDelay
	t.mu.Unlock()
	return t.watcher.health(t.before, delay)
}

// Close stops keeping the burst's observations; later ones are dropped.
func (t *Tracker) Close() { t.watcher.closeTracker(t.id) }
