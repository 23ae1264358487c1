package timeline_test

import (
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

func (h *history) logged(at int, kind, name, container string) *history {
	h.b.Logs = append(h.b.Logs, recording.LogLine{At: start.Add(time.Duration(at) * ms), Kind: kind, Namespace: "ns", Name: name, Container: container, Node: "n1"})
	return h
}

func phase(t *testing.T, name string) timeline.Phase {
	t.Helper()
	for _, ph := range timeline.Phases() {
		if ph.Name == name {
			return ph
		}
	}
	t.Fatalf("no phase %q", name)
	return timeline.Phase{}
}

func TestLogLinesGiveTheThreeStageView(t *testing.T) {
	h := newHistory(1).job(2).created(10, "u1", "p1").bound(30, "u1", "p1").
		status(500, "u1", "p1", "kubelet/v1", recording.StatusChange{Phase: "Running",
			Conditions: []recording.Condition{{Type: "Ready", Status: "True"}},
			Containers: &recording.Containers{Total: 2, Running: 2, Ready: 2}}).
		logged(31, recording.LogBound, "p1", "").
		logged(100, recording.LogCreated, "p1", "a").logged(120, recording.LogCreated, "p1", "b").
		logged(130, recording.LogStarted, "p1", "a").logged(160, recording.LogStarted, "p1", "b").
		logged(170, recording.LogStarted, "stranger", "a").
		// Nothing after the burst's end counts: cleanup may start new containers.
		logged(61_000, recording.LogStarted, "p1", "a")
	tl := timeline.Build(h.b)
	if len(tl.Pods) != 1 {
		t.Fatalf("%d pods: a pod that only a log knows is none of the burst's", len(tl.Pods))
	}
	for name, want := range map[string]time.Duration{
		"scheduling": 30 * ms, // the Job was received at 0, the audited binding answered at 30
		"creation":   90 * ms, // until the last container was created, at 120
		"startup":    40 * ms, // the kubelet's own started at 160, not its status at 500
	} {
		if d, _, _, ok := tl.Pods[0].Duration(phase(t, name)); !ok || d != want {
			t.Errorf("%s: %v (%t), want %v", name, d, ok, want)
		}
	}
	// The chain uses the status writes, so that it still sums to the total.
	if s, _ := tl.Pods[0].Primary(timeline.Started); s.Source != timeline.Audit {
		t.Errorf("started is primarily read from %s", s.Source)
	}
	ph := phase(t, "creation")
	if !tl.Available(ph) {
		t.Error("creation is called unavailable")
	}
}

func TestWithoutLogsTheirStagesAreUnavailableNotMissing(t *testing.T) {
	h := newHistory(1).job(2).created(10, "u1", "p1").bound(30, "u1", "p1")
	tl := timeline.Build(h.b)
	ph := phase(t, "startup")
	if tl.Available(ph) {
		t.Error("startup is called available")
	}
}

// A pod whose status was not written before the burst's end had sandbox from the watch and
// started from an earlier kubelet log line, which made the phase negative.
func TestALogLineAloneIsNoMarkOfTheChain(t *testing.T) {
	h := newHistory(1).job(2).created(10, "u1", "p1").bound(30, "u1", "p1").logged(100, recording.LogCreated, "p1", "a").logged(130, recording.LogStarted, "p1", "a")
	tl := timeline.Build(h.b)
	if s, ok := tl.Pods[0].Primary(timeline.Started); ok {
		t.Errorf("started is read from %s", s.Source)
	}
	if s, ok := tl.Pods[0].Primary(timeline.Created); !ok || s.Source != timeline.ComponentLog {
		t.Error("created is not read from the log, its only source")
	}
}
