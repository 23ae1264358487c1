package burst

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// Run submits a burst and observes it until all its pods are Ready, one has
// failed, the deadline passes, ctx ends or Abort speaks. Whatever ends it, the
// burst returned holds what was seen and why it ended, and is to be recorded;
// only when its Submit is zero was nothing submitted and there is nothing to record.
//
// The error is nil when the burst ran to an end of its own, however slow
// (EndAllReady, EndDeadline, EndJobFailed). It is not when there is no use in
// going on to the next one: the Job was refused, the context ended, or Abort spoke.
//
// The pods are left as they are, and watched: call Cleanup.
func Run(ctx context.Context, o Options) (recording.Burst, error) {
	o.setDefaults()
	b, err := o.plan()
	if err != nil {
		return b, err
	}
	r := &runner{Options: o, burst: &b}
	if err := r.prepare(ctx); err != nil {
		return b, fmt.Errorf("prepare burst %q: %w", b.BurstID, err)
	}
	err = r.submit(ctx)
	if err == nil {
		err = r.wait(ctx)
	}
	r.finish(ctx)
	if err != nil {
		return b, fmt.Errorf("run burst %q: %w", b.BurstID, err)
	}
	return b, nil
}

// runner is one burst under way.
type runner struct {
	Options
	burst     *recording.Burst
	tracker   *watch.Tracker
	before    snapshot
	submitted Reading
	ended     Reading
	audited   auditing
}

func (r *runner) problem(code, format string, args ...any) {
	r.burst.Problems = append(r.burst.Problems, recording.Problem{Code: code, Detail: fmt.Sprintf(format, args...)})
}

// prepare does all that would disturb the burst later.
func (r *runner) prepare(ctx context.Context) error {
	r.before = r.snapshot(ctx)
	if err := r.startAudit(ctx); err != nil {
		return err
	}
	tracker, err := r.Watcher.Track(r.burst.BurstID, r.burst.Pods)
	r.tracker = tracker
	return err
}

func (r *runner) submit(ctx context.Context) error {
	planned := job(*r.burst, r.Options)
	r.submitted = r.Clock()
	created, err := r.Client.BatchV1().Jobs(r.burst.Namespace).Create(ctx, planned, metav1.CreateOptions{})
	returned := r.Clock.wall()
	r.burst.Submit, r.burst.SubmitReturned = r.submitted.Wall, returned
	if err == nil {
		r.burst.JobUID = string(created.UID)
		return nil
	}
	if ctx.Err() != nil {
		r.end(recording.EndInterrupted)
		r.problem(recording.ProblemInterrupted, "%v while the Job was submitted", context.Cause(ctx))
		return context.Cause(ctx)
	}
	r.end(recording.EndRefused)
	err = fmt.Errorf("create Job %s/%s: %w%s", r.burst.Namespace, r.burst.JobName, err, advice(err))
	r.problem(recording.ProblemJobRefused, "%v", err)
	return err
}

// advice says what to do about a Job that could not be created.
func advice(err error) string {
	switch {
	case apierrors.IsAlreadyExists(err):
		return " (a burst of this name is left in the namespace: delete the namespace, or give the burst another index)"
	case apierrors.IsNotFound(err):
		return " (the namespace is gone: make it with EnsureNamespace before the burst)"
	case apierrors.IsForbidden(err):
		return " (allow the observer to create jobs, or raise the namespace's quota)"
	case apierrors.IsInvalid(err):
		return " (the Job does not suit this API server: see the fields named)"
	case errors.As(err, new(apierrors.APIStatus)):
		return ""
	}
	return " (no answer: is the API server running?)"
}

// wait returns when the burst has ended; it listens to the tracker and asks
// nobody. The error is one that ends the run, too.
func (r *runner) wait(ctx context.Context) error {
	deadline := time.NewTimer(r.Deadline)
	defer deadline.Stop()
	ticks, stop := r.ticks()
	defer stop()
	abort := r.Abort
	for {
		select {
		case <-r.tracker.Changed():
			counts := r.tracker.Counts()
			switch {
			case counts.Failed > 0:
				// With backoffLimit 0 the Job controller now deletes the other pods:
				// what follows is no burst.
				r.end(recording.EndJobFailed)
				return nil
			case counts.Ready >= counts.Expected:
				r.end(recording.EndAllReady)
				return nil
			}
		case <-deadline.C:
			r.end(recording.EndDeadline)
			return nil
		case <-ctx.Done():
			r.end(recording.EndInterrupted)
			r.problem(recording.ProblemInterrupted, "%v with %d of %d pods ready", context.Cause(ctx), r.tracker.Counts().Ready, r.burst.Pods)
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

// ticks say when to tell of progress; stop tells a last time.
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
	r.OnProgress(r.tracker.Counts(), r.Clock().Monotonic-r.submitted.Monotonic)
}

func (r *runner) end(reason recording.EndReason) {
	r.ended = r.Clock()
	r.burst.End, r.burst.EndReason = r.ended.Wall, reason
}

// finish collects what is there to be collected.
func (r *runner) finish(ctx context.Context) {
	b := r.burst
	b.Health = r.tracker.Health()
	// Pods of others in the namespace belong to the record, too: they took
	// part in the queues, and framework/timeline counts them.
	b.Watch = append(r.tracker.Observations(), r.Watcher.Foreign(b.Began())...)
	r.nodes()
	if moved := step(r.submitted, r.ended); moved.Abs() > r.MaxClockStep {
		r.problem(recording.ProblemClockStep, "the observer's wall clock moved by %v against its monotonic clock", moved)
	}
	if ctx.Err() == nil && b.EndReason != recording.EndRefused {
		r.compare(r.snapshot(ctx))
		r.finishAudit(ctx)
		r.logs(ctx)
	}
	for _, e := range r.tracker.Events() {
		if e.Kind != "Job" || e.Name == b.JobName {
			b.Events = append(b.Events, e)
		}
	}
}
