package burst

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
)

// effective are the defaults: the slowest bucket fills in 100/50 = 2 s.
var effective = clusters.Effective{
	"kube-controller-manager": {KubeAPIQPS: 20, KubeAPIBurst: 30},
	"kube-scheduler":          {KubeAPIQPS: 50, KubeAPIBurst: 100},
}

func (w *world) cleanup() CleanupOptions {
	return CleanupOptions{Load: load.Job{}, Client: w.client, Watcher: w.watcher, Effective: effective}
}

func run(w *world, pods int) recording.Burst {
	w.t.Helper()
	b, err := Run(w.t.Context(), w.options(pods))
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

func TestCleanupWaitsForPodsAndBuckets(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		b := run(w, 40)
		started := time.Now()
		if err := Cleanup(t.Context(), &b, w.cleanup()); err != nil {
			t.Fatal(err)
		}
		// One second of grace, then two until the scheduler's bucket is full.
		if took := time.Since(started); took < 3*time.Second || took > 3200*time.Millisecond {
			t.Errorf("cleanup took %v, want 3 s and little more", took)
		}
		if b.CleanupSeconds < 3 || b.CleanupSeconds > 5 {
			t.Errorf("%v s from the end of the burst", b.CleanupSeconds)
		}
		var patches, deletes int
		for _, a := range w.client.Actions() {
			switch {
			case a.Matches("patch", "pods"):
				patches++
			case a.Matches("delete", "pods"):
				deletes++
			}
		}
		if patches != 40 || deletes != 40 {
			t.Errorf("%d patches and %d deletions for 40 pods", patches, deletes)
		}
		if err := Cleanup(t.Context(), &b, w.cleanup()); err == nil {
			t.Error("a burst was cleaned up twice")
		}

		o := w.options(2)
		o.Index = 2
		second, err := Run(t.Context(), o)
		if err != nil || len(second.Watch) != 6 || second.EndReason != recording.EndAllReady {
			t.Errorf("the next burst: %s, %d observations, %v", second.EndReason, len(second.Watch), err)
		}
	})
}

func TestCleanupOfARefusedJobStillWaits(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.client.PrependReactor("create", "jobs", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(corev1.Resource("jobs"), "x", errors.New("no"))
		})
		b, _ := Run(t.Context(), w.options(1))
		started := time.Now()
		if err := Cleanup(t.Context(), &b, w.cleanup()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took != 2*time.Second {
			t.Errorf("took %v, want the buckets' 2 s", took)
		}
	})
}

func TestAHugeBucketIsNotWaitedFor(t *testing.T) {
	c := cleaner{CleanupOptions: CleanupOptions{MaxQuiet: 10 * time.Second, Effective: clusters.Effective{
		"kube-scheduler": {KubeAPIQPS: 1, KubeAPIBurst: 10_000}, "kubelet-node-1": {KubeAPIQPS: -1, KubeAPIBurst: 5},
	}}}
	if got := c.quiet(); got != 10*time.Second {
		t.Errorf("quiet for %v, want the cap", got)
	}
}

func TestAForbiddenPatchLeavesItToTheController(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		b := run(w, 3)
		w.client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(corev1.Resource("pods"), "x", errors.New("no"))
		})
		time.AfterFunc(4*time.Second, w.free)
		started := time.Now()
		if err := Cleanup(t.Context(), &b, w.cleanup()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(started); took < 6*time.Second || took > 6200*time.Millisecond {
			t.Errorf("took %v, want 4 s for the controller and 2 s for the buckets", took)
		}
	})
}

func TestACleanupThatIsStuckNamesWhatRemains(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		b := run(w, 7)
		w.client.PrependReactor("patch", "pods", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, errors.New("connection refused")
		})
		o := w.cleanup()
		o.Timeout = 5 * time.Second
		err := Cleanup(t.Context(), &b, o)
		if err == nil {
			t.Fatal("pods remain, but cleanup is content")
		}
		for _, want := range []string{"7 pods remain", "default-burst-1-000", "…", "not within 5s", "connection refused"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %q lacks %q", err, want)
			}
		}
		w.free()
		time.Sleep(time.Second)
	})
}

func TestNamespaces(t *testing.T) {
	ctx := t.Context()
	client := fake.NewClientset()
	name, err := EnsureNamespace(ctx, client, "20261129-150000")
	if err != nil || name != namespace {
		t.Fatalf("namespace %q, error %v", name, err)
	}
	made, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if err != nil || made.Labels[recording.LabelRun] != runID || made.Labels[recording.LabelManagedBy] != "podburst" {
		t.Errorf("labels %v, error %v", made.Labels, err)
	}
	if _, err := client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{}); err != nil {
		t.Errorf("no default service account: %v", err)
	}
	if _, err := EnsureNamespace(ctx, client, runID); err != nil {
		t.Errorf("the run's own namespace was refused: %v", err)
	}
	made.Labels = nil
	if _, err := client.CoreV1().Namespaces().Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := EnsureNamespace(ctx, client, runID); err == nil || !strings.Contains(err.Error(), "not this run's") {
		t.Errorf("another's namespace: error %v", err)
	}
	if err := DeleteNamespace(ctx, client, name); err != nil {
		t.Error(err)
	}
	if err := DeleteNamespace(ctx, client, name); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

func TestANamespaceThatStaysIsTold(t *testing.T) {
	client := fake.NewClientset(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
	client.PrependReactor("delete", "namespaces", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, nil })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	err := DeleteNamespace(ctx, client, namespace)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), namespace) {
		t.Errorf("error %v", err)
	}
}

func TestNamespaceNames(t *testing.T) {
	for id, want := range map[string]string{
		"20261129-150000": "podburst-20261129-150000", "My.Run_1": "podburst-my-run-1", "a:": "podburst-a",
		strings.Repeat("x", 70): "podburst-" + strings.Repeat("x", 54),
	} {
		if got := NamespaceOf(id); got != want {
			t.Errorf("NamespaceOf(%q) = %q, want %q", id, got, want)
		}
	}
}

// A Job controller that went on patching pods after they were gone left its
// bucket empty for the next burst, whose makespan grew from 4.0 s to 5.8 s.
func TestTheNextBurstIsNotChargedForAControllerThatIsStillBusy(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		o := w.options(3)
		b, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		for i := range 5 {
			time.AfterFunc(time.Duration(i+1)*time.Second, func() {
				w.audit("patch", "pods", "gone", "", 404, time.Now(), "")
			})
		}
		cleanup := w.cleanup()
		cleanup.Audit = o.Audit
		if err := Cleanup(t.Context(), &b, cleanup); err != nil {
			t.Fatal(err)
		}
		// The last patch comes after 5 s; then two more until the slowest bucket is full.
		if took := time.Since(started); took < 7*time.Second || took > 7300*time.Millisecond {
			t.Errorf("cleanup took %v, want 7 s and little more", took)
		}
	})
}

func TestRequestsThatTakeNothingFromTheNextBurst(t *testing.T) {
	for name, c := range map[string]struct {
		event recording.AuditEvent
		want  bool
	}{
		"the Job controller's patch":   {recording.AuditEvent{Resource: "pods", User: "system:serviceaccount:kube-system:job-controller"}, true},
		"the Job controller's Event":   {recording.AuditEvent{Resource: "events", User: "system:serviceaccount:kube-system:job-controller"}, true},
		"a kubelet's status":           {recording.AuditEvent{Resource: "pods", Subresource: "status", User: "system:node:worker-1"}, true},
		"a kubelet's Event":            {recording.AuditEvent{Resource: "events", User: "system:node:worker-1"}, false},
		"the scheduler's Event":        {recording.AuditEvent{Resource: "events", User: "system:kube-scheduler"}, false},
		"the garbage collector's look": {recording.AuditEvent{Resource: "pods", User: garbageCollector}, false},
		"the observer's own request":   {recording.AuditEvent{Resource: "pods", User: "podburst", UserAgent: "podburst-observer/v1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := limited(c.event); got != c.want {
				t.Errorf("limited = %t, want %t", got, c.want)
			}
		})
	}
}
