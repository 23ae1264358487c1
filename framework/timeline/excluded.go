package timeline

import (
	"regexp"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/span"
)

// Excluded is the time that the Kubernetes pod startup SLI leaves out of one pod's start.
// The spans are in the observer's clock.
type Excluded struct {
	// Pulls are the pod's image pulls, with the lengths that the kubelet reports. Events
	// come late or never, so a pull's position in time is not exact, but its length is.
	Pulls []span.Span
	// Unplaced is the time in which the pod was gated or could not be scheduled.
	// Initializing is the time from its sandbox until its init containers had run.
	Unplaced, Initializing span.Span
	// UnplacedSeen is when it was last seen without a place: its place may have been free
	// from then on.
	UnplacedSeen time.Time
	// Gated: it was seen with scheduling gates, so that Unplaced ends when the last was seen gone.
	Gated bool
}

// Length is the total time left out. Pulls for an init container count once.
func (e Excluded) Length() time.Duration {
	waits := span.Union([]span.Span{e.Unplaced, e.Initializing}, 0)
	sum := waits.Length()
	for _, pull := range e.Pulls {
		sum += pull.Length() - waits.Within(pull)
	}
	return sum
}

// Exclude finds what the SLI leaves out of each pod, by UID. Pods without anything to leave
// out are absent.
func Exclude(b *recording.Burst) map[string]Excluded {
	all := map[string]Excluded{}
	for uid, pulls := range pulls(b) {
		all[uid] = Excluded{Pulls: pulls}
	}
	initialized, gated := map[string]bool{}, map[string]bool{}
	for i := range b.Watch {
		o := &b.Watch[i]
		e := all[o.UID]
		gated[o.UID] = gated[o.UID] || o.SchedulingGates > 0
		e.Gated = gated[o.UID]
		was := e.Unplaced == (span.Span{}) && e.Initializing == (span.Span{})
		switch placed := placement(o, gated[o.UID]); {
		case !placed && e.Unplaced.From.IsZero():
			e.Unplaced.From, e.UnplacedSeen = o.At, o.At
		case !placed && e.Unplaced.To.IsZero():
			e.UnplacedSeen = o.At
		case placed && !e.Unplaced.From.IsZero() && e.Unplaced.To.IsZero():
			e.Unplaced.To = o.At
		}
		if o.InitContainers > 0 {
			sandbox, done := holds(o, conditionSandbox), holds(o, conditionInitialized)
			switch {
			case sandbox && !done && e.Initializing.From.IsZero():
				e.Initializing.From = o.At
			case done && !e.Initializing.From.IsZero() && !initialized[o.UID]:
				e.Initializing.To = o.At
			}
			initialized[o.UID] = initialized[o.UID] || done
		}
		if !was || e.Unplaced != (span.Span{}) || e.Initializing != (span.Span{}) {
			all[o.UID] = e
		}
	}
	return all
}

const conditionInitialized = "Initialized"

func holds(o *recording.Observation, kind string) bool {
	for i := range o.Conditions {
		if o.Conditions[i].Type == kind {
			return o.Conditions[i].Status == "True"
		}
	}
	return false
}

// placement is false while the pod is gated or no node takes it. Its condition is behind
// when its gates are removed, so that where gates were seen these decide.
func placement(o *recording.Observation, gated bool) bool {
	if o.Node != "" {
		return true
	}
	if o.SchedulingGates > 0 {
		return false
	}
	for i := range o.Conditions {
		c := &o.Conditions[i]
		if c.Type == conditionScheduled && c.Status == "False" && (c.Reason == "Unschedulable" || c.Reason == "SchedulingGated" && !gated) {
			return false
		}
	}
	return true
}

// pulled matches the kubelet's message about how long a pull took. With serial pulls that
// includes the time in the queue, which is also given separately ("2.5s (4s including
// waiting)").
var pulled = regexp.MustCompile(`^Successfully pulled image .* in ([0-9a-zµ.]+s)(?: \(([0-9a-zµ.]+s) including waiting\))?`)

// pulls returns the pods' image pulls by UID, from the kubelet's Pulled Events. Every
// change of an Event is seen again and may be recorded twice, so equal messages about the
// same pod are one pull.
func pulls(b *recording.Burst) map[string][]span.Span {
	all := map[string][]span.Span{}
	type event struct{ uid, message string }
	seen := map[event]bool{}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Reason != "Pulled" || e.Kind != "Pod" || e.UID == "" || seen[event{e.UID, e.Message}] {
			continue
		}
		seen[event{e.UID, e.Message}] = true
		found := pulled.FindStringSubmatch(e.Message)
		if found == nil { // already known
			continue
		}
		text := found[1]
		if found[2] != "" {
			text = found[2]
		}
		if d, err := time.ParseDuration(text); err == nil && d > 0 && d < 24*time.Hour {
			all[e.UID] = append(all[e.UID], span.Span{From: e.At.Add(-d), To: e.At})
		}
	}
	return all
}
