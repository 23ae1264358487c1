package timeline

import "time"

// origin indexes a life's readings, best source first.
type origin uint8

const (
	fromAudit origin = iota
	fromLog
	fromWatch
	fromAPI

	originCount = iota
)

var origins = [originCount]struct {
	source     Source
	resolution time.Duration
}{
	fromAudit: {Audit, time.Microsecond},
	fromLog:   {ComponentLog, time.Microsecond},
	fromWatch: {Watch, time.Nanosecond},
	fromAPI:   {API, time.Second},
}

// reading is a Stamp without what its origin implies. A zero at means none.
type reading struct {
	at    time.Time
	since time.Duration
}

func stamp(o origin, r reading) Stamp {
	return Stamp{
		// Round(0) drops the monotonic clock.
		At: r.at.Round(0).UTC(), Since: r.since,
		Source: origins[o].source, Resolution: origins[o].resolution,
	}
}

// life is what is known about one pod while the streams are read.
type life struct {
	uid, namespace, name, node string
	readings                   [markCount][originCount]reading
	// seen: the watcher received an event of the pod. passed: the marks that those events
	// showed as passed.
	seen   bool
	passed marks

	late, deleted    bool
	ready, succeeded bool
	failed           bool
	restarts         int
	waiting          string
	// born is the latest possible time of the pod's creation, to tell pods of the same name
	// apart.
	born time.Time
}

// set keeps the earliest reading.
func (l *life) set(m Mark, o origin, r reading) {
	if r.at.IsZero() {
		return
	}
	if old := &l.readings[m][o]; old.at.IsZero() || r.at.Before(old.at) {
		*old = r
	}
}

// bear keeps the earliest bound of the pod's creation.
func (l *life) bear(at time.Time) {
	if l.born.IsZero() || at.Before(l.born) {
		l.born = at
	}
}

// primary is the time of the reading that Readings.Primary will choose.
func (l *life) primary(m Mark) (at time.Time, ok bool) {
	for o := range fromAPI {
		if at := l.readings[m][o].at; !at.IsZero() {
			return at, true
		}
	}
	return time.Time{}, false
}

// count is the number of stamps that pod will append.
func (l *life) count() int {
	n := 0
	for m := range l.readings {
		for o := range l.readings[m] {
			if !l.readings[m][o].at.IsZero() {
				n++
			}
		}
	}
	return n
}

// pod fills p and appends its stamps to arena.
func (l *life) pod(p *Pod, submit, arena []Stamp) []Stamp {
	*p = Pod{
		UID: l.uid, Name: l.name, Node: l.node, Outcome: l.outcome(),
		Restarts: l.restarts, Deleted: l.deleted, Late: l.late, Waiting: l.waiting,
	}
	p.Marks[Submit] = submit
	for m := range l.readings {
		first := len(arena)
		for o, r := range l.readings[m] {
			if !r.at.IsZero() {
				arena = append(arena, stamp(origin(o), r))
			}
		}
		if len(arena) > first {
			p.Marks[m] = arena[first:len(arena):len(arena)]
		}
	}
	return arena
}

func (l *life) outcome() Outcome {
	switch {
	case l.deleted:
		return OutcomeLost
	case l.failed:
		return OutcomeFailed
	case l.ready || l.succeeded:
		return OutcomeReady
	}
	return OutcomePending
}

// marks is a set of Marks.
type marks uint16

func setOf(m Mark) marks        { return 1 << m }
func (s marks) has(m Mark) bool { return s&(1<<m) != 0 }
func (s *marks) add(m Mark, b bool) { // adds m where b
	if b {
		*s |= 1 << m
	}
}
