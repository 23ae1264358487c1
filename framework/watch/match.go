package watch

import "errors"

// TrackMatching starts keeping the observations of every pod that matches
// Options.LabelSelector, whoever created it. Pods seen before are left out, even if
// they change later; existing is how many there are. Call it once, after Start.
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

// leaveOutLocked tells whether the observation is of a pod that existed before
// TrackMatching.
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

// settled tells whether no more is expected of a pod: it has been Ready, has ended,
// or is gone.
func (s podState) settled() bool { return s.wasReady || s.failed || s.gone }
