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
	// auditInterval is how often the log is looked at, after the burst.
	auditInterval = 100 * time.Millisecond
	// auditSettle passes between the burst's end and its end marker. A watch
	// may deliver a change before the request that made it is answered, and
	// only the answered are in the log: the last ones get time to be.
	auditSettle = 250 * time.Millisecond
)

// auditing is the state of reading the audit log.
type auditing struct {
	start    audit.Marker
	disabled bool
}

// startAudit sets the mark from which the burst's log counts. The request is
// made even without an audit log: it opens the client's connection, so that the
// submission does not pay for a handshake. Where others submit, nothing is asked in vain.
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

// marks chooses what may be a mark of the burst, or explain one: every request
// in its namespace, for all of them took tokens of their senders' limiters
// (framework/station). Watches take none, and the observer's own markers are no part of it.
func (r *runner) marks(e recording.AuditEvent) bool {
	return e.Namespace == r.burst.Namespace && e.Verb != "watch" && !audit.IsMarker(e)
}

// clocks records how far the API server's clock is from the observer's. If it
// kept its distance, both bounds hold and their intersection is closer.
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
