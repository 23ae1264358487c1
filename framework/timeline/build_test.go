package timeline_test

import (
	"slices"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

var start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

const ms = time.Millisecond

// history composes a burst by hand, in milliseconds after start.
type history struct{ b recording.Burst }

func newHistory(pods int) *history {
	return &history{recording.Burst{
		Profile: "default", Index: 1, Pods: pods, Namespace: "ns", Workload: recording.Job("job", "job-uid"), BurstID: "b",
		Submit: start, End: start.Add(time.Minute),
	}}
}

func (h *history) audit(at int, e recording.AuditEvent) *history {
	e.Namespace = "ns"
	if e.Code == 0 {
		e.Code = 200
	}
	e.Received, e.Completed = start.Add(time.Duration(at-2)*ms), start.Add(time.Duration(at)*ms)
	h.b.Audit = append(h.b.Audit, e)
	return h
}

func (h *history) job(at int) *history {
	return h.audit(at, recording.AuditEvent{Verb: "create", APIGroup: "batch", Resource: "jobs", Name: "job", UID: "job-uid", Code: 201})
}

func (h *history) created(at int, uid, name string) *history {
	return h.audit(at, recording.AuditEvent{Verb: "create", Resource: "pods", Name: name, UID: uid, OwnerUID: "job-uid", BurstID: "b", Code: 201})
}

func (h *history) bound(at int, uid, name string) *history {
	return h.audit(at, recording.AuditEvent{Verb: "create", Resource: "pods", Subresource: "binding", Name: name, UID: uid, TargetNode: "n1", Code: 201})
}

func (h *history) status(at int, uid, name, agent string, s recording.StatusChange) *history {
	return h.audit(at, recording.AuditEvent{Verb: "patch", Resource: "pods", Subresource: "status", Name: name, UID: uid, UserAgent: agent, Status: &s})
}

func (h *history) seen(at int, uid string, o recording.Observation) *history {
	o.At, o.UID, o.Namespace = start.Add(time.Duration(at)*ms), uid, "ns"
	if o.OwnerUID == "" {
		o.OwnerUID, o.BurstID = "job-uid", "b"
	}
	if o.Type == "" {
		o.Type = "modified"
	}
	h.b.Watch = append(h.b.Watch, o)
	return h
}

func is(kind, status string) recording.Condition {
	return recording.Condition{Type: kind, Status: status}
}

// States of a pod as the watcher sees them.
var (
	fresh    = recording.Observation{Type: "added", Phase: "Pending"}
	bound    = recording.Observation{Phase: "Pending", Node: "n1"}
	accepted = recording.Observation{Phase: "Pending", Node: "n1", Conditions: []recording.Condition{is("PodReadyToStartContainers", "False")}}
	running  = recording.Observation{Phase: "Running", Node: "n1", Containers: recording.Containers{Total: 1, Running: 1},
		Conditions: []recording.Condition{is("PodReadyToStartContainers", "True"), is("Ready", "False")}}
	ready = recording.Observation{Phase: "Running", Node: "n1", Containers: recording.Containers{Total: 1, Running: 1, Ready: 1},
		Conditions: []recording.Condition{is("PodReadyToStartContainers", "True"), is("Ready", "True")}}
)

// primary returns a pod's primary marks, each as "<source>@<ms after start>".
func primary(p *timeline.Pod) map[timeline.Mark]string {
	got := map[timeline.Mark]string{}
	for _, m := range timeline.Marks() {
		if s, ok := p.Primary(m); ok {
			got[m] = string(s.Source) + "@" + s.At.Sub(start).String()
		}
	}
	return got
}

func checkPrimary(t *testing.T, p *timeline.Pod, want map[timeline.Mark]string) {
	t.Helper()
	got := primary(p)
	for _, m := range timeline.Marks() {
		if got[m] != want[m] {
			t.Errorf("pod %s: %v is %q, want %q", p.UID, m, got[m], want[m])
		}
	}
}

func TestTheAuditLogIsThePrimarySource(t *testing.T) {
	h := newHistory(1).job(2).created(10, "u", "p").bound(20, "u", "p").
		status(25, "u", "p", "kube-scheduler/v1", recording.StatusChange{}). // no kubelet: not the acceptance
		status(30, "u", "p", "kubelet/v1.37.2", recording.StatusChange{Conditions: []recording.Condition{is("Ready", "False")}}).
		status(40, "u", "p", "kubelet/v1.37.2", recording.StatusChange{Conditions: []recording.Condition{is("PodReadyToStartContainers", "True")}}).
		status(50, "u", "p", "kubelet/v1.37.2", recording.StatusChange{Phase: "Running", Containers: &recording.Containers{Total: 1, Running: 1}}).
		status(60, "u", "p", "kubelet/v1.37.2", recording.StatusChange{Conditions: []recording.Condition{is("Ready", "True")}}).
		status(70, "u", "p", "kubelet/v1.37.2", recording.StatusChange{Phase: "Running", Conditions: []recording.Condition{is("Ready", "True")}}) // again: too late
	h.seen(11, "u", fresh).seen(21, "u", bound).seen(31, "u", accepted).seen(49, "u", running).seen(61, "u", ready)

	tl := timeline.Build(h.b)
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{
		timeline.Submit: "audit@0s", // received, 2 ms before the answer
		timeline.Create: "audit@10ms", timeline.Schedule: "audit@20ms", timeline.Accept: "audit@30ms",
		timeline.Sandbox: "audit@40ms", timeline.Started: "audit@50ms", timeline.Run: "audit@50ms", timeline.Ready: "audit@60ms",
		timeline.Observed: "watch@49ms", // received before the answer to the write was stamped
	})
	s, _ := tl.Pods[0].Primary(timeline.Create)
	if s.Since != 2*ms || s.Resolution != time.Microsecond {
		t.Errorf("create has since %v and resolution %v, want 2ms and 1µs", s.Since, s.Resolution)
	}
	if got := tl.Pods[0].Marks[timeline.Create]; len(got) != 2 || got[1].Source != timeline.Watch {
		t.Errorf("readings of create are %v, want audit and watch", got)
	}
	if d, ok := tl.Makespan(); !ok || d != 60*ms {
		t.Errorf("makespan is %v (%v), want 60ms", d, ok)
	}
}

func TestWithoutAuditTheWatchServes(t *testing.T) {
	h := newHistory(1).seen(11, "u", fresh).seen(21, "u", bound).seen(31, "u", accepted).seen(49, "u", running).seen(61, "u", ready)
	tl := timeline.Build(h.b)
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{
		timeline.Submit: "watch@0s", timeline.Create: "watch@11ms", timeline.Schedule: "watch@21ms", timeline.Accept: "watch@31ms",
		timeline.Sandbox: "watch@49ms", timeline.Started: "watch@49ms", timeline.Run: "watch@49ms", timeline.Ready: "watch@61ms",
		timeline.Observed: "watch@49ms",
	})
	if want := []timeline.Mark{timeline.Created}; !slices.Equal(tl.Unavailable, want) {
		t.Errorf("unavailable marks are %v, want %v", tl.Unavailable, want)
	}
}

// Other tools get this wrong: they report 0 ms for a pod first seen Running.
func TestAPodFirstSeenPastAMarkLacksIt(t *testing.T) {
	onlyFields := map[timeline.Mark]string{timeline.Submit: "watch@0s"}
	for name, c := range map[string]struct {
		h    *history
		want map[timeline.Mark]string
	}{
		"first event shows it running": {newHistory(1).seen(50, "u", ready), onlyFields},
		"first event shows it bound": {newHistory(1).seen(50, "u", bound).seen(60, "u", ready), map[timeline.Mark]string{
			timeline.Submit: "watch@0s", timeline.Accept: "watch@60ms", timeline.Sandbox: "watch@60ms", timeline.Started: "watch@60ms",
			timeline.Run: "watch@60ms", timeline.Ready: "watch@60ms", timeline.Observed: "watch@60ms",
		}},
		"first seen by a relist": {newHistory(1).seen(50, "u", recording.Observation{Initial: true, Phase: "Pending"}), onlyFields},
	} {
		t.Run(name, func(t *testing.T) {
			tl := timeline.Build(c.h.b)
			checkPrimary(t, &tl.Pods[0], c.want)
			if !tl.Pods[0].Late {
				t.Error("the pod is not late")
			}
		})
	}
}

func TestWhatARelistShowsFirstIsMissing(t *testing.T) {
	relisted := ready
	relisted.Initial = true
	tl := timeline.Build(newHistory(1).seen(11, "u", fresh).seen(21, "u", bound).seen(900, "u", relisted).seen(901, "u", ready).b)
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{
		timeline.Submit: "watch@0s", timeline.Create: "watch@11ms", timeline.Schedule: "watch@21ms",
	})
	p := tl.Pods[0]
	if p.Late || p.Outcome != timeline.OutcomeReady {
		t.Errorf("late %v, outcome %v; want a ready pod that was seen in time", p.Late, p.Outcome)
	}
	if len(tl.Completion) != 0 {
		t.Errorf("completion is %v, want none without a ready mark", tl.Completion)
	}
	if _, ok := tl.Makespan(); ok {
		t.Error("there is a makespan without the ready mark of every pod")
	}
	if slices.Contains(tl.Unavailable, timeline.Run) {
		t.Error("a mark that a gap swallowed counts as unavailable")
	}
}

// A short-lived container may go Pending → Succeeded without Running in between.
func TestAPodThatWasNeverSeenRunningHasNoRunMark(t *testing.T) {
	succeeded := recording.Observation{Phase: "Succeeded", Node: "n1", Containers: recording.Containers{Total: 1, Terminated: 1},
		Conditions: []recording.Condition{is("PodReadyToStartContainers", "False"), is("Ready", "False")}}
	h := newHistory(1).created(10, "u", "p").bound(20, "u", "p").
		status(40, "u", "p", "kubelet/v1", recording.StatusChange{Phase: "Succeeded", Containers: &recording.Containers{Total: 1, Terminated: 1}}).
		seen(11, "u", fresh).seen(21, "u", bound).seen(41, "u", succeeded)
	tl := timeline.Build(h.b)
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{
		timeline.Submit: "watch@0s", timeline.Create: "audit@10ms", timeline.Schedule: "audit@20ms", timeline.Accept: "audit@40ms",
	})
	if tl.Accounting.Ready != 1 || len(tl.Completion) != 0 {
		t.Errorf("accounting %+v, completion %v; want a pod that counts and has no time", tl.Accounting, tl.Completion)
	}
}

func TestOnlySuccessfulWritesCount(t *testing.T) {
	h := newHistory(1)
	h.audit(1, recording.AuditEvent{Verb: "create", APIGroup: "batch", Resource: "jobs", Name: "job", Code: 500})
	h.audit(5, recording.AuditEvent{Verb: "create", Resource: "pods", Name: "p", UID: "u", OwnerUID: "job-uid", Code: 403})
	h.job(8).created(10, "u", "p")
	h.audit(15, recording.AuditEvent{Verb: "create", Resource: "pods", Subresource: "binding", Name: "p", UID: "u", Code: 409})
	h.bound(20, "u", "p")
	h.audit(25, recording.AuditEvent{Verb: "patch", Resource: "pods", Subresource: "status", Name: "p", UID: "u", User: "system:node:n1", Code: 409})
	h.audit(30, recording.AuditEvent{Verb: "patch", Resource: "pods", Subresource: "status", Name: "p", UID: "u", User: "system:node:n1"})
	tl := timeline.Build(h.b)
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{
		timeline.Submit: "audit@6ms", timeline.Create: "audit@10ms", timeline.Schedule: "audit@20ms", timeline.Accept: "audit@30ms",
	})
}

func TestPodsOfOneNameAreToldApartByTime(t *testing.T) {
	// The first pod is bound and goes away, and another one takes its name. Neither
	// bindings nor statuses name a UID.
	h := newHistory(2).created(10, "first", "p").bound(20, "", "p").status(30, "", "p", "kubelet/v1", recording.StatusChange{}).
		created(110, "second", "p").bound(120, "", "p").status(130, "", "p", "kubelet/v1", recording.StatusChange{})
	h.seen(11, "first", recording.Observation{Type: "added", Name: "p"}).seen(111, "second", recording.Observation{Type: "added", Name: "p"})
	tl := timeline.Build(h.b)
	if len(tl.Pods) != 2 {
		t.Fatalf("%d pods, want 2", len(tl.Pods))
	}
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{
		timeline.Submit: "watch@0s", timeline.Create: "audit@10ms", timeline.Schedule: "audit@20ms", timeline.Accept: "audit@30ms",
	})
	checkPrimary(t, &tl.Pods[1], map[timeline.Mark]string{
		timeline.Submit: "watch@0s", timeline.Create: "audit@110ms", timeline.Schedule: "audit@120ms", timeline.Accept: "audit@130ms",
	})
}

func TestACreationWithoutUIDJoinsByName(t *testing.T) {
	h := newHistory(1).seen(11, "u", recording.Observation{Type: "added", Name: "p"}).created(10, "", "p")
	tl := timeline.Build(h.b)
	checkPrimary(t, &tl.Pods[0], map[timeline.Mark]string{timeline.Submit: "watch@0s", timeline.Create: "audit@10ms"})
}

func TestEveryExpectedPodIsAccountedFor(t *testing.T) {
	failed := ready
	failed.Phase = "Failed"
	gone := ready
	gone.Type = "deleted"
	full := func(h *history, uid string, last ...recording.Observation) *history {
		h.seen(10, uid, fresh).seen(20, uid, bound).seen(30, uid, ready)
		for i, o := range last {
			h.seen(40+i, uid, o)
		}
		return h
	}
	other := fresh
	other.OwnerUID, other.BurstID = "other-job", "b"
	h := newHistory(5)
	for name, c := range map[string]struct {
		h    *history
		want timeline.Accounting
	}{
		"nothing was seen":            {newHistory(3), timeline.Accounting{Expected: 3, Lost: 3}},
		"one is ready, others unseen": {full(newHistory(3), "a"), timeline.Accounting{Expected: 3, Ready: 1, Lost: 2}},
		"one failed after it was ready": {full(newHistory(1), "a", failed),
			timeline.Accounting{Expected: 1, Failed: 1}},
		"one deleted after it was ready": {full(newHistory(1), "a", gone), timeline.Accounting{Expected: 1, Lost: 1}},
		"one still pending":              {full(newHistory(2).seen(10, "b", fresh), "a"), timeline.Accounting{Expected: 2, Ready: 1, Pending: 1}},
		"one more than expected":         {full(full(newHistory(1), "a"), "b"), timeline.Accounting{Expected: 1, Ready: 1, Replaced: 1}},
		"another owner's pod": {full(newHistory(1), "a").seen(10, "x", other),
			timeline.Accounting{Expected: 1, Ready: 1, Foreign: 1}},
		"a pod that nobody made": {newHistory(1).created(10, "a", "p"), timeline.Accounting{Expected: 1, Pending: 1}},
		"zero pods":              {newHistory(0), timeline.Accounting{}},
		"no job uid": {func() *history { h := full(newHistory(1), "a"); h.b.Workload.UID = ""; return h }(),
			timeline.Accounting{Expected: 1, Lost: 1, Foreign: 1}},
		"no job uid but the audit's": {func() *history { h := full(newHistory(1), "a").job(2); h.b.Workload.UID = ""; return h }(),
			timeline.Accounting{Expected: 1, Ready: 1}},
		"pods that a Deployment's ReplicaSet made, and one of no burst": {func() *history {
			h := newHistory(1).seen(10, "a", recording.Observation{OwnerUID: "replicaset-uid", BurstID: "b", Type: "added"})
			h.seen(11, "x", recording.Observation{OwnerUID: "replicaset-uid", Type: "added"})
			h.b.Workload.ByLabel = true
			return h
		}(), timeline.Accounting{Expected: 1, Pending: 1, Foreign: 1}},
		"everything at once": {full(full(full(h, "a"), "b", failed), "c", gone).seen(10, "d", fresh).seen(11, "x", other),
			timeline.Accounting{Expected: 5, Ready: 1, Failed: 1, Lost: 2, Pending: 1, Foreign: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			got := timeline.Build(c.h.b).Accounting
			if got != c.want || !got.Balanced() {
				t.Errorf("accounting is %+v, want %+v", got, c.want)
			}
		})
	}
}

// What happens after the burst (its cleanup) does not count against it.
func TestNothingAfterTheEndCounts(t *testing.T) {
	gone := ready
	gone.Type = "deleted"
	h := newHistory(2).seen(10, "a", fresh).seen(20, "a", bound).seen(30, "a", ready).seen(11, "b", fresh).seen(200, "b", bound).seen(300, "a", gone)
	h.status(250, "b", "p", "kubelet/v1", recording.StatusChange{Conditions: []recording.Condition{is("Ready", "True")}})
	h.b.End = start.Add(100 * ms)
	tl := timeline.Build(h.b)
	if want := (timeline.Accounting{Expected: 2, Ready: 1, Pending: 1}); tl.Accounting != want {
		t.Errorf("accounting is %+v, want %+v", tl.Accounting, want)
	}
	// The answer to the last pod's status may be stamped after the watcher saw it.
	h = newHistory(1).created(10, "a", "p").status(101, "a", "p", "kubelet/v1", recording.StatusChange{Conditions: []recording.Condition{is("Ready", "True")}})
	h.b.End = start.Add(100 * ms)
	if tl := timeline.Build(h.b); tl.Accounting.Ready != 1 {
		t.Errorf("accounting is %+v, want the request that began before the end to count", tl.Accounting)
	}
}

func TestASandboxConditionThatNoPodHasIsUnavailable(t *testing.T) {
	old := ready
	old.Conditions = []recording.Condition{is("Ready", "True")}
	tl := timeline.Build(newHistory(1).seen(10, "a", fresh).seen(20, "a", bound).seen(30, "a", old).b)
	if want := []timeline.Mark{timeline.Sandbox, timeline.Created}; !slices.Equal(tl.Unavailable, want) {
		t.Errorf("unavailable marks are %v, want %v", tl.Unavailable, want)
	}
	for _, ph := range timeline.Phases() {
		if ph.Name == "accept_to_sandbox" && tl.Available(ph) || ph.Name == "submit_to_create" && !tl.Available(ph) {
			t.Errorf("phase %s: wrong availability", ph.Name)
		}
	}
}

func TestWholeSecondFieldsAreNeverPrimary(t *testing.T) {
	o := ready
	o.Created, o.Containers.StartedAt = start, start.Add(time.Second)
	h := newHistory(1).seen(1500, "u", o)
	h.b.Events = []recording.KubeEvent{{Reason: "Created", Kind: "Pod", UID: "u", FirstTimestamp: start.Add(time.Second)}}
	p := timeline.Build(h.b).Pods[0]
	for m, want := range map[timeline.Mark]time.Duration{timeline.Create: 0, timeline.Started: time.Second, timeline.Created: time.Second} {
		if _, ok := p.Primary(m); ok {
			t.Errorf("%v has a primary reading", m)
		}
		got := p.Marks[m]
		if len(got) != 1 || got[0].Source != timeline.API || !got[0].At.Equal(start.Add(want)) || got[0].Resolution != time.Second {
			t.Errorf("readings of %v are %v, want the field's", m, got)
		}
	}
}

func TestASyntheticBurstIsWhole(t *testing.T) {
	for name, o := range map[string]synthetic.Options{
		"one pod": {Pods: 1, Index: 1}, "100 pods": {Pods: 100, Index: 1}, "no audit log": {Pods: 20, Index: 1, NoAudit: true},
	} {
		t.Run(name, func(t *testing.T) {
			tl := timeline.Build(synthetic.Burst(o))
			if a := tl.Accounting; a.Ready != o.Pods || a.Foreign != 0 || a.Replaced != 0 {
				t.Errorf("accounting is %+v, want %d ready", a, o.Pods)
			}
			if len(tl.Completion) != o.Pods || !slices.IsSorted(tl.Completion) {
				t.Errorf("completion curve has %d points, want %d that rise", len(tl.Completion), o.Pods)
			}
			for i := range tl.Pods {
				for _, m := range timeline.Marks() {
					if _, ok := tl.Pods[i].Primary(m); !ok && m != timeline.Created {
						t.Errorf("pod %s lacks %v", tl.Pods[i].Name, m)
					}
				}
			}
		})
	}
}
