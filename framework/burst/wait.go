package burst

import (
	"context"
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// wait returns when the burst has ended. It listens to the tracker and polls nothing.
// An error ends the run, too.
func (r *runner) wait(ctx context.Context) error {
	deadline := time.NewTimer(r.Deadline)
	defer deadline.Stop()
	quiet, changed, stopQuiet := r.quiet()
	defer stopQuiet()
	ticks, stop := r.ticks()
	defer stop()
	abort := r.Abort
	for {
		select {
		case <-r.tracker.Changed():
			switch c := r.tracker.Counts(); {
			case r.terms.FailFast && c.Failed > 0:
				r.end(recording.EndPodFailed)
				return nil
			case r.terms.Pods > 0 && r.ready(c) >= r.terms.Pods:
				r.end(recording.EndAllReady)
				return nil
			}
			changed()
		case <-quiet:
			if c := r.tracker.Counts(); c.Seen > 0 && c.Seen >= r.terms.Pods && c.Settled == c.Seen {
				r.end(recording.EndSettled)
				return nil
			}
			// Pods that are yet to come or to become ready restart the timer.
		case <-deadline.C:
			r.end(recording.EndDeadline)
			return nil
		case <-ctx.Done():
			r.end(recording.EndInterrupted)
			c := r.tracker.Counts()
			of := r.terms.Pods
			if of == 0 {
				of = c.Seen
			}
			r.problem(recording.ProblemInterrupted, "%v with %d of %d pods ready", context.Cause(ctx), r.ready(c), of)
			return context.Cause(ctx)
		case err, open := <-abort:
			if !open || err == nil {
				abort = nil // nobody is left to speak
				continue
			}
			r.end(recording.EndAborted)
			r.problem(recording.ProblemComponentExited, "%v", err)
			return fmt.Errorf("given up: %w", err)
		case <-ticks:
			r.progress()
		}
	}
}

// ready is how many pods count as ready by the load's terms.
func (r *runner) ready(c watch.Counts) int {
	if r.terms.Together {
		return c.Ready
	}
	return c.WasReady
}

// quiet fires when nothing has changed for as long as the load takes to settle. It
// must be told of each change, and never fires for a load that does not settle.
func (r *runner) quiet() (fires <-chan time.Time, changed, stop func()) {
	if r.terms.Settle == 0 {
		return nil, func() {}, func() {}
	}
	timer := time.NewTimer(r.terms.Settle)
	return timer.C, func() { timer.Reset(r.terms.Settle) }, func() { timer.Stop() }
}

// ticks say when to report progress; stop reports a last time.
func (r *runner) ticks() (ticks <-chan time.Time, stop func()) {
	if r.OnProgress == nil {
		return nil, func() {}
	}
	ticker := time.NewTicker(250 * time.Millisecond)
	return ticker.C, func() {
		ticker.Stop()
		r.progress()
	}
}

func (r *runner) progress() {
	r.OnProgress(r.tracker.Counts(), r.Clock().Monotonic-r.began.Monotonic)
}
