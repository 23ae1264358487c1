package watch

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// change is what happened to a pod.
type change uint8

const (
	added change = iota
	modified
	deleted
)

func (c change) String() string { return [...]string{"added", "modified", "deleted"}[c] }

// record is a kept observation. What the informer publishes is immutable, and only
// the handler knows what happened, so that is kept beside it.
type record struct {
	observation *recording.Observation
	change      change
	initial     bool
}

func (r record) full() recording.Observation {
	o := *r.observation
	o.Type = r.change.String()
	o.Initial = r.initial
	return o
}

// route gives an observation to its burst's tracker.
func (w *Watcher) route(p *trimmedPod, c change, initial bool) {
	r := record{observation: p.observation, change: c, initial: initial || p.observation.Initial}
	now := w.options.Now()
	delay := now.Sub(p.decoded)

	w.mu.Lock()
	w.maxDelay = max(w.maxDelay, delay)
	w.last = now
	if !r.initial {
		w.tally.events++
	}
	tracker := w.trackers[p.observation.BurstID]
	if w.matching != nil {
		tracker = w.matching
	}
	if tracker == nil && !w.closed[p.observation.BurstID] {
		if len(w.foreign) < w.options.MaxForeign {
			w.foreign = append(w.foreign, r)
		} else {
			w.tally.dropped++
		}
	}
	w.mu.Unlock()

	if tracker != nil && tracker.add(r, p.decoded, delay) {
		w.mu.Lock()
		w.tally.late++
		w.mu.Unlock()
	}
}

// Track starts keeping the observations of a burst's pods. Call it before the burst
// is submitted: pods that come earlier count as foreign. expected is how many pods
// the burst has. It fails if the ID is empty or was used before.
func (w *Watcher) Track(burstID string, expected int) (*Tracker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if burstID == "" || w.trackers[burstID] != nil || w.closed[burstID] {
		return nil, fmt.Errorf("track burst %q: its ID must be new and not empty", burstID)
	}
	t := &Tracker{
		watcher: w,
		id:      burstID,
		since:   w.options.Now(),
		before:  w.tallyLocked(),
		changed: make(chan struct{}, 1),
		pods:    make(map[string]podState, expected),
		records: make([]record, 0, 6*expected),
		counts:  Counts{Expected: expected},
	}
	w.trackers[burstID] = t
	return t, nil
}

// Tracker returns the open tracker of a burst, or nil.
func (w *Watcher) Tracker(burstID string) *Tracker {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.trackers[burstID]
}

func (w *Watcher) closeTracker(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.trackers, id)
	w.closed[id] = true
	if len(w.trackers) == 0 {
		w.events.forget(w.options.Now())
	}
}

// Foreign returns the observations, since then, of pods that belong to no burst that
// is or was tracked, in the order they were seen.
func (w *Watcher) Foreign(since time.Time) []recording.Observation {
	since = wall(since)
	w.mu.RLock()
	defer w.mu.RUnlock()
	var found []recording.Observation
	for _, r := range w.foreign {
		if !r.observation.At.Before(since) {
			found = append(found, r.full())
		}
	}
	return found
}

// LastEvent is when the last pod event was handled; zero before the first.
func (w *Watcher) LastEvent() time.Time {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.last
}

func (w *Watcher) drop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally.dropped++
}
