package causes

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/span"
)

func TestEveryCauseIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		if seen[c.Name] || c.Injected == "" || len(c.Names) == 0 || (c.WhatIf == nil) == (c.Unpredicted == "") {
			t.Errorf("%s: a name that is new, what is injected, a station, and either a scenario or why there is none: %+v", c.Name, c)
		}
		seen[c.Name] = true
		if len(c.Names) > 1 && c.AlsoBecause == "" || c.Pods != 0 && c.Few == "" {
			t.Errorf("%s: it differs from the others and does not say why", c.Name)
		}
		for _, p := range c.Profiles() {
			if err := p.Validate(); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
}

func TestOneLimiterIsNarrowAndAllOthersAreGenerous(t *testing.T) {
	for _, c := range All() {
		spec := c.Profiles()[0].Spec
		for _, component := range clusters.Configurable() {
			of, _ := spec.Component(component)
			if narrow := *of.KubeAPIQPS < generous.KubeAPIQPS; narrow != (component == c.Limiter) {
				t.Errorf("%s: %s has %g/%d", c.Name, component, *of.KubeAPIQPS, *of.KubeAPIBurst)
			}
		}
	}
}

func TestAnAmountIsInAnIntervalThatCanContainIt(t *testing.T) {
	a := Amount{2 * time.Second, 3 * time.Second}
	for _, c := range []struct {
		low, high time.Duration
		want      bool
	}{
		{0, 1900 * time.Millisecond, false}, {0, 2 * time.Second, true}, {2500 * time.Millisecond, 2600 * time.Millisecond, true},
		{3 * time.Second, 9 * time.Second, true}, {3100 * time.Millisecond, 9 * time.Second, false},
		// 1 % of the amount is for clocks and rounding.
		{3030 * time.Millisecond, 9 * time.Second, true},
	} {
		if got := a.meets(c.low, c.high); got != c.want {
			t.Errorf("%s to %s: %t, want %t", c.low, c.high, got, c.want)
		}
	}
}

var zero = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return zero.Add(d) }

// tenRequests are creations through a bucket of 2 a second and a burst of 4: the first
// four at once, the others every half second. Each takes 100 ms.
func tenRequests() *Burst {
	b := &Burst{Recorded: recording.Burst{Submit: zero}}
	for i := range 10 {
		at := max(0, i-3) * 500
		name := string(rune('a' + i))
		received := after(time.Duration(at) * time.Millisecond)
		b.Recorded.Audit = append(b.Recorded.Audit, recording.AuditEvent{Verb: "create", Resource: "pods", Name: name, User: "creator", Code: 201,
			Received: received, Completed: received.Add(100 * time.Millisecond)})
		b.Timeline.Pods = append(b.Timeline.Pods, timeline.Pod{Name: name})
	}
	return b
}

func TestWhatALimiterHeldFollowsFromItsBucket(t *testing.T) {
	b := tenRequests()
	last := &b.Timeline.Pods[9]
	a, ok := limiter(b, limits(2, 4), func(e *recording.AuditEvent) bool { return e.User == "creator" },
		func(*timeline.Pod) (span.Span, bool) {
			return span.Span{From: zero, To: b.Recorded.Audit[9].Received}, true
		}, []*timeline.Pod{last})
	// The tenth cannot pass before (10 - 4) / 2 s. Of these 3 s the limiter may have held
	// all, and none while one of the first four or of the next five was with the server; 5 % are for their way.
	if want := (Amount{(3*time.Second - 6*100*time.Millisecond) * 95 / 100, 3 * time.Second}); !ok || a != want {
		t.Errorf("%s to %s (%t), want %s to %s", a.Low, a.High, ok, want.Low, want.High)
	}
	if _, ok := limiter(b, limits(2, 10), func(*recording.AuditEvent) bool { return true }, nil, nil); ok {
		t.Error("a bucket that had room for all has held something")
	}
}

// example is a burst of ten seconds of which the first station took nine.
func example(cause string, injected bool, first station.Name, component clusters.Component, makespan time.Duration) Burst {
	whole := stats.SecondsOf(makespan)
	b := Burst{Cause: Named(cause), Dir: "run", Note: BurstNote{Cause: cause, Profile: cause, Injected: injected}}
	b.Recorded.Profile = cause
	b.Timeline.Completion, b.Timeline.Accounting.Expected = []time.Duration{makespan}, 1
	b.Analysis.MakespanSeconds, b.Analysis.NotExplainedSeconds = &whole, whole/10
	b.Analysis.Sentences = []string{"This is what it was."}
	b.Analysis.Stations = []station.Station{{Station: first, Component: string(component), Known: true, Part: station.Part{Seconds: whole * 9 / 10}}}
	return b
}

func TestTheTableSaysWhatWasNamed(t *testing.T) {
	bursts := []Burst{
		example("gated", true, station.Place, clusters.KubeScheduler, 10*time.Second),
		example("gated", true, station.Etcd, clusters.Etcd, 12*time.Second),
		example("gated", false, station.StatusManager, clusters.Kubelet, 3*time.Second),
		example(Nothing, true, station.Processors, "", 2*time.Second),
	}
	table := Table(Header{Seeds: []int64{7}, Machine: "2 processors", Kubernetes: "v1.37.2"}, bursts)
	for _, want := range []string{
		"Seed 7, 2 bursts with and as many without each cause, 2 processors, Kubernetes v1.37.2.",
		"| gated | pods with a scheduling gate", "| 1 of 2 |", "| 11.0 s, 3.00 s |", "| 8.00 s |",
		"| bursts in which the cause is named first | 2 of 3 (66.7 %) |",
		"| bursts of which known stations account for 90 % | 3 of 3 (100 %) |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("the table has no %q:\n%s", want, table)
		}
	}
	if missed := Missed(bursts); len(missed) != 1 || !strings.Contains(missed[0], "gated/burst-0 of run: This is what it was.") {
		t.Errorf("missed: %q", missed)
	}
}

func TestWhereNothingWasInjectedNoCauseIsBlamed(t *testing.T) {
	blamed := example(Nothing, true, station.ClientLimiter, clusters.Kubelet, time.Second)
	if blamed.Right() {
		t.Error("a limiter is right")
	}
	unexplained := blamed
	unexplained.Analysis.NotExplainedSeconds = 0.95
	unexplained.Analysis.Stations[0].Part.Seconds = 0.05
	if !unexplained.Right() {
		t.Error("that it is not explained is wrong")
	}
}

func TestOnlyAdviceForTheCauseIsOfUse(t *testing.T) {
	b := example("kubelet-limiter", true, station.ClientLimiter, clusters.Kubelet, time.Second)
	b.Analysis.Stations[0].Advice = "Raise it."
	if got := b.Useless(); len(got) != 0 {
		t.Errorf("useless: %q", got)
	}
	b.Note.Injected = false
	if got := b.Useless(); len(got) != 1 {
		t.Errorf("without the cause, useless: %q", got)
	}
	other := example("kubelet-limiter", true, station.ClientLimiter, clusters.KubeScheduler, time.Second)
	other.Analysis.Stations[0].Advice = "Raise it."
	if got := other.Useless(); len(got) != 1 {
		t.Errorf("another's limiter, useless: %q", got)
	}
}

func TestAGainOfNothingHasNoWidth(t *testing.T) {
	if w := half(-1, 1); !math.IsInf(w, 1) {
		t.Errorf("half width %g", w)
	}
	if w := half(2, 4); w != 1.0/3 {
		t.Errorf("half width %g", w)
	}
}

func TestTheTableReplacesTheLastOne(t *testing.T) {
	got, err := Replace("before\n"+begin+"\nold\n"+end+"\nafter\n", "new\n")
	if want := "before\n" + begin + "\nnew\n" + end + "\nafter\n"; err != nil || got != want {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	if _, err := Replace("no markers", "new"); err == nil {
		t.Error("a document without markers was changed")
	}
}
