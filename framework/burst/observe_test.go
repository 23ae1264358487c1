package burst

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/validity"
	"github.com/podburst/podburst/framework/watch"
)

// observing prepares an observation of the world's namespace.
func (w *world) observing() Options {
	watcher, err := watch.NewForClient(w.client, watch.Options{Namespace: namespace, LabelSelector: "app=web"})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := watcher.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	synctest.Wait() // the fake client loses what happens between list and watch
	return Options{Cluster: w.cluster, Client: w.client, Watcher: watcher, RunID: runID, Namespace: namespace, Index: 1,
		Spec: Spec{Load: load.Observe{Namespace: namespace, Selector: "app=web", Settle: 5 * time.Second}, Deadline: 20 * time.Second}}
}

// others create pods, 10 ms apart, that live as life says.
func (w *world) others(pods int, life func(pod *corev1.Pod, i int)) {
	for i := range pods {
		time.Sleep(10 * time.Millisecond)
		name := fmt.Sprintf("web-%03d", i)
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, UID: types.UID("uid-" + name), Labels: map[string]string{"app": "web"}, CreationTimestamp: metav1.Now()},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web"}}},
			Status:     corev1.PodStatus{Phase: corev1.PodPending},
		}
		if _, err := w.pods().Create(context.TODO(), pod, metav1.CreateOptions{}); err != nil {
			w.t.Error(err)
		}
		if life == nil {
			life = func(pod *corev1.Pod, _ int) { w.start(pod) }
		}
		go life(pod.DeepCopy(), i)
	}
}

// start takes a pod through all that a watch can see.
func (w *world) start(pod *corev1.Pod) {
	time.Sleep(10 * time.Millisecond)
	pod.Spec.NodeName = "node-1"
	w.update(pod)
	time.Sleep(10 * time.Millisecond)
	pod.Status.StartTime = new(metav1.Now())
	w.update(pod)
	time.Sleep(10 * time.Millisecond)
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}}}
	w.update(pod)
}

func TestHowObservationsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		pods   int
		life   func(w *world) func(pod *corev1.Pod, i int)
		wanted int
		ends   recording.EndReason
		after  time.Duration // from the beginning
		burst  int           // Burst.Pods
		codes  []string
	}{
		// Ten pods are made 10 ms apart; the last is ready 30 ms after it was made.
		"so many as are wanted":    {10, nil, 10, recording.EndAllReady, 130 * time.Millisecond, 10, nil},
		"as many as come":          {10, nil, 0, recording.EndSettled, 5130 * time.Millisecond, 10, nil},
		"none":                     {0, nil, 0, recording.EndDeadline, 20 * time.Second, 0, []string{recording.ProblemNoSamples}},
		"none of those wanted":     {0, nil, 3, recording.EndDeadline, 20 * time.Second, 3, []string{recording.ProblemPodLost, recording.ProblemNoSamples}},
		"fewer than are wanted":    {2, nil, 3, recording.EndDeadline, 20 * time.Second, 3, []string{recording.ProblemPodLost}},
		"pods that stay pending":   {2, func(*world) func(*corev1.Pod, int) { return func(*corev1.Pod, int) {} }, 0, recording.EndDeadline, 20 * time.Second, 2, []string{recording.ProblemPodPending, recording.ProblemNoSamples}},
		"one pod more than wanted": {4, slowFirst, 3, recording.EndAllReady, 70 * time.Millisecond, 3, []string{recording.ProblemPodPending, recording.ProblemPodReplaced}},
		"a pod that fails": {2, func(w *world) func(*corev1.Pod, int) {
			return func(pod *corev1.Pod, i int) {
				w.start(pod)
				if i == 1 {
					pod.Status.Phase = corev1.PodFailed
					w.update(pod)
				}
			}
		}, 0, recording.EndSettled, 5050 * time.Millisecond, 2, []string{recording.ProblemPodFailed}},
		// A short-lived pod was Ready for a moment: the burst must not wait for it to
		// be so again.
		"pods that succeed": {2, func(w *world) func(*corev1.Pod, int) {
			return func(pod *corev1.Pod, _ int) {
				w.start(pod)
				pod.Status.Phase, pod.Status.Conditions = corev1.PodSucceeded, []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse}}
				w.update(pod)
			}
		}, 2, recording.EndAllReady, 50 * time.Millisecond, 2, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				o := w.observing()
				defer o.Watcher.Stop()
				o.Load = load.Observe{Namespace: namespace, Selector: "app=web", Settle: 5 * time.Second, Pods: c.wanted}
				o.OnBegin = func(existing int) {
					if existing != 0 {
						t.Errorf("%d pods were there before", existing)
					}
					var life func(*corev1.Pod, int)
					if c.life != nil {
						life = c.life(w)
					}
					go w.others(c.pods, life)
				}
				b, err := Run(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if took := b.End.Sub(b.Began()); b.EndReason != c.ends || took != c.after || b.Pods != c.burst || !b.Submit.IsZero() {
					t.Errorf("ended %s after %v with %d pods, submitted %v; want %s after %v with %d", b.EndReason, took, b.Pods, b.Submit, c.ends, c.after, c.burst)
				}
				var codes []string
				for _, p := range validity.Judge(b, timeline.Build(b), validity.Options{}) {
					codes = append(codes, p.Code)
				}
				if !slices.Equal(codes, c.codes) {
					t.Errorf("invalid for %v, want %v", codes, c.codes)
				}
			})
		})
	}
}

// slowFirst keeps the first pod pending.
func slowFirst(w *world) func(*corev1.Pod, int) {
	return func(pod *corev1.Pod, i int) {
		if i > 0 {
			w.start(pod)
		}
	}
}

func TestAnObservationLeavesOutWhatWasThereAndChangesNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.others(2, nil)
		time.Sleep(time.Second)
		w.client.ClearActions()
		o := w.observing()
		defer o.Watcher.Stop()
		o.OnBegin = func(existing int) {
			if existing != 2 {
				t.Errorf("%d pods were there before, want 2", existing)
			}
		}
		b, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if b.Passive.Existing != 2 || len(b.Watch) != 0 || b.Pods != 0 {
			t.Errorf("existing %d, %d observations, %d pods", b.Passive.Existing, len(b.Watch), b.Pods)
		}
		for _, a := range w.client.Actions() {
			if verb := a.GetVerb(); verb != "list" && verb != "watch" {
				t.Errorf("it did more than look: %s %s", verb, a.GetResource().Resource)
			}
		}
	})
}

func TestAnInterruptedObservationKeepsWhatItSaw(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancelCause(t.Context())
		o := w.observing()
		defer o.Watcher.Stop()
		o.OnBegin = func(int) {
			go func() {
				w.others(2, nil)
				time.Sleep(100 * time.Millisecond)
				cancel(errors.New("signal"))
			}()
		}
		b, err := Run(ctx, o)
		if err == nil || b.EndReason != recording.EndInterrupted || b.Pods != 2 || len(b.Watch) != 8 || !slices.Equal(codes(b), []string{recording.ProblemInterrupted}) {
			t.Errorf("error %v, ended %s, %d pods, %d observations, %v", err, b.EndReason, b.Pods, len(b.Watch), b.Problems)
		}
	})
}
