package progress

import (
	"time"

	"github.com/podburst/podburst/framework/experiment"
)

// How much must be seen to estimate a pace, because pods become ready in fits and starts:
// at least this much time and this many pods (or a fifth of the burst). With fewer pods, it
// takes more time.
const (
	shortest = time.Second
	longer   = 5 * time.Second
	fewest   = 50
)

// pace estimates when a burst ends: not before the remaining pods are ready at the recent
// pace, and not before the limiter's floor plus the time until the first pod was ready.
type pace struct {
	label   string
	first   sample   // with a pod ready
	samples []sample // recent ones, oldest first
}

type sample struct {
	at    time.Duration
	ready int
}

// add takes the state of this burst, or of another one, which starts anew.
func (p *pace) add(l experiment.Live) {
	now := sample{l.Elapsed, l.Counts.Ready}
	if l.Label != p.label || len(p.samples) > 0 && now.at < p.samples[len(p.samples)-1].at {
		*p = pace{label: l.Label}
	}
	if now.ready == 0 {
		return
	}
	if len(p.samples) == 0 {
		p.first = now
	}
	p.samples = append(p.samples, now)
	// Recent means the later half of the time since the first pod was ready, but at least
	// longer.
	late := now.at - max((now.at-p.first.at)/2, longer)
	for len(p.samples) > 1 && p.samples[1].at <= late {
		p.samples = p.samples[1:]
	}
}

// left is how long the burst will last after l, the state added last. ok is false if that
// cannot be known: too little was seen, nothing moves, or pods have failed.
func (p *pace) left(l experiment.Live) (left time.Duration, ok bool) {
	if l.Counts.Ready >= l.Pods || l.Counts.Failed > 0 || len(p.samples) == 0 {
		return 0, false
	}
	then, now := p.samples[0], p.samples[len(p.samples)-1]
	ready := now.ready - then.ready
	enough := shortest
	if now.ready < min(fewest, (l.Pods+4)/5) {
		enough = longer
	}
	if now.at-then.at < enough || ready <= 0 {
		return 0, false
	}
	left = (now.at - then.at) / time.Duration(ready) * time.Duration(l.Pods-now.ready)
	if l.Floor != nil {
		left = max(left, *l.Floor+p.first.at-l.Elapsed)
	}
	return left, true
}
