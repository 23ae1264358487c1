package burst

import (
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

func TestLogLinesOfTheBurstsPodsAreRecorded(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		stamp := func(ago time.Duration) string { return time.Now().UTC().Add(-ago).Format("0102 15:04:05.000000") }
		namespace := w.options(1).Namespace
		event := func(ago time.Duration, ns, reason string) string {
			return "I" + stamp(ago) + `       1 event.go:395] "Event occurred" object="` + ns + `/p1" fieldPath="spec.containers{c}" kind="Pod" apiVersion="v1" type="Normal" reason="` + reason + `" message="Container x"` + "\n"
		}
		w.cluster.logs = map[clusters.Component]string{
			clusters.Kubelet: event(time.Hour, namespace, "Created") + // of an earlier burst
				event(-time.Millisecond, namespace, "Created") + event(-2*time.Millisecond, namespace, "Started") +
				event(-time.Millisecond, "kube-system", "Started"),
		}
		b := run(w, 1)
		if len(b.Logs) != 2 || b.Logs[0].Kind != recording.LogCreated || b.Logs[1].Kind != recording.LogStarted || b.Logs[0].Instance != "kubelet-node-1" {
			t.Errorf("recorded %+v, want the two lines about the burst's pod", b.Logs)
		}
		if !strings.Contains(b.LogsUnavailable, "kube-scheduler") || strings.Contains(b.LogsUnavailable, "kubelet") {
			t.Errorf("unavailable: %q, want the scheduler's alone", b.LogsUnavailable)
		}
	})
}

func TestALogThatBeginsWithinTheBurstIsToldNotTrusted(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.cluster.logs = map[clusters.Component]string{clusters.Kubelet: "I" + time.Now().UTC().Add(time.Second).Format("0102 15:04:05.000000") + "       1 x.go:1] \"after rotation\"\n"}
		b := run(w, 1)
		if !strings.Contains(b.LogsUnavailable, "kubelet-node-1") || !strings.Contains(b.LogsUnavailable, "rotated") {
			t.Errorf("unavailable: %q", b.LogsUnavailable)
		}
	})
}

func TestLoggedWaitsAreRecordedOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		wait := func(ago time.Duration, source string) string {
			return "I" + time.Now().UTC().Add(-ago).Format("0102 15:04:05.000000") + "       1 " + source +
				`] "Waited before sending request" delay="1.5s" reason="client-side throttling, not priority and fairness" verb="POST" URL="https://127.0.0.1/api/v1/namespaces/x/pods"` + "\n"
		}
		w.cluster.logs = map[clusters.Component]string{
			// An earlier burst's; then one wait, which client-go at -v=3 writes for both of its levels.
			clusters.KubeScheduler: wait(time.Hour, "request.go:754") + wait(-time.Millisecond, "request.go:685") + wait(-time.Millisecond, "request.go:754"),
		}
		b := run(w, 1)
		if len(b.Logs) != 1 || b.Logs[0].Kind != recording.LogThrottled || b.Logs[0].WaitSeconds != 1.5 || b.Logs[0].Instance != "kube-scheduler" {
			t.Errorf("recorded %+v, want one wait", b.Logs)
		}
	})
}
