package usage

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// sample is etcd's at so many seconds after noon. A negative wait is not known.
func sample(at, cpu, wait float64, memory int64) recording.UsageSample {
	s := recording.UsageSample{At: noon.Add(time.Duration(at * float64(time.Second))), Account: "etcd", CPUSeconds: cpu, MemoryBytes: memory}
	if wait >= 0 {
		s.RunQueueSeconds = &wait
	}
	return s
}

// window is a span in seconds after noon.
func window(from, to float64) span.Span {
	return span.Span{From: sample(from, 0, 0, 0).At, To: sample(to, 0, 0, 0).At}
}

func TestWithinAddsUpWhatWasUsedInAWindow(t *testing.T) {
	// One processor second a second, and twice as much of waiting, until second 4.
	steady := []recording.UsageSample{sample(0, 10, 5, 50), sample(2, 12, 9, 70), sample(4, 14, 13, 60)}
	for name, test := range map[string]struct {
		samples []recording.UsageSample
		window  span.Span
		want    Used
	}{
		"all of it": {steady, window(0, 4), Used{CPU: 4 * time.Second, CPULow: 4 * time.Second, CPUHigh: 4 * time.Second, RunQueue: 8 * time.Second, RunQueueKnown: true, Covered: 4 * time.Second, PeakMemoryBytes: 70}},
		// A half of the first pair and all of the second.
		"a window that begins between two":    {steady, window(1, 4), Used{CPU: 3 * time.Second, CPULow: 2 * time.Second, CPUHigh: 4 * time.Second, RunQueue: 6 * time.Second, RunQueueKnown: true, Covered: 3 * time.Second, PeakMemoryBytes: 70}},
		"a window inside one pair":            {steady, window(0.5, 1), Used{CPU: time.Second / 2, CPUHigh: 2 * time.Second, RunQueue: time.Second, RunQueueKnown: true, Covered: time.Second / 2, PeakMemoryBytes: 70}},
		"a window beyond the last sample":     {steady, window(2, 10), Used{CPU: 2 * time.Second, CPULow: 2 * time.Second, CPUHigh: 2 * time.Second, RunQueue: 4 * time.Second, RunQueueKnown: true, Covered: 2 * time.Second, PeakMemoryBytes: 70}},
		"a window apart from all samples":     {steady, window(5, 6), Used{}},
		"a window that ends before it begins": {steady, window(3, 1), Used{}},
		"one sample":                          {steady[:1], window(0, 4), Used{}},
		"none":                                {nil, window(0, 4), Used{}},
		"a wait that one sample does not know": {[]recording.UsageSample{sample(0, 0, 0, 0), sample(1, 1, 1, 0), sample(2, 2, -1, 0)}, window(0, 2),
			Used{CPU: 2 * time.Second, CPULow: 2 * time.Second, CPUHigh: 2 * time.Second, Covered: 2 * time.Second}},
		// From 9 to 1: the process was another one. What comes after counts again.
		"a counter that falls": {[]recording.UsageSample{sample(0, 8, 0, 0), sample(1, 9, 0, 0), sample(2, 1, 0, 0), sample(3, 2, 0, 0)}, window(0, 3),
			Used{CPU: 2 * time.Second, CPULow: 2 * time.Second, CPUHigh: 2 * time.Second, RunQueueKnown: true, Covered: 2 * time.Second}},
		// The second sample's time is not after the first one's: it is left out.
		"a time that goes back": {[]recording.UsageSample{sample(2, 1, 0, 0), sample(1, 3, 0, 0), sample(3, 4, 0, 0)}, window(0, 4),
			Used{CPU: 3 * time.Second, CPULow: 3 * time.Second, CPUHigh: 3 * time.Second, RunQueueKnown: true, Covered: time.Second}},
		"counters beyond any machine": {[]recording.UsageSample{sample(0, 0, 0, 0), sample(1, math.MaxFloat64, 0, 0)}, window(0, 1), Used{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Within(test.samples, "etcd", test.window)
			if got.edges = [2]edge{}; got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
			if got := Within(test.samples, "kube-scheduler", test.window); got != (Used{}) {
				t.Errorf("another account used %+v", got)
			}
		})
	}
}

func TestProcessorsBoundWhatCanHaveBeenUsedAtTheEdges(t *testing.T) {
	// Both processors were in use for the first two seconds, and none for the next eight.
	samples := []recording.UsageSample{sample(0, 0, 0, 0), sample(2, 4, 0, 0), sample(10, 4, 0, 0)}
	for name, test := range map[string]struct {
		window     span.Span
		processors int
		low, high  time.Duration
	}{
		// Of the four seconds no more than two can have been used in the second outside,
		// and so no less than two inside.
		"the second half of a full pair":  {window(1, 10), 2, 2 * time.Second, 2 * time.Second},
		"a quarter of it":                 {window(1.5, 10), 2, time.Second, time.Second},
		"with four processors":            {window(1, 10), 4, 0, 4 * time.Second},
		"of a machine that nobody knows":  {window(1, 10), 0, 0, 4 * time.Second},
		"inside one pair":                 {window(0.5, 1.5), 2, 2 * time.Second, 2 * time.Second},
		"no more processors than it used": {window(1, 10), 1, 2 * time.Second, 2 * time.Second},
		"whole pairs":                     {window(0, 10), 2, 4 * time.Second, 4 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Within(samples, "etcd", test.window).On(test.processors); got.CPULow != test.low || got.CPUHigh != test.high {
				t.Errorf("between %v and %v, want %v and %v", got.CPULow, got.CPUHigh, test.low, test.high)
			}
		})
	}
}

// A recording may come from anyone.
func FuzzWithin(f *testing.F) {
	f.Add(`[{"at":"2026-11-29T12:00:00Z","account":"a","cpuSeconds":1},{"at":"2026-11-29T12:00:09Z","account":"a","cpuSeconds":3,"runQueueSeconds":1}]`, int64(2))
	f.Add(`[{"at":"0001-01-01T00:00:00Z","account":"a","cpuSeconds":-1e308},{"at":"9999-11-29T12:00:09Z","account":"a","cpuSeconds":1e308}]`, int64(-2))
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		var samples []recording.UsageSample
		if json.Unmarshal([]byte(text), &samples) != nil {
			return
		}
		w := span.Span{From: noon, To: noon.Add(time.Duration(seconds))}
		for _, account := range []string{"a", ""} {
			u := Within(samples, account, w).On(int(seconds % 5))
			if u.CPULow < 0 || u.CPULow > u.CPU || u.CPU > u.CPUHigh || u.RunQueue < 0 || u.Covered < 0 || u.Covered > w.Length() {
				t.Errorf("%+v in %v", u, w.Length())
			}
		}
	})
}
