package burst

import (
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/validity"
)

// A cluster that others run gives us no audit log, no processes, and metrics of only
// some components. It refuses whatever the user was not granted.
func TestABurstThatOnlyTheWatchSawIsValid(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.cluster.metricsError = fmt.Errorf("metrics of the kubelet: %w: not allowed", clusters.ErrUnsupported)
		w.cluster.processError = fmt.Errorf("processes: %w", clusters.ErrUnsupported)
		w.life = func(w *world, pod *corev1.Pod, _ int) { w.start(pod) }
		// The mark in the audit log is refused, too.
		w.client.PrependReactor("get", "configmaps", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(corev1.Resource("configmaps"), "x", errors.New("no"))
		})
		o := w.options(5)
		o.Audit, o.AuditUnavailable = nil, "audit log: not available from this provider"
		b, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		line := timeline.Build(b)
		if problems := validity.Judge(b, line, validity.Options{}); len(problems) != 0 {
			t.Errorf("invalid: %v", problems)
		}
		for i := range line.Pods {
			for _, m := range timeline.Marks() {
				if at, ok := line.Pods[i].Primary(m); ok && at.Source != timeline.Watch {
					t.Errorf("mark %s by %s", m, at.Source)
				}
			}
			if d, _, _, ok := line.Pods[i].Duration(timeline.Phase{From: timeline.Submit, To: timeline.Observed}); !ok || d <= 0 {
				t.Errorf("total %v, %t", d, ok)
			}
		}
		want := map[string]string{"kubelet-node-1": "metrics of the kubelet: not available from this provider: not allowed"}
		if got := b.MetricsUnavailable; len(got) != 1 || got["kubelet-node-1"] != want["kubelet-node-1"] || len(b.MetricsErrors) != 0 {
			t.Errorf("unavailable %q, errors %q", got, b.MetricsErrors)
		}
		if len(b.Metrics) != 1 {
			t.Errorf("metrics of %d instances, want the scheduler's", len(b.Metrics))
		}
	})
}

func TestWhatCannotBeSeenOfTheJobControllerIsWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		effective clusters.Effective
		pods      int
		want      time.Duration
	}{
		// The slowest default bucket fills in 100/50 = 2 s; one request for each of 100 pods takes 100/20 = 5 s.
		"nothing is known": {nil, 100, 7 * time.Second},
		"a slow scheduler": {clusters.Effective{"kube-scheduler": {KubeAPIQPS: 10, KubeAPIBurst: 40}}, 20, 5 * time.Second},
		"no limiter":       {clusters.Effective{"kube-controller-manager": {KubeAPIQPS: -1}}, 100, 2 * time.Second},
	} {
		if got := Blind(c.effective, c.pods); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	inWorld(t, func(t *testing.T, w *world) {
		b := run(w, 10)
		started := time.Now()
		o := w.cleanup()
		o.Effective, o.MinQuiet = nil, 4*time.Second
		if err := Cleanup(t.Context(), &b, o); err != nil {
			t.Fatal(err)
		}
		// One second of grace for the pods, then four.
		if took := time.Since(started); took < 5*time.Second || took > 5200*time.Millisecond {
			t.Errorf("cleanup took %v, want 5 s and little more", took)
		}
	})
}

func TestTheRunsOwnNamespaceIsRemovedAndNoOther(t *testing.T) {
	labels := map[string]string{recording.LabelManagedBy: recording.ManagedBy, recording.LabelRun: runID}
	for name, c := range map[string]struct {
		found *corev1.Namespace
		stays bool
	}{
		"the run's":    {&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: labels}}, false},
		"another's":    {&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, true},
		"another name": {&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default", Labels: labels}}, true},
	} {
		client := fake.NewClientset(c.found)
		if err := DeleteRunNamespace(t.Context(), client, runID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_, err := client.CoreV1().Namespaces().Get(t.Context(), c.found.Name, metav1.GetOptions{})
		if stays := err == nil; stays != c.stays {
			t.Errorf("%s: stays %t, want %t", name, stays, c.stays)
		}
	}
}
