package watch

import (
	"slices"
	"testing"
	"time"
)

// matching watches every pod that matches, whoever owns it; existing were there
// before.
func matching(t *testing.T, s *apiServer) (w *Watcher, tracker *Tracker, existing int) {
	t.Helper()
	w, err := New(s.config(), Options{Namespace: namespace, LabelSelector: "app=web", SyncTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tracker, existing, err = w.TrackMatching(); err != nil {
		t.Fatal(err)
	}
	return w, tracker, existing
}

// Pods that existed before must not be measured: each would count as a pod of 0 ms.
func TestPodsThatWereThereBeforeAreLeftOutAndCounted(t *testing.T) {
	s := newAPIServer(t)
	old, other := newPod(0), newPod(1)
	s.apply(old)
	s.apply(other)
	w, tracker, existing := matching(t, s)
	if existing != 2 {
		t.Errorf("%d pods were there before, want 2", existing)
	}
	bind(old, "node-1")
	s.apply(old)
	run(old)
	s.apply(old)
	s.remove(other)

	p := newPod(2)
	p.Labels, p.OwnerReferences = nil, nil // nobody's burst
	s.apply(p)
	bind(p, "node-1")
	s.apply(p)
	run(p)
	s.apply(p)
	until(t, tracker, "ready", func() bool { return tracker.Counts().Ready == 1 })
	if got, want := tracker.Counts(), (Counts{Seen: 1, Scheduled: 1, Running: 1, Ready: 1, WasReady: 1, Settled: 1}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	for _, o := range tracker.Observations() {
		if o.UID != string(p.UID) || o.Initial {
			t.Errorf("kept %+v", o)
		}
	}
	if h := tracker.Health(); h.Lists+h.StreamingLists+h.Relists+h.Late != 0 {
		t.Errorf("health %+v counts what was before the beginning", h)
	}
	if len(w.Foreign(time.Time{})) != 0 {
		t.Error("a pod is foreign where every pod is somebody else's")
	}
}

func TestAPodThatBeganToMatchLaterIsLate(t *testing.T) {
	s := newAPIServer(t)
	_, tracker, _ := matching(t, s)
	p := newPod(0)
	bind(p, "node-1")
	s.apply(p)
	until(t, tracker, "seen", func() bool { return tracker.Counts().Seen == 1 })
	if got := tracker.Counts().Late; got != 1 {
		t.Errorf("%d pods late, want 1", got)
	}
	s.remove(p)
	until(t, tracker, "gone", func() bool { return tracker.Counts().Settled == 1 })
	var kinds []string
	for _, o := range tracker.Observations() {
		kinds = append(kinds, o.Type)
	}
	if !slices.Equal(kinds, []string{"added", "deleted"}) {
		t.Errorf("kinds %v", kinds)
	}
}

func TestMatchingPodsAreTrackedOnceAndByASelector(t *testing.T) {
	w := start(t, newAPIServer(t))
	if _, _, err := w.TrackMatching(); err == nil {
		t.Error("a watcher of all pods: no error")
	}
	w, err := NewForClient(w.client, Options{LabelSelector: "app=web"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.TrackMatching(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.TrackMatching(); err == nil {
		t.Error("a second time: no error, and pods of the first would count as new")
	}
}
