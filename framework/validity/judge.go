// Package validity decides whether a burst's measurement can be trusted: it
// lists the reasons for which it cannot. An invalid burst is neither fast nor
// slow; it is kept in every report, with its reasons, and counts for nothing.
//
// It fails closed: what cannot be shown to be whole is invalid, and a burst
// without samples never passes. Setting "assumptions not met" apart from the
// verdict is the idea of etcd's robustness tests.
package validity

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

// DefaultClockError is what two clocks of one host may disagree by: the
// observer and the API server read the same clock there, and the rest is the
// coarseness of scheduling between reading it and using the value.
const DefaultClockError = 2 * time.Millisecond

// Options tune Judge. The zero value is what reports use.
type Options struct {
	// ClockError is how far the observer's clock and the API server's may be
	// apart. It is widened to Burst.ClockOffset where that was measured.
	// Default: DefaultClockError.
	ClockError time.Duration
	// Profile holds the problems of the burst's profile, which hold for each
	// of its bursts (recording.Profile.Problems).
	Profile []recording.Problem
}

// Judge returns the reasons to distrust the burst, none if it is valid. t is
// the burst's own timeline. Problems recorded come first, as they were
// recorded; then what follows from the record, in a fixed order. Details name
// at most five pods.
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

// add appends a problem unless the very same is there.
func (j *judge) add(code, format string, args ...any) {
	p := recording.Problem{Code: code, Detail: fmt.Sprintf(format, args...)}
	if !slices.Contains(j.problems, p) {
		j.problems = append(j.problems, p)
	}
}

// addOnce appends a problem unless one of its code was recorded already: who
// recorded it knew more.
func (j *judge) addOnce(code, format string, args ...any) {
	if !slices.ContainsFunc(j.problems, func(p recording.Problem) bool { return p.Code == code }) {
		j.add(code, format, args...)
	}
}

// ending judges why observing ended. A deadline and a failed pod need no
// problem of their own: the pods that they cut off are pending, failed or lost.
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
		// Nothing is lost, but what happened meanwhile is stamped when it came.
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

// samples comes last: the other reasons say why there are none.
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

// namesShown is how many pods a detail names.
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
