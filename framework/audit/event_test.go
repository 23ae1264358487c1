package audit

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/golden"
)

// The log of one pod's life, plus a RequestReceived line, a refused pod and a marker.
const logFile = "testdata/burst.log"

func readLog(t testing.TB) []byte {
	t.Helper()
	log, err := os.ReadFile(logFile)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func TestABurstsLogIsReadAsRecorded(t *testing.T) {
	events, stats, err := Read(bytes.NewReader(readLog(t)), Window{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Lines != 9 || stats.Kept != 8 || stats.Stages != 1 || stats.Malformed != 0 || stats.Truncated {
		t.Errorf("stats %+v, want 9 lines, one of them of another stage", stats)
	}
	var got bytes.Buffer
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(append(line, '\n'))
	}
	golden.Check(t, "testdata/burst.jsonl", got.String())
}

func TestMarksAreTakenFromTheRightBody(t *testing.T) {
	events, _, err := Read(bytes.NewReader(readLog(t)), Window{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const pod, job = "9c1a4c2e-0f5a-4d0e-8c0e-2f7f6f1f0a11", "5f0c9b57-6a0e-4c58-9c3b-1b6d0a7d4e01"
	jobCreate, create, bind, running, refused := events[0], events[1], events[2], events[5], events[6]

	if jobCreate.Resource != "jobs" || jobCreate.UID != job || jobCreate.BurstID != "default-burst-1" {
		t.Errorf("job: %+v", jobCreate)
	}
	if create.UID != pod || create.Name != "default-burst-1-x7k2p" || create.OwnerUID != job || create.BurstID != "default-burst-1" {
		t.Errorf("pod: name and UID are in the answer alone: %+v", create)
	}
	if want := time.Date(2026, 11, 29, 15, 0, 1, 26_020_000, time.UTC); !create.Completed.Equal(want) {
		t.Errorf("completed %v, want %v: a microsecond was lost", create.Completed, want)
	}
	if bind.TargetNode != "node-1" || bind.UID != pod || bind.Name != "default-burst-1-x7k2p" {
		t.Errorf("binding: %+v", bind)
	}
	if s := running.Status; s == nil || s.Phase != "Running" || len(s.Conditions) != 2 || s.Conditions[0].Status != "True" ||
		s.Containers == nil || s.Containers.Running != 1 || s.Containers.Ready != 1 || !s.StartTime.IsZero() || running.UID != pod {
		t.Errorf("status patch: %+v of %+v", running.Status, running)
	}
	if accept := events[3].Status; accept.StartTime.IsZero() || accept.Containers.Waiting != "ContainerCreating" || accept.Phase != "" {
		t.Errorf("first status: %+v", accept)
	}
	if sandbox := events[4].Status; sandbox.Containers != nil || len(sandbox.Conditions) != 1 {
		t.Errorf("a patch that touches one condition: %+v", sandbox)
	}
	if refused.Code != 403 || refused.UID != "" || refused.BurstID != "default-burst-1" {
		t.Errorf("refused pod: %+v", refused)
	}
}

func TestStatusBodies(t *testing.T) {
	line := func(body string) []byte {
		return []byte(`{"stage":"ResponseComplete","verb":"patch","objectRef":{"resource":"pods","subresource":"status","name":"p"},"requestObject":` + body +
			`,"responseObject":{"kind":"Pod","metadata":{"uid":"from-answer"}},"requestReceivedTimestamp":"2026-11-29T15:00:00.000001Z","stageTimestamp":"2026-11-29T15:00:00.000002Z"}`)
	}
	for _, c := range []struct {
		name, body, uid string
		check           func(*recording.StatusChange) bool
	}{
		{"patch without a UID", `{"status":{"phase":"Failed"}}`, "from-answer", func(s *recording.StatusChange) bool { return s.Phase == "Failed" }},
		{"condition removed", `{"metadata":{"uid":"u"},"status":{"conditions":[{"$patch":"delete","type":"Ready"}]}}`, "u", func(s *recording.StatusChange) bool { return len(s.Conditions) == 0 }},
		{"condition whose status stays", `{"metadata":{"uid":"u"},"status":{"conditions":[{"type":"Ready","message":"x"}]}}`, "u", func(s *recording.StatusChange) bool { return len(s.Conditions) == 0 }},
		{"container that failed", `{"metadata":{"uid":"u"},"status":{"containerStatuses":[{"restartCount":2,"state":{"terminated":{"exitCode":1}}},{"state":{"terminated":{"exitCode":0}}}]}}`, "u",
			func(s *recording.StatusChange) bool {
				return *s.Containers == recording.Containers{Total: 2, Terminated: 2, Failed: 1, Restarts: 2}
			}},
		{"nulls", `{"metadata":{"uid":"u"},"status":{"phase":null,"startTime":null,"conditions":null,"containerStatuses":null}}`, "u",
			func(s *recording.StatusChange) bool { return s.Containers == nil && s.StartTime.IsZero() }},
		{"body of another shape", `["a list"]`, "from-answer", func(s *recording.StatusChange) bool { return s == nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := parse(line(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if e.UID != c.uid || !c.check(e.Status) {
				t.Errorf("UID %q, status %+v", e.UID, e.Status)
			}
		})
	}
}

func TestLinesThatAreNoAuditEvents(t *testing.T) {
	for name, line := range map[string]string{
		"not JSON": "I1129 15:00:00 started", "no stage": `{}`, "a list": `[]`,
		"no times": `{"stage":"ResponseComplete"}`, "a bad time": `{"stage":"ResponseComplete","stageTimestamp":"yesterday"}`,
	} {
		if _, err := parse([]byte(line)); err == nil {
			t.Errorf("%s was taken for an event", name)
		}
	}
	panicked := `{"stage":"Panic","verb":"create","objectRef":{"resource":"pods"},"responseStatus":{"code":500},"requestReceivedTimestamp":"2026-11-29T15:00:00.000001Z","stageTimestamp":"2026-11-29T15:00:00.000002Z"}`
	if e, err := parse([]byte(panicked)); err != nil || e.Code != 500 {
		t.Errorf("a request that panicked: %+v, %v", e, err)
	}
}

// FuzzRead: whatever the log holds, reading it neither panics nor loses count.
func FuzzRead(f *testing.F) {
	for _, line := range strings.SplitAfter(string(readLog(f)), "\n") {
		f.Add([]byte(line))
	}
	f.Add([]byte("\n\n{}\n{\"stage\":"))
	f.Fuzz(func(t *testing.T, log []byte) {
		events, stats, err := Read(bytes.NewReader(log), Window{}, nil)
		if err != nil {
			t.Fatalf("error %v: only a reader's error is one", err)
		}
		if sum := stats.Kept + stats.Outside + stats.Skipped + stats.Stages + stats.Malformed + stats.Oversized; sum != stats.Lines || stats.Kept != len(events) {
			t.Fatalf("%d lines, but %+v", stats.Lines, stats)
		}
		if stats.Truncated != (int64(len(log)) > stats.Bytes) {
			t.Fatalf("%d of %d bytes read, truncated %t", stats.Bytes, len(log), stats.Truncated)
		}
	})
}
