package watch

import "errors"

// TrackMatching begins to keep the observations of every pod that the watcher sees
// (Options.LabelSelector chooses them), whoever made it. Call it before Start, so
// that the pods that are there already can be told from those that come, and
// Tracker.Begin after it. A watcher that does this has no other trackers.
func (w *Watcher) TrackMatching() (*Tracker, error) {
	w.lifecycle.Lock()
	defer w.lifecycle.Unlock()
	if w.cancel != nil {
		return nil, errors.New("track matching pods: the watcher has been started: which pods were there before cannot be told any more")
	}
	t := &Tracker{
		watcher:  w,
		changed:  make(chan struct{}, 1),
		pods:     map[string]podState{},
		existing: map[string]bool{},
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.matching = t
	return t, nil
}

// Begin makes now the beginning: pods that were seen before are left out, also when
// they change later. It returns how many of them there are.
func (t *Tracker) Begin() (existing int) {
	t.watcher.mu.RLock()
	before := t.watcher.tallyLocked()
	t.watcher.mu.RUnlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.since, t.before, t.begun = t.watcher.options.Now(), before, true
	return len(t.existing)
}

// leaveOutLocked tells whether the observation is of a pod that was there before Begin.
func (t *Tracker) leaveOutLocked(r record) bool {
	uid := r.observation.UID
	switch {
	case t.existing == nil:
		return false
	case t.begun:
		return t.existing[uid]
	case r.change == deleted:
		delete(t.existing, uid)
	default:
		t.existing[uid] = true
	}
	return true
}

// settled tells whether nothing more is to come of a pod: it has been Ready, has
// ended, or is gone.
func (s podState) settled() bool { return s.wasReady || s.failed || s.gone }
