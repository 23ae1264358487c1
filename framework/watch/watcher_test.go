package watch

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/eventually"
)

func start(t *testing.T, s *apiServer) *Watcher {
	t.Helper()
	w, err := New(s.config(), Options{Namespace: namespace, SyncTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w
}

func track(t *testing.T, w *Watcher, expected int) *Tracker {
	t.Helper()
	tracker, err := w.Track(burstID, expected)
	if err != nil {
		t.Fatal(err)
	}
	return tracker
}

// until waits on the tracker's signal, never on a timer, as a burst does.
func until(t *testing.T, tracker *Tracker, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !condition() {
		select {
		case <-tracker.Changed():
		case <-deadline:
			t.Fatalf("%s: not within 20 s; counts %+v, health %+v", what, tracker.Counts(), tracker.Health())
		}
	}
}

func TestEveryChangeOfABurstIsKeptInOrder(t *testing.T) {
	s := newAPIServer(t)
	w := start(t, s)
	tracker := track(t, w, 1)
	before := time.Now()

	p := newPod(0)
	s.apply(p)
	bind(p, "node-1")
	s.apply(p)
	run(p)
	s.apply(p)
	until(t, tracker, "ready", tracker.AllReady)
	health := tracker.Health()
	s.remove(p)
	until(t, tracker, "gone", func() bool { return tracker.Counts().Gone == 1 })

	got := tracker.Observations()
	var kinds []string
	last := before
	for _, o := range got {
		kinds = append(kinds, o.Type)
		if o.At.Before(last.Round(0)) || o.At.Location() != time.UTC {
			t.Errorf("%s stamped %v, after %v; want ascending UTC times", o.Type, o.At, last)
		}
		last = o.At
		if o.Initial {
			t.Errorf("%s is marked as part of a full read", o.Type)
		}
	}
	if want := []string{"added", "modified", "modified", "deleted"}; !slices.Equal(kinds, want) {
		t.Fatalf("kinds %v, want %v", kinds, want)
	}
	ready := got[2]
	if ready.UID != "uid-0" || ready.OwnerUID != jobUID || ready.BurstID != burstID || ready.Node != "node-1" || ready.Phase != "Running" {
		t.Errorf("identity or state lost: %+v", ready)
	}
	if c := ready.Containers; c.Total != 1 || c.Running != 1 || c.Ready != 1 || c.StartedAt.IsZero() {
		t.Errorf("containers %+v, want one that runs and is ready", c)
	}
	if len(ready.Conditions) != 2 || ready.Conditions[1].Type != "Ready" || ready.Conditions[1].Status != "True" {
		t.Errorf("conditions %+v", ready.Conditions)
	}
	if want := (Counts{Expected: 1, Seen: 1, Scheduled: 1, Running: 1, Gone: 1, WasReady: 1, Settled: 1}); tracker.Counts() != want {
		t.Errorf("counts %+v, want %+v", tracker.Counts(), want)
	}
	if health.Events != 3 || health.Lists != 0 || health.StreamingLists != 0 || health.Relists != 0 || health.Late != 0 || health.Dropped != 0 {
		t.Errorf("window's health %+v, want 3 events and nothing else", health)
	}
	if health.MaxDelaySeconds <= 0 || health.MaxDelaySeconds > 5 {
		t.Errorf("max delay %v s", health.MaxDelaySeconds)
	}
	if total := w.Health(); total.TotalStreamingLists != 1 || total.TotalLists != 0 {
		t.Errorf("total health %+v, want one streaming list", total)
	}
}

func TestAnAPIServerWithoutStreamingListsIsListed(t *testing.T) {
	s := newAPIServer(t)
	s.noStreamingLists = true
	s.apply(newPod(7))
	w := start(t, s)
	tracker := track(t, w, 1)
	s.apply(newPod(0))
	until(t, tracker, "seen", func() bool { return tracker.Counts().Seen == 1 })

	h := w.Health()
	if h.Lists != 1 || h.StreamingLists != 1 || h.Relists != 0 {
		t.Errorf("health %+v, want one refused streaming list, one list and no relist", h)
	}
	if h.WatchErrors != 1 {
		t.Errorf("%d watch errors, want the refusal alone", h.WatchErrors)
	}
	foreign := w.Foreign(time.Time{})
	if len(foreign) != 1 || foreign[0].Name != "pod-7" || !foreign[0].Initial {
		t.Errorf("foreign %+v, want pod-7 as part of a full read", foreign)
	}
	if tracker.Observations()[0].Initial {
		t.Error("a watched pod is marked as part of a full read")
	}
}

func TestAWatchThatIsCutGoesOnWithoutAGap(t *testing.T) {
	s := newAPIServer(t)
	w := start(t, s)
	tracker := track(t, w, 2)
	s.apply(newPod(0))
	until(t, tracker, "first pod", func() bool { return tracker.Counts().Seen == 1 })

	s.outage(func() { s.apply(newPod(1)) })
	until(t, tracker, "second pod", func() bool { return tracker.Counts().Seen == 2 })

	h := tracker.Health()
	if h.Relists != 0 || h.Lists != 0 || h.StreamingLists != 0 || h.Late != 0 {
		t.Errorf("health %+v: a re-watch was taken for a gap", h)
	}
	if h.Watches != 1 {
		t.Errorf("%d watches, want 1 from the last version", h.Watches)
	}
	if h.WatchErrors != 1 {
		t.Errorf("%d watch errors, want the broken stream", h.WatchErrors)
	}
}

// A burst that began meanwhile saw no error, and stamped its pods only when they
// came.
func TestAWatchThatWasDownBeforeTheBurstCountsAsItsError(t *testing.T) {
	w := start(t, newAPIServer(t))
	answer := errors.New("connection refused")
	transport := w.requests.wrap(roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, answer
	}))
	rewatch := func() {
		request := httptest.NewRequest(http.MethodGet, "http://api/api/v1/pods?watch=true", nil)
		if response, err := transport.RoundTrip(request); err == nil {
			_ = response.Body.Close()
		}
	}
	rewatch()
	during := track(t, w, 1)
	answer = nil
	rewatch()
	if h := during.Health(); h.WatchErrors != 1 || h.Relists != 0 {
		t.Errorf("health %+v, want the error from before", h)
	}
	after, err := w.Track("next", 1)
	if err != nil {
		t.Fatal(err)
	}
	if h := after.Health(); h.WatchErrors != 0 {
		t.Errorf("health %+v after the watch was resumed", h)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func TestAVersionThatIsGoneCountsAsRelist(t *testing.T) {
	for _, c := range []struct {
		name        string
		noStreaming bool
	}{{"by a streaming list", false}, {"by a list", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newAPIServer(t)
			s.noStreamingLists = c.noStreaming
			w := start(t, s)
			tracker := track(t, w, 3)
			kept, vanishing := newPod(0), newPod(1)
			s.apply(kept)
			s.apply(vanishing)
			until(t, tracker, "pods", func() bool { return tracker.Counts().Seen == 2 })

			bind(kept, "node-1")
			late := newPod(2)
			bind(late, "node-2")
			s.outage(func() {
				s.removeUnseen(vanishing)
				s.apply(kept)
				s.apply(late)
				s.compact()
			})
			until(t, tracker, "relist", func() bool {
				now := tracker.Counts()
				return now.Seen == 3 && now.Gone == 1 && now.Scheduled == 2
			})

			h := tracker.Health()
			if h.Relists != 1 {
				t.Errorf("health %+v, want one relist", h)
			}
			if h.Late != 1 {
				t.Errorf("%d late, want pod-2, first seen with a node", h.Late)
			}
			for _, o := range tracker.Observations()[2:] {
				if !o.Initial {
					t.Errorf("%s %s is not marked as part of a full read", o.Type, o.Name)
				}
			}
		})
	}
}

func TestAPodReplacedUnderItsNameIsTwoPods(t *testing.T) {
	s := newAPIServer(t)
	w := start(t, s)
	tracker := track(t, w, 1)
	p := newPod(0)
	s.apply(p)
	until(t, tracker, "first", func() bool { return tracker.Counts().Seen == 1 })

	other := newPod(0)
	other.UID = "uid-other"
	s.apply(other) // the server says MODIFIED: the deletion was missed
	until(t, tracker, "second", func() bool { return tracker.Counts().Seen == 2 })

	c := tracker.Counts()
	if c.Gone != 1 {
		t.Errorf("counts %+v, want the first pod gone", c)
	}
	if left := tracker.Remaining(); len(left) != 1 || left["uid-other"].Name != "pod-0" {
		t.Errorf("remaining %v", left)
	}
}

func TestAPodFirstSeenPastAMarkIsLate(t *testing.T) {
	s := newAPIServer(t)
	w := start(t, s)
	tracker := track(t, w, 3)
	onTime, bound, running := newPod(0), newPod(1), newPod(2)
	bind(bound, "node-1")
	run(running)
	s.apply(onTime)
	s.apply(bound)
	s.apply(running)
	until(t, tracker, "seen", func() bool { return tracker.Counts().Seen == 3 })
	if c, h := tracker.Counts(), tracker.Health(); c.Late != 2 || h.Late != 2 {
		t.Errorf("late %d, in health %d; want the bound and the running one", c.Late, h.Late)
	}
}

func TestPodsOfNoTrackedBurstAreForeign(t *testing.T) {
	s := newAPIServer(t)
	w := start(t, s)
	tracker := track(t, w, 1)
	since := time.Now()
	stranger := newPod(1)
	stranger.Labels = nil
	s.apply(stranger)
	s.apply(newPod(0))
	until(t, tracker, "own pod", func() bool { return tracker.Counts().Seen == 1 })

	if got := w.Foreign(since); len(got) != 1 || got[0].Name != "pod-1" || got[0].Type != "added" {
		t.Errorf("foreign %+v, want pod-1", got)
	}
	if got := w.Foreign(time.Now()); len(got) != 0 {
		t.Errorf("foreign since now %+v, want none", got)
	}

	tracker.Close()
	s.remove(newPod(0)) // the pod of a burst that was tracked is not foreign
	s.apply(newPod(2))
	eventually.True(t, "both are handled", func() bool { return w.Health().Events == 4 })
	if got := w.Foreign(since); len(got) != 1 {
		t.Errorf("foreign %+v: a closed burst's pods are not foreign", got)
	}
	if _, err := w.Track(burstID, 1); err == nil {
		t.Error("a burst ID was taken twice")
	}
}

func TestForeignPodsBeyondTheBoundAreDropped(t *testing.T) {
	s := newAPIServer(t)
	w, err := New(s.config(), Options{Namespace: namespace, MaxForeign: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	for i := range 5 {
		s.apply(newPod(i))
	}
	eventually.True(t, "five events", func() bool { return w.Health().Events == 5 })
	if h := w.Health(); h.Dropped != 3 || len(w.Foreign(time.Time{})) != 2 {
		t.Errorf("dropped %d of 5 with room for 2", h.Dropped)
	}
}

func TestAClientWithALimiterIsRefused(t *testing.T) {
	for name, config := range map[string]*rest.Config{
		"client-go's default": {Host: "https://example.invalid"},
		"a rate":              {Host: "https://example.invalid", QPS: 50, Burst: 100},
		"a limiter":           {Host: "https://example.invalid", QPS: -1, RateLimiter: flowcontrol.NewFakeAlwaysRateLimiter()},
	} {
		if _, err := New(config, Options{}); err == nil || !strings.Contains(err.Error(), "QPS") {
			t.Errorf("%s: error %v, want one that says how to set QPS", name, err)
		}
	}
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	s := newAPIServer(t)
	s.status = http.StatusForbidden
	w, err := New(s.config(), Options{Namespace: namespace, SyncTimeout: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Start(t.Context())
	if err == nil {
		t.Fatal("started without permission")
	}
	for _, want := range []string{namespace, "300ms", "the test says so", "list and watch"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q lacks %q", err, want)
		}
	}
	w.Stop()
}

func TestStartEndsWithItsContext(t *testing.T) {
	s := newAPIServer(t)
	s.status = http.StatusServiceUnavailable
	w, err := New(s.config(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	if err := w.Start(ctx); err == nil || !strings.Contains(err.Error(), context.DeadlineExceeded.Error()) {
		t.Errorf("error %v, want the context's cause", err)
	}
}

func TestTooManyRequestsAreCountedAsThrottling(t *testing.T) {
	s := newAPIServer(t)
	s.status = http.StatusTooManyRequests
	w, err := New(s.config(), Options{SyncTimeout: 300 * time.Millisecond, WithoutNodes: true, WithoutEvents: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Start(t.Context()); err == nil {
		t.Fatal("started on nothing but 429")
	}
	if h := w.Health(); h.Throttled == 0 || h.WatchErrors < h.Throttled {
		t.Errorf("health %+v, want throttled requests, each an error", h)
	}
}

func TestNodesThatAreNotReadyAreTold(t *testing.T) {
	s := newAPIServer(t)
	node := func(name string, status corev1.ConditionStatus) *corev1.Node {
		return &corev1.Node{
			TypeMeta:   metav1.TypeMeta{Kind: "Node", APIVersion: "v1"},
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, Reason: "Kubelet" + string(status)}}},
		}
	}
	s.apply(node("bad", corev1.ConditionUnknown))
	s.apply(node("good", corev1.ConditionTrue))
	w := start(t, s)
	since := time.Now()
	if got := w.NotReady(since); len(got) != 1 || got[0].Node != "bad" || got[0].Reason != "KubeletUnknown" {
		t.Fatalf("not ready %+v, want the one that was so from the start", got)
	}
	s.apply(node("good", corev1.ConditionFalse))
	s.apply(node("good", corev1.ConditionTrue))
	s.apply(node("bad", corev1.ConditionTrue))
	eventually.True(t, "three more changes", func() bool {
		w.nodes.mu.Lock()
		defer w.nodes.mu.Unlock()
		return len(w.nodes.changes) == 5
	})
	if got := w.NotReady(since); len(got) != 2 || got[1].Node != "good" {
		t.Errorf("not ready %+v, want also the one that recovered", got)
	}
	if got := w.NotReady(time.Now()); len(got) != 0 {
		t.Errorf("not ready %+v, want none now", got)
	}
}

func TestEventsOfTheBurstAreKept(t *testing.T) {
	s := newAPIServer(t)
	w := start(t, s)
	tracker := track(t, w, 1)
	event := func(name, kind, uid, reason string) *corev1.Event {
		return &corev1.Event{
			TypeMeta:       metav1.TypeMeta{Kind: "Event", APIVersion: "v1"},
			ObjectMeta:     metav1.ObjectMeta{Name: name, Namespace: namespace},
			InvolvedObject: corev1.ObjectReference{Kind: kind, Name: name, UID: "uid-" + "0"},
			Reason:         reason, Message: strings.Repeat("é", 200), EventTime: metav1.NowMicro(), ReportingController: "kubelet",
		}
	}
	mine, other, job := event("a", "Pod", "uid-0", "Pulling"), event("b", "Pod", "", "Pulled"), event("c", "Job", "", "SuccessfulCreate")
	another := event("d", "Job", "", "SuccessfulCreate")
	other.InvolvedObject.UID, job.InvolvedObject.UID, another.InvolvedObject.UID = "uid-elsewhere", jobUID, "uid-elsewhere"
	s.apply(newPod(0))
	s.apply(mine)
	s.apply(other)
	s.apply(another)
	s.apply(job)
	eventually.True(t, "two events", func() bool { return len(tracker.Events("Job", "c")) == 2 })
	got := tracker.Events("Job", "c")[0]
	if got.Reason != "Pulling" || got.UID != "uid-0" || got.Component != "kubelet" || got.Count != 1 || got.EventTime.IsZero() || !got.FirstTimestamp.IsZero() {
		t.Errorf("event %+v", got)
	}
	if len(got.Message) != maxMessage {
		t.Errorf("message of %d bytes, want %d (é is two bytes, 256 is even)", len(got.Message), maxMessage)
	}
}

func TestATrimmedPodIsCopiedWhole(t *testing.T) {
	p := &trimmedPod{observation: &recording.Observation{UID: "a", Conditions: []recording.Condition{{Type: "Ready"}}}}
	p.Name = "pod"
	c := p.DeepCopyObject().(*trimmedPod)
	c.observation.Conditions[0].Type = "Other"
	c.observation.UID = "b"
	if p.observation.UID != "a" || p.observation.Conditions[0].Type != "Ready" || c.Name != "pod" {
		t.Error("the copy shares state with the original")
	}
}
