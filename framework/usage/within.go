package usage

import (
	"math"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
)

// Used is what an account used within a window.
type Used struct {
	// CPU is processor time. Of a pair of samples that reaches beyond the window it
	// counts the part inside, as if it had been used evenly.
	CPU time.Duration
	// CPULow and CPUHigh bound CPU: without the pairs that reach beyond the window, and
	// with all that they used.
	CPULow, CPUHigh time.Duration
	// RunQueue is the time that threads waited for a processor
	// (recording.UsageSample.RunQueueSeconds). It means something only if RunQueueKnown.
	RunQueue time.Duration
	// RunQueueKnown: every sample in use has it.
	RunQueueKnown bool
	// Covered is how much of the window lies between samples. Nothing is known of the rest.
	Covered time.Duration
	// PeakMemoryBytes is the largest resident memory that a sample saw, in the window or
	// next to it; 0 if none tells.
	PeakMemoryBytes int64

	// edges are the pairs that reach beyond the window, at its beginning and at its end.
	edges [2]edge
}

// edge is a pair of samples of which only a part is inside the window.
type edge struct{ used, inside, outside time.Duration }

// On tightens CPULow and CPUHigh for a machine with so many processors: in no time can
// more processor time be used than they have. 0 changes nothing.
func (u Used) On(processors int) Used {
	if processors <= 0 {
		return u
	}
	n := time.Duration(processors)
	for _, e := range u.edges {
		if e.outside <= math.MaxInt64/n {
			u.CPULow = plus(u.CPULow, max(0, e.used-n*e.outside))
		}
		if e.inside <= math.MaxInt64/n {
			u.CPUHigh -= max(0, e.used-n*e.inside)
		}
	}
	// A kernel's counters may be a little more than its processors have.
	u.CPULow, u.CPUHigh = min(u.CPULow, u.CPU), max(u.CPUHigh, u.CPU)
	return u
}

// Within adds up an account's samples in a window. Two samples between which a counter
// fell, or of which the second is not later than the first, tell nothing, and the time
// between them is not covered.
func Within(samples []recording.UsageSample, account string, window span.Span) Used {
	used := Used{RunQueueKnown: true}
	var last *recording.UsageSample
	for i := range samples {
		s := &samples[i]
		if s.Account != account || last != nil && !s.At.After(last.At) {
			continue
		}
		if last != nil {
			used.add(last, s, window)
		}
		last = s
	}
	used.RunQueueKnown = used.RunQueueKnown && used.Covered > 0
	if !used.RunQueueKnown {
		used.RunQueue = 0
	}
	return used
}

// add adds what was used between two samples.
func (u *Used) add(from, to *recording.UsageSample, window span.Span) {
	whole := span.Span{From: from.At, To: to.At}
	part := min(whole.Length(), window.To.Sub(from.At), to.At.Sub(window.From), window.Length())
	if part <= 0 {
		return
	}
	u.PeakMemoryBytes = max(u.PeakMemoryBytes, from.MemoryBytes, to.MemoryBytes)
	cpu, ok := rise(from.CPUSeconds, to.CPUSeconds)
	if !ok {
		return
	}
	share := float64(part) / float64(whole.Length())
	u.Covered = plus(u.Covered, part)
	u.CPU = plus(u.CPU, time.Duration(share*float64(cpu)))
	u.CPUHigh = plus(u.CPUHigh, cpu)
	if share == 1 {
		u.CPULow = plus(u.CPULow, cpu)
	} else {
		e := &u.edges[0]
		if *e != (edge{}) {
			e = &u.edges[1]
		}
		*e = edge{used: cpu, inside: part, outside: whole.Length() - part}
	}
	if from.RunQueueSeconds == nil || to.RunQueueSeconds == nil {
		u.RunQueueKnown = false
		return
	}
	queued, ok := rise(*from.RunQueueSeconds, *to.RunQueueSeconds)
	u.RunQueueKnown = u.RunQueueKnown && ok
	u.RunQueue = plus(u.RunQueue, time.Duration(share*float64(queued)))
}

// rise is how much a counter of seconds rose; ok is false if it did not, or by more than
// any machine could use.
func rise(from, to float64) (d time.Duration, ok bool) {
	nanoseconds := (to - from) * float64(time.Second)
	if !(nanoseconds >= 0 && nanoseconds < math.MaxInt64) {
		return 0, false
	}
	return time.Duration(nanoseconds), true
}

// plus adds durations, at most up to the longest one.
func plus(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
