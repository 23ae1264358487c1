// Package queueing plays a burst through stations that serve and queue: token buckets,
// servers of one or more at a time, and processors that all share. It is a simulation
// in model time: exact, with no clock and no randomness of its own.
//
// Processors are shared as in processor sharing (Kleinrock 1967): while more work is
// in service than they can hold, all of it is slowed down alike. Work in service is
// timed on a virtual clock that slows down with it, so that one heap serves any number.
package queueing

import (
	"container/heap"
	"math"
)

// World is a simulation. Times are seconds from its start. Make one with New.
type World struct {
	now float64
	// virtual is the time that work in service has advanced.
	virtual, capacity float64
	// others are the tasks that run beside what is played.
	others float64
	// worked and took are how much work was done, and how long it took, all of it together.
	worked, took     float64
	timers, services agenda
	pushed           int
}

// New makes a world with so many processors, beside which so many other tasks always
// run; infinite processors never slow anything down. Each piece of work has the same
// share of the processors as each other task, and at most one of them.
func New(processors, others float64) *World {
	if !(processors > 0) {
		processors = math.Inf(1)
	}
	return &World{capacity: processors, others: max(0, others)}
}

// Now is the model time.
func (w *World) Now() float64 { return w.now }

// After has step happen so many seconds from now, however busy the processors are.
func (w *World) After(seconds float64, step func()) {
	w.push(&w.timers, w.now+max(0, seconds), step)
}

// Work has step happen once the processors have done so many seconds of work for it.
func (w *World) Work(seconds float64, step func()) {
	seconds = max(0, seconds)
	began := w.now
	w.push(&w.services, w.virtual+seconds, func() {
		w.worked += seconds
		w.took += w.now - began
		step()
	})
}

// Rate is how fast work was done, as a part of what it would have been on a processor of
// its own: from 0 to 1.
func (w *World) Rate() float64 {
	if !(w.took > 0) {
		return 1
	}
	return min(1, w.worked/w.took)
}

// Run lets everything happen and returns the time at which the last thing did.
func (w *World) Run() float64 {
	for len(w.timers)+len(w.services) > 0 {
		rate := min(1, w.capacity/(float64(max(1, len(w.services)))+w.others))
		served := math.Inf(1)
		if len(w.services) > 0 {
			served = w.now + max(0, w.services[0].at-w.virtual)/rate
		}
		if len(w.timers) > 0 && w.timers[0].at <= served {
			next := heap.Pop(&w.timers).(entry)
			w.virtual += (next.at - w.now) * rate
			w.now = next.at
			next.step()
			continue
		}
		next := heap.Pop(&w.services).(entry)
		w.now, w.virtual = served, next.at
		next.step()
	}
	return w.now
}

func (w *World) push(a *agenda, at float64, step func()) {
	heap.Push(a, entry{at: at, number: w.pushed, step: step})
	w.pushed++
}

type entry struct {
	at float64
	// number orders entries of the same time.
	number int
	step   func()
}

// agenda is a heap by time.
type agenda []entry

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	if a[i].at != a[j].at {
		return a[i].at < a[j].at
	}
	return a[i].number < a[j].number
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(entry)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	(*a)[len(*a)-1] = entry{}
	*a = (*a)[:len(*a)-1]
	return last
}
