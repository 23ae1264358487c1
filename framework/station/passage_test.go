package station

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// with adds requests to a burst of 100 pods and returns the instance's limiter.
func with(t *testing.T, instance string, extra func(i int, like recording.AuditEvent) recording.AuditEvent) Limiter {
	t.Helper()
	b := synthetic.Burst(synthetic.Options{Pods: 100, Index: 1})
	like := recording.AuditEvent{}
	for _, e := range b.Audit {
		whose := map[string]bool{
			"kube-controller-manager": e.Verb == "create" && e.Resource == "pods" && e.Subresource == "",
			"kube-scheduler":          e.Subresource == "binding",
			"kubelet-node-1":          e.Subresource == "status" && e.User == "system:node:node-1",
		}
		if whose[instance] {
			like = e
			break
		}
	}
	for i := range 10 {
		b.Audit = append(b.Audit, extra(i, like))
	}
	for _, l := range Attribute(b, timeline.Build(b), clusters.Effective{
		"kube-controller-manager": {KubeAPIQPS: 20, KubeAPIBurst: 30}, "kube-scheduler": {KubeAPIQPS: 50, KubeAPIBurst: 100},
		"kubelet-node-1": {KubeAPIQPS: 50, KubeAPIBurst: 100},
	}) {
		if l.Component == instance {
			return l
		}
	}
	t.Fatal("no limiter")
	return Limiter{}
}

func event(_ int, e recording.AuditEvent) recording.AuditEvent {
	return recording.AuditEvent{Verb: "create", Resource: "events", Namespace: e.Namespace, User: e.User, UserAgent: e.UserAgent, Code: 201, Received: e.Received.Add(time.Millisecond), Completed: e.Completed}
}

func TestWhatCountsAgainstABucket(t *testing.T) {
	for name, c := range map[string]struct {
		instance string
		extra    func(int, recording.AuditEvent) recording.AuditEvent
		passed   int
	}{
		"the Job controller's Events share its bucket": {"kube-controller-manager", event, 110},
		"another controller has a bucket of its own": {"kube-controller-manager", func(i int, e recording.AuditEvent) recording.AuditEvent {
			e = event(i, e)
			e.UserAgent += "/namespace-controller"
			return e
		}, 100},
		"requests after the last creation do not delay it": {"kube-controller-manager", func(i int, e recording.AuditEvent) recording.AuditEvent {
			e = event(i, e)
			e.Received = e.Received.Add(time.Hour)
			return e
		}, 100},
		"the scheduler's Events have a client of their own": {"kube-scheduler", event, 100},
		"a kubelet's Events have a client of their own":     {"kubelet-node-1", event, 300},
		"heartbeats have no limiter": {"kubelet-node-1", func(i int, e recording.AuditEvent) recording.AuditEvent {
			e = event(i, e)
			e.Resource = "leases"
			return e
		}, 300},
		"watches take no token": {"kubelet-node-1", func(i int, e recording.AuditEvent) recording.AuditEvent {
			e = event(i, e)
			e.Verb, e.Resource = "watch", "configmaps"
			return e
		}, 300},
		"a kubelet's token requests count": {"kubelet-node-1", func(i int, e recording.AuditEvent) recording.AuditEvent {
			e = event(i, e)
			e.Resource, e.Subresource = "serviceaccounts", "token"
			return e
		}, 310},
		// 150 writes and the 10 reads that were recorded; the other reads then did not happen.
		"recorded reads are not doubled": {"kubelet-node-1", func(i int, e recording.AuditEvent) recording.AuditEvent {
			e = event(i, e)
			e.Verb, e.Resource = "get", "pods"
			return e
		}, 160},
	} {
		t.Run(name, func(t *testing.T) {
			l := with(t, c.instance, c.extra)
			if l.PassedRequests != c.passed || !l.audited() {
				t.Errorf("%d requests, want %d: %+v", l.PassedRequests, c.passed, l)
			}
			if want := stats.SecondsOf(Spread(c.passed, l.limits)); l.FloorSeconds != want {
				t.Errorf("floor %v, want %v", l.FloorSeconds, want)
			}
		})
	}
}

func TestALogWithoutTheJobControllersEventsStillShowsItsWaits(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Pods: 120, Index: 1})
	// Of 120 requests that waited for each other, every fifth is not in the log.
	b.Audit = slices.DeleteFunc(b.Audit, func(e recording.AuditEvent) bool {
		return e.Resource == "pods" && e.Verb == "create" && e.Subresource == "" && strings.HasSuffix(e.Name, "5")
	})
	for _, l := range Attribute(b, timeline.Build(b), clusters.Effective{"kube-controller-manager": {KubeAPIQPS: 20, KubeAPIBurst: 30}}) {
		if l.Component == "kube-controller-manager" && (!l.HeldUp || l.HeldSeconds < l.FloorSeconds) {
			t.Errorf("%+v, want at least the floor", l)
		}
	}
}

func TestAKubeletThatPacesItsStatusWritesIsNotBurstyForItsEvents(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Pods: 40, Index: 1, Nodes: 1, Kubelet: clusters.Limits{KubeAPIQPS: 5, KubeAPIBurst: 10}})
	// 240 reads and writes, one after the other: each waited for its own token
	// alone. As many Events went through another client at once.
	pair := b.Metrics["kubelet-node-1"]
	pair.Before, pair.After = exposed(0, 0, 0, 0, 0), exposed(46, 254, 254, 484, 484)
	b.Metrics["kubelet-node-1"] = pair
	for _, l := range Attribute(b, timeline.Build(b), clusters.Effective{"kubelet-node-1": {KubeAPIQPS: 5, KubeAPIBurst: 10}}) {
		if l.Component == "kubelet-node-1" && (l.Regime != Pacing || l.PassedRequests != 240 || l.FloorSeconds != 46) {
			t.Errorf("%+v", l)
		}
	}
}
