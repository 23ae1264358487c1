package watch

import "errors"

// TrackMatching begins to keep the observations of every pod that matches
// Options.LabelSelector, whoever made it. Pods that were seen before are left out, also
// when they change later; existing is how many of them there are. Call it once, after Start.
func (w *Watcher) TrackMatching() (t *Tracker, existing int, err error) {
	w.mu.RLock()
	t, before := w.matching, w.tallyLocked()
	w.mu.RUnlock()
	if t == nil {
		return nil, 0, errors.New("track matching pods: the watcher has no Options.LabelSelector")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun {
		return nil, 0, errors.New("track matching pods: they are tracked already; make a new watcher")
	}
	t.since, t.before, t.begun = w.options.Now(), before, true
	return t, len(t.existing), nil
}

// leaveOutLocked tells whether the observation is of a pod that was there before TrackMatching.
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
