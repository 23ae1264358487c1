package queueing

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

func TestABucketLetsThroughWhatItsArithmeticSays(t *testing.T) {
	w := New(math.Inf(1), 0)
	b := NewBucket(w, 20, 30)
	for range 100 {
		b.Take(1, func() {})
	}
	near(t, "100 requests at 20/30", w.Run(), 3.5) // (100 - 30) / 20
	free := New(math.Inf(1), 0)
	for range 100 {
		NewBucket(free, 0, 0).Take(1, func() {})
	}
	near(t, "no limiter", free.Run(), 0)
}

func TestAServerOfOneServesOneAfterTheOther(t *testing.T) {
	for places, want := range map[int]float64{1: 10, 3: 4} { // ceil(10 / 3) seconds
		w := New(math.Inf(1), 0)
		s := NewServer(places)
		for range 10 {
			s.Enter(func() { w.Work(1, s.Leave) })
		}
		near(t, "ten of a second each", w.Run(), want)
	}
}

func TestProcessorsAreSharedEvenly(t *testing.T) {
	w := New(2, 0)
	var first, last float64
	for range 4 { // four of one second on two processors: each at half the rate
		w.Work(1, func() { first = w.Now() })
	}
	w.Work(2, func() { last = w.Now() }) // alone for what is left
	w.Run()
	// Five share two: rate 0.4 for 2.5 s, then one second of work alone.
	near(t, "the short ones end", first, 2.5)
	near(t, "the long one ends", last, 3.5)
}

func TestWhatOnlyWaitsIsNotSlowedDown(t *testing.T) {
	w := New(1, 0)
	var slept float64
	for range 3 {
		w.Work(1, func() {})
	}
	w.After(1, func() { slept = w.Now() })
	near(t, "all done", w.Run(), 3)
	near(t, "the timer", slept, 1)
}

func TestOtherTasksTakeTheirShareOfTheProcessors(t *testing.T) {
	w := New(2, 2)
	for range 2 { // two of one second beside two others on two processors: half the rate
		w.Work(1, func() {})
	}
	near(t, "beside others", w.Run(), 2)
	// Where there is a processor for each, nobody is slowed down.
	idle := New(4, 2)
	idle.Work(1, func() {})
	near(t, "with a processor for each", idle.Run(), 1)
}
