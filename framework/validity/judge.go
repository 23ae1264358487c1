// Package validity decides whether a burst's measurement can be trusted and lists the
// reasons why not. An invalid burst is neither fast nor slow. It stays in every report,
// with its reasons, but counts for nothing.
//
// It fails closed: a burst that cannot be shown to be complete is invalid, and a burst
// without samples never passes. Separating "assumptions not met" from the verdict is an
// idea from etcd's robustness tests.
package validity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

// DefaultClockError is how far two readings on one host may disagree. The observer and the
// API server read the same clock there; the rest is scheduling delay between reading the
// clock and using the value.
const DefaultClockError = 2 * time.Millisecond

// Options tune Judge. The zero value is what reports use.
type Options struct {
	// ClockError is how far the observer's clock and the API server's may differ. If
	// Burst.ClockOffset was measured, it widens this. Default: DefaultClockError.
	ClockError time.Duration
	// Profile holds the problems of the burst's profile, which apply to each of its bursts
	// (recording.Profile.Problems).
	Profile []recording.Problem
}

// Judge returns the reasons to distrust the burst; none if it is valid. t is the burst's
// own timeline. Recorded problems come first, in the order recorded, then those found in
// the recording, in a fixed order. Details name at most five pods.
func Judge(b recording.Burst, t timeline.Timeline, options Options) []recording.Problem {
	if options.ClockError == 0 {
		options.ClockError = DefaultClockError
	}
	j := &judge{b: &b, t: &t, options: options}
	for _, p := range slices.Concat(options.Profile, b.Problems) {
		j.add(p.Code, "%s", p.Detail)
	}
	j.ending()
	j.watching()
	j.accounting()
	j.pods()
	j.matchedLate()
	j.marks()
	j.holes()
	j.durations()
	j.images()
	j.samples()
	return j.problems
}

type judge struct {
	b        *recording.Burst
	t        *timeline.Timeline
	options  Options
	problems []recording.Problem
}

// add appends a problem unless an identical one is there.
func (j *judge) add(code, format string, args ...any) {
	p := recording.Problem{Code: code, Detail: fmt.Sprintf(format, args...)}
	if !slices.Contains(j.problems, p) {
		j.problems = append(j.problems, p)
	}
}

// addOnce appends a problem unless one with the same code was recorded: the recorder knew
// more.
func (j *judge) addOnce(code, format string, args ...any) {
	if !slices.ContainsFunc(j.problems, func(p recording.Problem) bool { return p.Code == code }) {
		j.add(code, format, args...)
	}
}

// ending judges why observation ended. A deadline and a failed pod need no problem of their
// own: the pods concerned are pending, failed or lost.
func (j *judge) ending() {
	switch j.b.EndReason {
	case recording.EndAllReady, recording.EndDeadline, recording.EndPodFailed, recording.EndSettled:
	case recording.EndInterrupted:
		j.addOnce(recording.ProblemInterrupted, "the run was interrupted while the burst was observed")
	case recording.EndRefused:
		j.addOnce(recording.ProblemRefused, "the API server refused the %s", j.b.Workload.Kind)
	case recording.EndAborted:
		j.addOnce(recording.ProblemComponentExited, "observing was given up, for a component had exited")
	default:
		j.add(recording.ProblemTruncatedRecording, "the recording does not say how the burst ended (%q)", j.b.EndReason)
	}
}

// watching judges the observer and the completeness of its streams.
func (j *judge) watching() {
	h := j.b.Health
	switch {
	case h.Relists > 0:
		j.addOnce(recording.ProblemWatchGap, "the watcher listed anew %d times (after %d watch errors): it may have missed events", h.Relists, h.WatchErrors)
	case h.WatchErrors > 0:
		// Nothing is lost, but events from that time were stamped when they arrived.
		j.addOnce(recording.ProblemWatchGap, "the watch broke off or could not be opened %d times: events were seen late", h.WatchErrors)
	}
	if h.Dropped > 0 {
		j.addOnce(recording.ProblemWatchDropped, "the watcher could not keep %d events", h.Dropped)
	}
	if h.Throttled > 0 {
		j.addOnce(recording.ProblemObserverThrottled, "the API server answered %d of the observer's requests with 429", h.Throttled)
	}
	if len(j.b.Audit) == 0 && j.b.AuditUnavailable == "" && j.b.EndReason != recording.EndRefused {
		j.addOnce(recording.ProblemAuditGap, "the audit log holds nothing of the burst")
	}
}

func (j *judge) accounting() {
	if a := j.t.Accounting; !a.Balanced() || a.Expected != j.b.Pods {
		j.add(recording.ProblemAccounting, "%d pods were asked for; %d expected are not %d ready + %d failed + %d pending + %d lost",
			j.b.Pods, a.Expected, a.Ready, a.Failed, a.Pending, a.Lost)
	}
}

// samples comes last, because the other reasons explain why there are none.
func (j *judge) samples() {
	if p := j.b.Passive; p != nil {
		measured := j.named(func(p *timeline.Pod) bool {
			_, _, _, ok := p.Duration(timeline.Phase{From: timeline.Create, To: timeline.Ready})
			return ok && p.Outcome == timeline.OutcomeReady && !p.Replacement
		})
		switch {
		case len(j.t.Pods) == 0:
			j.addOnce(recording.ProblemNoSamples, "no pod that matches %q was created in namespace %s while it was observed (those that were there before, %d, are left out)",
				p.Selector, j.b.Namespace, p.Existing)
		case len(measured) == 0:
			j.addOnce(recording.ProblemNoSamples, "no pod can be measured from its creation to ready")
		}
		return
	}
	if len(j.t.Completion) == 0 {
		j.addOnce(recording.ProblemNoSamples, "no pod of the burst can be measured from submit to ready")
	}
}

// namesShown is how many pods a detail names at most.
const namesShown = 5

// list joins names: "a, b, c, d, e and 12 more".
func list(names []string) string {
	if len(names) <= namesShown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:namesShown], ", "), len(names)-namesShown)
}

// count is "1 pod" or "7 pods".
func count(n int) string {
	if n == 1 {
		return "1 pod"
	}
	return fmt.Sprintf("%d pods", n)
}
