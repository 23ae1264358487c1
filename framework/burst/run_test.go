package burst

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

func TestABurstIsRecordedWhole(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.audit("create", "pods", "of an earlier burst", "", 201, time.Now(), "")
		w.life = func(w *world, pod *corev1.Pod, i int) {
			w.audit("create", "pods", pod.Name, "binding", 201, time.Now(), `{"target":{"name":"node-1"}}`)
			w.audit("get", "pods", pod.Name, "", 200, time.Now(), "")
			w.makeReady(pod)
		}
		o := w.options(10)
		var seen []watch.Counts
		o.OnProgress = func(c watch.Counts, elapsed time.Duration) {
			if elapsed < 0 || elapsed > o.Deadline {
				t.Errorf("elapsed %v", elapsed)
			}
			seen = append(seen, c)
		}
		started := time.Now()
		b, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if b.EndReason != recording.EndAllReady || len(b.Problems) != 0 {
			t.Errorf("ended %s with %v", b.EndReason, b.Problems)
		}
		if b.BurstID != "default-burst-1" || b.Workload.UID != "job-uid" || b.Profile != "default" || !slices.Equal(b.WorkerNodes, []string{"node-1"}) {
			t.Errorf("identity %+v", b)
		}
		// Ten pods are made 10 ms apart; the last is ready 20 ms after it was made.
		if got := b.Submit.Sub(started); got != 0 {
			t.Errorf("submitted %v after the start", got)
		}
		if got := b.End.Sub(b.Submit); got != 120*time.Millisecond {
			t.Errorf("ended %v after the submission, want 120ms", got)
		}
		if len(b.Watch) != 30 || b.Watch[29].Phase != "Running" || b.Watch[0].BurstID != b.BurstID || b.Watch[0].OwnerUID != b.Workload.UID {
			t.Errorf("%d observations, want 3 a pod", len(b.Watch))
		}
		if len(b.Audit) != 20 || b.Audit[0].TargetNode != "node-1" || b.Audit[1].Verb != "get" {
			t.Errorf("%d audit events, want 10 bindings and 10 reads, and no markers: %+v", len(b.Audit), b.Audit)
		}
		if b.ClockOffset == nil || b.ClockOffset.LowSeconds > 0 || b.ClockOffset.HighSeconds < 0 {
			t.Errorf("clock offset %+v, want bounds around 0", b.ClockOffset)
		}
		pair := b.Metrics["kubelet-node-1"]
		if len(b.Metrics) != 2 || len(pair.Before) == 0 || len(pair.After) == 0 || string(pair.Before) == string(pair.After) {
			t.Errorf("metrics %v", b.Metrics)
		}
		if last := seen[len(seen)-1]; last.Ready != 10 {
			t.Errorf("progress ended with %+v", last)
		}
		if b.Health.Events != 30 || b.Health.Late != 0 {
			t.Errorf("health %+v", b.Health)
		}
	})
}

func TestHowBurstsEnd(t *testing.T) {
	never := func(*world, *corev1.Pod, int) {}
	for _, c := range []struct {
		name    string
		arrange func(w *world, o *Options, cancel context.CancelCauseFunc)
		reason  recording.EndReason
		codes   []string
		err     string
		after   time.Duration // from submission to end
	}{
		{"pods that stay pending", func(w *world, _ *Options, _ context.CancelCauseFunc) { w.life = never },
			recording.EndDeadline, nil, "", 10 * time.Second},
		{"an interruption", func(w *world, _ *Options, cancel context.CancelCauseFunc) {
			w.life = never
			time.AfterFunc(time.Second, func() { cancel(errors.New("signal: interrupt")) })
		}, recording.EndInterrupted, []string{recording.ProblemInterrupted}, "signal: interrupt", time.Second},
		{"a component that exited", func(w *world, o *Options, _ context.CancelCauseFunc) {
			w.life = never
			abort := make(chan error, 1)
			o.Abort = abort
			time.AfterFunc(time.Second, func() {
				w.cluster.setProcess("kube-scheduler", "1", false, "exit status 1: panic")
				abort <- errors.New("kube-scheduler exited")
			})
		}, recording.EndAborted, []string{recording.ProblemComponentExited, recording.ProblemComponentExited}, "kube-scheduler exited", time.Second},
		{"nobody left to abort", func(_ *world, o *Options, _ context.CancelCauseFunc) {
			abort := make(chan error)
			close(abort)
			o.Abort = abort
		}, recording.EndAllReady, nil, "", 50 * time.Millisecond},
		{"a pod that fails", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.life = func(w *world, pod *corev1.Pod, i int) {
				if i == 1 {
					time.Sleep(time.Second)
					pod.Status.Phase = corev1.PodFailed
					w.update(pod)
				}
			}
		}, recording.EndPodFailed, nil, "", time.Second + 20*time.Millisecond},
		{"a quota", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.client.PrependReactor("create", "jobs", func(clienttesting.Action) (bool, runtime.Object, error) {
				return true, nil, apierrors.NewForbidden(corev1.Resource("jobs"), "x", errors.New("exceeded quota: jobs"))
			})
		}, recording.EndRefused, []string{recording.ProblemRefused}, "raise the namespace's quota", 0},
		{"no answer", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.client.PrependReactor("create", "jobs", func(clienttesting.Action) (bool, runtime.Object, error) {
				return true, nil, errors.New("connection refused")
			})
		}, recording.EndRefused, []string{recording.ProblemRefused}, "is the API server running", 0},
		{"a component that restarted", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			time.AfterFunc(10*time.Millisecond, func() { w.cluster.setProcess("kubelet-node-1", "2", true, "") })
		}, recording.EndAllReady, []string{recording.ProblemComponentRestarted}, "", 50 * time.Millisecond},
		{"a component that restarted where processes cannot be seen", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.cluster.processError = clusters.ErrUnsupported
			w.cluster.starts = map[clusters.Component]float64{clusters.KubeScheduler: 1e9, clusters.Kubelet: 1e9}
			time.AfterFunc(10*time.Millisecond, func() {
				w.cluster.mu.Lock()
				defer w.cluster.mu.Unlock()
				w.cluster.starts[clusters.KubeScheduler] = 1e9 + 0.25
			})
		}, recording.EndAllReady, []string{recording.ProblemComponentRestarted}, "", 50 * time.Millisecond},
		{"a node that is not ready for a moment", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
			set := func(status corev1.ConditionStatus) {
				node := node.DeepCopy()
				node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status, Reason: "KubeletNotReady"}}
				if _, err := w.client.CoreV1().Nodes().Update(context.TODO(), node, metav1.UpdateOptions{}); err != nil {
					w.t.Error(err)
				}
			}
			node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
			if _, err := w.client.CoreV1().Nodes().Create(context.TODO(), node.DeepCopy(), metav1.CreateOptions{}); err != nil {
				w.t.Error(err)
			}
			time.AfterFunc(10*time.Millisecond, func() { set(corev1.ConditionFalse) })
			time.AfterFunc(20*time.Millisecond, func() { set(corev1.ConditionTrue) })
		}, recording.EndAllReady, []string{recording.ProblemNodeNotReady}, "", 50 * time.Millisecond},
		{"a clock that is stepped", func(_ *world, o *Options, _ context.CancelCauseFunc) {
			system, start := SystemClock(), time.Now()
			o.Clock = func() Reading {
				r := system()
				if time.Since(start) > 30*time.Millisecond {
					r.Wall = r.Wall.Add(-2 * time.Second)
				}
				return r
			}
		}, recording.EndAllReady, []string{recording.ProblemClockStep, recording.ProblemClockStep}, "", 50*time.Millisecond - 2*time.Second},
		{"an API server's clock that is stepped", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			time.AfterFunc(30*time.Millisecond, func() { w.mu.Lock(); w.offset = -time.Second; w.mu.Unlock() })
		}, recording.EndAllReady, []string{recording.ProblemClockStep}, "", 50 * time.Millisecond},
		{"an API server whose clock is ahead", func(w *world, _ *Options, _ context.CancelCauseFunc) { w.offset = time.Second },
			recording.EndAllReady, []string{recording.ProblemClockOffset}, "", 50 * time.Millisecond},
		{"an audit log that is rotated", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.audit("create", "pods", strings.Repeat("x", 512), "", 201, time.Now(), "")
			time.AfterFunc(30*time.Millisecond, func() { w.mu.Lock(); w.log.Reset(); w.mu.Unlock() })
		}, recording.EndAllReady, []string{recording.ProblemAuditGap}, "", 50 * time.Millisecond},
		{"an audit log with broken lines", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			time.AfterFunc(30*time.Millisecond, func() { w.mu.Lock(); w.log.WriteString("?\n"); w.mu.Unlock() })
		}, recording.EndAllReady, []string{recording.ProblemAuditGap}, "", 50 * time.Millisecond},
		{"an audit log without markers", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.client.PrependReactor("get", "configmaps", func(a clienttesting.Action) (bool, runtime.Object, error) {
				return true, nil, apierrors.NewNotFound(corev1.Resource("configmaps"), a.(clienttesting.GetAction).GetName())
			})
		}, recording.EndAllReady, []string{recording.ProblemAuditGap}, "", 50 * time.Millisecond},
		{"an audit log that cannot be read", func(w *world, _ *Options, _ context.CancelCauseFunc) {
			w.cluster.auditError = errors.New("disk on fire")
		},
			recording.EndAllReady, []string{recording.ProblemAuditGap}, "", 50 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				o := w.options(3)
				c.arrange(w, &o, cancel)
				b, err := Run(ctx, o)
				if b.EndReason != c.reason {
					t.Errorf("ended %q, want %q", b.EndReason, c.reason)
				}
				if got := codes(b); !slices.Equal(got, slices.Concat([]string{}, c.codes)) {
					t.Errorf("problems %v, want %v", b.Problems, c.codes)
				}
				if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
					t.Errorf("error %v, want %q", err, c.err)
				}
				if got := b.End.Sub(b.Submit); got != c.after {
					t.Errorf("ended %v after submission, want %v", got, c.after)
				}
				if b.Submit.IsZero() {
					t.Error("a submitted burst without its time")
				}
				// Let the Job controller's goroutines end.
				time.Sleep(5 * time.Second)
			})
		})
	}
}

func TestWhatAProviderCannotGiveIsNoProblem(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.cluster.auditError = fmt.Errorf("audit log: %w", clusters.ErrUnsupported)
		w.cluster.metricsError = fmt.Errorf("metrics: %w", clusters.ErrUnsupported)
		b, err := Run(t.Context(), w.options(1))
		if err != nil || len(b.Problems) != 0 || len(b.MetricsErrors) != 0 {
			t.Errorf("problems %v, metrics errors %v, error %v", b.Problems, b.MetricsErrors, err)
		}
		if !strings.Contains(b.AuditUnavailable, "audit log") || len(b.Metrics) != 1 {
			t.Errorf("unavailable %q, metrics of %d instances", b.AuditUnavailable, len(b.Metrics))
		}
	})
}

func TestMetricsThatFailAreTold(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.cluster.metricsError = errors.New("connection refused")
		b, _ := Run(t.Context(), w.options(1))
		if got, want := b.MetricsErrors["kubelet-node-1"], "before the burst: connection refused; after the burst: connection refused"; got != want {
			t.Errorf("metrics errors %q, want %q", got, want)
		}
	})
}

func TestNothingIsAskedDuringABurst(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.life = func(*world, *corev1.Pod, int) {}
		o := w.options(5)
		time.AfterFunc(200*time.Millisecond, w.client.ClearActions)
		during := make(chan []clienttesting.Action, 1)
		time.AfterFunc(9*time.Second, func() { during <- w.client.Actions() })
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if asked := <-during; len(asked) != 0 {
			t.Errorf("requests while the burst was waited for: %v", asked)
		}
		if w.cluster.scrapes != 4 {
			t.Errorf("%d scrapes of 2 instances, want one before and one after", w.cluster.scrapes)
		}
	})
}

func TestPlansThatCannotWork(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for name, spoil := range map[string]func(*Options){
			"no pods":       func(o *Options) { o.Load = load.Job{} },
			"no namespace":  func(o *Options) { o.Namespace = "" },
			"no watcher":    func(o *Options) { o.Watcher = nil },
			"an odd run ID": func(o *Options) { o.RunID = "a:b" },
		} {
			o := w.options(1)
			spoil(&o)
			if b, err := Run(t.Context(), o); err == nil || !b.Submit.IsZero() {
				t.Errorf("%s: error %v, submitted %v", name, err, b.Submit)
			}
		}
	})
}

func TestAClientWithALimiterIsRefused(t *testing.T) {
	if _, err := NewClient(&rest.Config{Host: "https://example.invalid"}); err == nil || !strings.Contains(err.Error(), "QPS") {
		t.Errorf("error %v", err)
	}
	if _, err := NewClient(&rest.Config{Host: "https://example.invalid", QPS: -1}); err != nil {
		t.Error(err)
	}
}
