package burst

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/recording"
)

const (
	// auditInterval is how often the log is read after the burst.
	auditInterval = 100 * time.Millisecond
	// auditSettle is the wait between the burst's end and its end marker. A watch may
	// deliver a change before the request that made it is answered, and the log holds
	// only answered requests. The wait gives the last ones time to get there.
	auditSettle = 250 * time.Millisecond
)

// auditing is the state of reading the audit log.
type auditing struct {
	start    audit.Marker
	disabled bool
}

// startAudit sets the mark from which the burst's log counts. The request is made
// even without an audit log: it opens the client's connection, so that the submission
// does not pay for a handshake. If others submit the pods and there is no log,
// nothing is asked.
func (r *runner) startAudit(ctx context.Context) error {
	r.audited.disabled = r.Audit == nil
	if r.Audit == nil && r.terms.Others() {
		return nil
	}
	if r.Audit != nil {
		err := r.Audit.Skip(ctx)
		switch {
		case errors.Is(err, clusters.ErrUnsupported):
			r.burst.AuditUnavailable = err.Error()
			r.audited.disabled = true
		case err != nil:
			r.problem(recording.ProblemAuditGap, "before the burst: %v", err)
			r.audited.disabled = true
		}
	}
	var err error
	r.audited.start, err = audit.Mark(ctx, r.Client, r.burst.Namespace, r.burst.BurstID+"-start", r.Clock.wall)
	return err
}

// finishAudit reads the burst's part of the log and compares the clocks.
func (r *runner) finishAudit(ctx context.Context) {
	if r.audited.disabled {
		return
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.AuditTimeout, fmt.Errorf("not within %v", r.AuditTimeout))
	defer cancel()
	select {
	case <-time.After(auditSettle):
	case <-ctx.Done():
	}
	end, err := audit.Mark(ctx, r.Client, r.burst.Namespace, r.burst.BurstID+"-end", r.Clock.wall)
	if err != nil {
		r.problem(recording.ProblemAuditGap, "after the burst: %v", err)
		return
	}
	var started *recording.AuditEvent
	keep := func(e recording.AuditEvent) bool {
		if r.audited.start.Is(e) {
			started = &e
		}
		return started != nil && r.marks(e)
	}
	reading, err := r.Audit.WaitFor(ctx, audit.Window{}, keep, end.Is, auditInterval)
	r.burst.Audit = reading.Events
	switch stats := reading.Stats; {
	case err != nil:
		r.problem(recording.ProblemAuditGap, "%v", err)
	case reading.Rotated:
		r.problem(recording.ProblemAuditGap, "the audit log was rotated during the burst: raise --audit-log-maxsize")
	case started == nil:
		r.problem(recording.ProblemAuditGap, "the marker from before the burst is not in the audit log")
	case stats.Malformed+stats.Oversized > 0:
		r.problem(recording.ProblemAuditGap, "%d of %d lines of the audit log cannot be read (%s), %d are too long",
			stats.Malformed, stats.Lines, stats.FirstMalformed, stats.Oversized)
	}
	if started != nil && reading.Found != nil {
		r.clocks(r.audited.start.Offset(*started), end.Offset(*reading.Found))
	}
}

// marks chooses the requests that are marks of the burst or explain one: every
// request in its namespace, since each took a token of its sender's limiter
// (framework/station). Watches take no tokens, and the observer's own markers are not
// part of the burst.
func (r *runner) marks(e recording.AuditEvent) bool {
	return e.Namespace == r.burst.Namespace && e.Verb != "watch" && !audit.IsMarker(e)
}

// clocks records how far the API server's clock is from the observer's. If that
// distance did not change, both bounds hold and their intersection is tighter.
func (r *runner) clocks(before, after recording.ClockOffset) {
	both := recording.ClockOffset{
		LowSeconds:  max(before.LowSeconds, after.LowSeconds),
		HighSeconds: min(before.HighSeconds, after.HighSeconds),
	}
	if gap := both.LowSeconds - both.HighSeconds; gap > 0 {
		if gap > r.MaxClockStep.Seconds() {
			r.problem(recording.ProblemClockStep, "the API server's clock moved by %.3f s or more against the observer's", gap)
		}
		both.LowSeconds = min(before.LowSeconds, after.LowSeconds)
		both.HighSeconds = max(before.HighSeconds, after.HighSeconds)
	}
	r.burst.ClockOffset = &both
	limit := r.MaxClockOffset.Seconds()
	if both.LowSeconds > limit || both.HighSeconds < -limit {
		r.problem(recording.ProblemClockOffset, "the API server's clock is %+.3f to %+.3f s ahead of the observer's, more than %v",
			both.LowSeconds, both.HighSeconds, r.MaxClockOffset)
	}
}
