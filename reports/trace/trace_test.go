package trace_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
	"github.com/podburst/podburst/reports/trace"
)

func written(t testing.TB, r *reports.Report) string {
	t.Helper()
	return specimen.Text(t, r, trace.Write)
}

type event struct {
	Ph, Name, Cat string
	S             string
	Pid, Tid      *int
	At            *int64 `json:"ts"`
	Dur           *int64
	Args          map[string]any
}

// parse reads the file as a viewer does. Times that are not whole numbers fail.
func parse(t testing.TB, text string) []event {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	var file struct {
		DisplayTimeUnit string
		TraceEvents     []event
		OtherData       map[string]string
	}
	if err := in.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if file.DisplayTimeUnit != "ms" || file.OtherData["tool"] != "podburst" {
		t.Errorf("unit %q, data %v", file.DisplayTimeUnit, file.OtherData)
	}
	return file.TraceEvents
}

// checkShape asserts what a viewer relies on.
func checkShape(t *testing.T, events []event) {
	t.Helper()
	type track struct{ pid, tid int }
	drawn := map[track][]event{}
	named := map[track]bool{}
	counted := map[int]int64{}
	for i, e := range events {
		if e.Pid == nil || e.Tid == nil || e.At == nil || e.Name == "" {
			t.Fatalf("event %d lacks a field: %+v", i, e)
		}
		at := track{*e.Pid, *e.Tid}
		if *e.At < 0 {
			t.Errorf("event %d is before its burst: %+v", i, e)
		}
		switch e.Ph {
		case "M":
			if e.Name == "thread_name" {
				named[at] = true
			}
		case "X":
			if e.Dur == nil || *e.Dur < 0 {
				t.Fatalf("event %d has a bad duration: %+v", i, e)
			}
			drawn[at] = append(drawn[at], e)
		case "C":
			if last, ok := counted[at.pid]; ok && *e.At <= last {
				t.Errorf("counter at %d after %d", *e.At, last)
			}
			counted[at.pid] = *e.At
			for state, n := range e.Args {
				if n.(float64) < 0 {
					t.Errorf("%v pods are in %s", n, state)
				}
			}
		case "i":
		default:
			t.Errorf("event %d is of phase %q", i, e.Ph)
		}
	}
	for at, list := range drawn {
		if !named[at] {
			t.Errorf("track %v has no name", at)
		}
		if !slices.IsSortedFunc(list, func(a, b event) int { return cmp.Compare(*a.At, *b.At) }) {
			t.Errorf("slices of track %v go back", at)
		}
		var open []event
		for _, e := range list {
			end := *e.At + *e.Dur
			for len(open) > 0 && *open[len(open)-1].At+*open[len(open)-1].Dur <= *e.At {
				open = open[:len(open)-1]
			}
			if len(open) > 0 && end > *open[len(open)-1].At+*open[len(open)-1].Dur {
				t.Errorf("slice %s [%d, %d] sticks out of %s", e.Name, *e.At, end, open[len(open)-1].Name)
			}
			open = append(open, e)
		}
		checkPod(t, list)
	}
}

// checkPod asserts that the phases fill the pod's slice without a gap.
func checkPod(t *testing.T, list []event) {
	t.Helper()
	if list[0].Cat != "pod" {
		return
	}
	at, total := *list[0].At, 0.0
	for _, e := range list[1:] {
		if *e.At != at {
			t.Errorf("%s of %s begins at %d, want %d", e.Name, list[0].Name, *e.At, at)
		}
		at += *e.Dur
		total += e.Args["seconds"].(float64)
	}
	if end := *list[0].At + *list[0].Dur; at != end {
		t.Errorf("phases of %s end at %d, the pod at %d", list[0].Name, at, end)
	}
	if want := list[0].Args["seconds"].(float64); math.Abs(total-want) > 1e-9 {
		t.Errorf("phases of %s sum up to %g, the pod says %g", list[0].Name, total, want)
	}
}

func TestGolden(t *testing.T) {
	golden.Check(t, filepath.Join("testdata", "trace.json"), written(t, specimen.Golden(t)))
}

func TestExtremesAreWellFormed(t *testing.T) {
	for name, r := range specimen.Extremes(t) {
		t.Run(name, func(t *testing.T) {
			checkShape(t, parse(t, written(t, r)))
		})
	}
}

func TestEveryPodHasItsPhases(t *testing.T) {
	events := parse(t, written(t, specimen.Pods(t, 3)))
	found := map[string]int{}
	for _, e := range events {
		if e.Ph == "X" && e.Cat == "phase" {
			found[e.Name]++
		}
	}
	for _, ph := range timeline.Chain() {
		if found[ph.Name] != 3 {
			t.Errorf("%d slices %s, want 3", found[ph.Name], ph.Name)
		}
	}
	last := events[0]
	for _, e := range events {
		if e.Ph == "C" {
			last = e
		}
	}
	if got := last.Args["8 observed"]; got != 3.0 {
		t.Errorf("at the end %v pods are observed, want 3: %v", got, last.Args)
	}
}

// The observer's clock differs from the API server's: the watch sees pods bound before they
// were created.
func TestMarksThatGoBackAreDrawnInOrderAndToldAsTheyAre(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1})
	for i := range b.Watch {
		b.Watch[i].At = b.Watch[i].At.Add(-30*time.Second - 1) // 1 ns: rounding
	}
	r := specimen.Build(t, specimen.Run(b))
	events := parse(t, written(t, r))
	checkShape(t, events)
	negative := false
	for _, e := range events {
		if e.Cat == "phase" && e.Args["seconds"].(float64) < -20 {
			negative = true
			if *e.Dur != 0 {
				t.Errorf("a negative phase is drawn %d µs long", *e.Dur)
			}
		}
	}
	if !negative {
		t.Error("no phase tells that it was negative")
	}
}

func TestAMissingMarkJoinsItsNeighbors(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1, NoAudit: true})
	for i := range b.Watch {
		b.Watch[i].Conditions = nil // no sandbox, no ready
	}
	events := parse(t, written(t, specimen.Build(t, specimen.Run(b))))
	checkShape(t, events)
	for _, e := range events {
		if e.Name == "accept_to_sandbox" {
			t.Fatal("a mark that nobody saw is drawn")
		}
	}
}

func TestNamesCannotLeaveTheirStrings(t *testing.T) {
	text := written(t, specimen.Build(t, specimen.Named(specimen.Hostile)))
	for _, bad := range []string{"<b>", "\x1b", "\u202e", "\x00"} {
		if strings.Contains(text, bad) {
			t.Errorf("trace.json holds %q as it is", bad)
		}
	}
}

func TestAReportWithoutPodsIsRefused(t *testing.T) {
	var text bytes.Buffer
	if err := reports.WriteJSON(&text, *specimen.Golden(t)); err != nil {
		t.Fatal(err)
	}
	r, err := reports.ReadJSON(&text)
	if err != nil {
		t.Fatal(err)
	}
	if err := trace.Write(io.Discard, &r); !errors.Is(err, trace.ErrNoPods) {
		t.Errorf("error is %v", err)
	}
}

func BenchmarkWrite(b *testing.B) {
	r := specimen.Pods(b, 5000)
	for b.Loop() {
		if err := trace.Write(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}
