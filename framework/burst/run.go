package burst

import (
	"context"
	"fmt"

	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// Run submits a burst and observes it until its load has ended (load.Terms), the
// deadline passes, ctx ends or Abort fires. In every case the burst returned holds
// what was seen and why it ended, and should be recorded. Only if its Began is zero
// did nothing begin, and there is nothing to record.
//
// The error is nil if the burst ended by itself, however slow it was (EndAllReady,
// EndSettled, EndDeadline, EndPodFailed). It is not nil if sending the next burst is
// pointless: the load was refused, the context ended, or Abort fired.
//
// The pods are left as they are, and watched: call Cleanup.
func Run(ctx context.Context, o Options) (recording.Burst, error) {
	o.setDefaults()
	b, err := o.plan()
	if err != nil {
		return b, err
	}
	r := &runner{Options: o, terms: o.Load.Terms(), burst: &b}
	if err := r.prepare(ctx); err != nil {
		return b, fmt.Errorf("prepare burst %q: %w", b.BurstID, err)
	}
	err = r.submit(ctx)
	if err == nil {
		err = r.wait(ctx)
	}
	r.stopSampling()
	r.stopProfiling()
	r.finish(ctx)
	if err != nil {
		return b, fmt.Errorf("run burst %q: %w", b.BurstID, err)
	}
	return b, nil
}

// runner is one running burst.
type runner struct {
	Options
	terms   load.Terms
	burst   *recording.Burst
	tracker *watch.Tracker
	before  snapshot
	audited auditing
	// sampling is of the processes on this machine, while the burst lasts.
	sampling sampling
	// profiling is of the components, while the burst lasts.
	profiling profiling
	// began is when the burst began, ended when it was over.
	began, ended Reading
	// existing is how many pods of the load already existed.
	existing int
}

func (r *runner) problem(code, format string, args ...any) {
	r.burst.Problems = append(r.burst.Problems, recording.Problem{Code: code, Detail: fmt.Sprintf(format, args...)})
}

// prepare does everything that would disturb the burst later.
func (r *runner) prepare(ctx context.Context) (err error) {
	r.before = r.snapshot(ctx)
	r.accounts(ctx)
	if err := r.startAudit(ctx); err != nil {
		return err
	}
	if r.terms.Others() {
		r.tracker, r.existing, err = r.Watcher.TrackMatching()
		return err
	}
	r.tracker, err = r.Watcher.Track(r.burst.BurstID, r.burst.Pods)
	return err
}

// submit sends the load. If others send the pods, those created from here on count.
func (r *runner) submit(ctx context.Context) error {
	b := r.burst
	r.startProfiling(ctx)
	r.startSampling(ctx)
	r.began = r.Clock()
	if b.Passive != nil {
		b.Passive.Began, b.Passive.Existing = r.began.Wall, r.existing
	}
	if r.OnBegin != nil {
		r.OnBegin(r.existing)
	}
	sent, err := r.Load.Submit(ctx, r.Client, place(b, r.RunID), r.Clock.wall)
	if n := len(sent); n > 0 {
		b.Submit, b.SubmitReturned, b.Workload.UID = sent[0].Sent, sent[n-1].Returned, sent[0].UID
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		r.end(recording.EndInterrupted)
		r.problem(recording.ProblemInterrupted, "%v while the %s was submitted", context.Cause(ctx), b.Workload.Kind)
		return context.Cause(ctx)
	}
	r.end(recording.EndRefused)
	r.problem(recording.ProblemRefused, "%v", err)
	return err
}

// place is where the burst's objects are.
func place(b *recording.Burst, runID string) load.Place {
	return load.Place{Namespace: b.Namespace, Name: b.BurstID, RunID: runID}
}

func (r *runner) end(reason recording.EndReason) {
	r.ended = r.Clock()
	r.burst.End, r.burst.EndReason = r.ended.Wall, reason
}

// finish collects the evidence once the burst has ended.
func (r *runner) finish(ctx context.Context) {
	b := r.burst
	if b.Pods == 0 {
		b.Pods = r.tracker.Counts().Seen // as many as came
	}
	b.Health = r.tracker.Health()
	// Foreign pods in the namespace are recorded, too: they took part in the queues,
	// and framework/timeline counts them.
	b.Watch = append(r.tracker.Observations(), r.Watcher.Foreign(b.Began())...)
	r.nodes()
	if moved := step(r.began, r.ended); moved.Abs() > r.MaxClockStep {
		r.problem(recording.ProblemClockStep, "the observer's wall clock moved by %v against its monotonic clock", moved)
	}
	if ctx.Err() == nil && b.EndReason != recording.EndRefused {
		r.compare(r.snapshot(ctx))
		r.finishAudit(ctx)
		r.logs(ctx)
	}
	b.Events = r.tracker.Events(b.Workload.Kind, b.Workload.Name)
}
