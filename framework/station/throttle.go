// Package station says what the components' client-side limiters did during a
// burst: how many requests passed them, how long these waited, how long the
// limiter had to take at least, and whether that is what a phase waited for. It
// is a pure function of a recording.
//
// Two sources complement each other. client-go's histogram
// rest_client_rate_limiter_duration_seconds tells how long requests waited, for a
// process as a whole: where it has several limiters (one for each controller of
// kube-controller-manager, one for a kubelet's Events) their waits are summed up.
// The audit log tells which requests passed the one limiter that did the burst's
// work, and when, so that its bucket can be replayed.
package station

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Limiter is one process's limiters during a burst.
type Limiter struct {
	// Instance is the process as clusters.Instance.String names it.
	Instance  string
	Component clusters.Component
	// Limits are in force in the process; Known is false where they could not be read.
	Limits clusters.Limits
	Known  bool
	// Requests passed the process's limiters; Waited of them waited longer than 5 ms.
	Requests, Waited int
	// Wait is the sum of all waits: requests wait side by side, so it may
	// exceed the burst. MaxWait bounds the longest from above, as exactly as
	// the histogram's buckets tell.
	Wait, MaxWait time.Duration
	// Logged are the waits that the process logged: those of more than a second
	// at -v=2, of which client-go writes one a second at most, and all of more
	// than 50 ms at higher levels. Each counts once. LongestLogged is the longest
	// of them, which bounds the longest wait from below.
	Logged        int
	LongestLogged time.Duration
	Regime        Regime

	// Phase is the phase that the process can hold up; empty for one that has
	// no part in a pod's start. PhaseP99 is its 99th percentile, of a
	// kubelet's own pods.
	Phase    string
	PhaseP99 time.Duration
	// Passed are the requests of the one limiter that did the burst's work,
	// until the last that the pods needed, and Needed those that they cannot do
	// without: a creation for each pod (kube-controller-manager), a binding
	// (kube-scheduler), a GET and a PATCH for each status write (a kubelet).
	// Without an audit log Passed is Needed, and a kubelet is taken to need one
	// write for each pod.
	Passed, Needed int
	// Audited: Passed was counted in the audit log.
	Audited bool
	// Floor is the least time in which the limiter lets Passed requests
	// through; see Spread. 0 where the limits are not known.
	Floor time.Duration
	// Took is the time from the first to the last of the Passed requests;
	// without an audit log, from the first pod's mark to the last one's.
	Took time.Duration
	// Held is for how much of Took the next request had to wait for a token,
	// by a replay of the bucket; without an audit log, or with one that lacks
	// requests, the Floor if requests waited. This is the time lost to the limiter.
	Held time.Duration

	passage passage
}

// Attribute lists the limiters of every process whose metrics were recorded
// before and after the burst, by name. Processes without the metric, or whose
// metrics cannot be compared, are left out.
func Attribute(b recording.Burst, t timeline.Timeline, effective clusters.Effective) []Limiter {
	var limiters []Limiter
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		pair := b.Metrics[name]
		w, err := between(pair.Before, pair.After)
		if err != nil {
			continue
		}
		l := Limiter{Instance: name, Requests: w.requests, Waited: w.waited, Wait: w.sum, MaxWait: w.longest}
		l.Limits, l.Known = effective[name]
		l.logged(b.Logs)
		instance := instanceOf(name)
		l.Component = instance.Component
		// Of a passive burst nobody knows when the pods' creator began.
		if at, ok := whereHeld[instance.Component]; ok && t.Available(at.phase) {
			l.Phase = at.phase.Name
			l.work(&b, &t, instance, at)
		}
		if l.Audited { // Events through another client are no part of the bucket's rhythm
			w.requests = min(w.requests, l.Passed)
		}
		l.Regime = regime(w, l.Limits, l.Known)
		if l.Known && l.Phase != "" && l.Regime != Idle {
			l.hold()
		}
		limiters = append(limiters, l)
	}
	return limiters
}

// logged takes the waits that the process logged.
func (l *Limiter) logged(lines []recording.LogLine) {
	for i := range lines {
		if lines[i].Kind == recording.LogThrottled && lines[i].Instance == l.Instance {
			l.Logged++
			l.LongestLogged = max(l.LongestLogged, seconds(lines[i].WaitSeconds))
		}
	}
}

// whereHeld is the phase that ends with a component's work, and the mark of that work.
var whereHeld = map[clusters.Component]struct {
	phase timeline.Phase
	// requests that one pod needs at least.
	requests int
}{
	clusters.KubeControllerManager: {timeline.Phase{Name: "submit_to_create", From: timeline.Submit, To: timeline.Create}, 1},
	clusters.KubeScheduler:         {timeline.Phase{Name: "create_to_schedule", From: timeline.Create, To: timeline.Schedule}, 1},
	clusters.Kubelet:               {timeline.Phase{Name: "schedule_to_run", From: timeline.Schedule, To: timeline.Run}, 2},
}

func instanceOf(name string) clusters.Instance {
	if node, ok := strings.CutPrefix(name, string(clusters.Kubelet)+"-"); ok {
		return clusters.Instance{Component: clusters.Kubelet, Node: node}
	}
	return clusters.Instance{Component: clusters.Component(name)}
}

// work fills in what the instance did for the burst's pods.
func (l *Limiter) work(b *recording.Burst, t *timeline.Timeline, instance clusters.Instance, at struct {
	phase    timeline.Phase
	requests int
}) {
	pods := 0
	var durations []float64
	var first, last time.Time
	for i := range t.Pods {
		p := &t.Pods[i]
		if instance.Component == clusters.Kubelet && p.Node != instance.Node {
			continue
		}
		pods++
		if d, _, to, ok := p.Duration(at.phase); ok {
			durations = append(durations, d.Seconds())
			if first.IsZero() || to.At.Before(first) {
				first = to.At
			}
			if to.At.After(last) {
				last = to.At
			}
		}
	}
	slices.Sort(durations)
	if p99, ok := stats.Quantile(durations, 0.99); ok {
		l.PhaseP99 = seconds(p99)
	}
	if instance.Component != clusters.Kubelet {
		pods = max(pods, b.Pods)
	}
	l.Needed = at.requests * pods
	l.Passed, l.Took = l.Needed, last.Sub(first)
	l.passage = passed(b, t, instance)
	if at := l.passage.at; len(at) > 0 {
		l.Audited = true
		l.Needed, l.Passed = l.passage.needed, len(at)
		l.Took = at[len(at)-1].Sub(at[0])
	}
	if l.Known {
		l.Floor = Spread(l.Passed, l.Limits)
	}
}

// hold fills in Held for a limiter in which requests waited.
func (l *Limiter) hold() {
	if !l.Audited {
		l.Held = min(l.Floor, l.Took)
		return
	}
	if r := replayed(l.passage.at, l.Limits); r.ok {
		l.Held = r.held
		// The metric knows of waits that the log does not explain: it lacks
		// requests that took tokens, and the floor is all that is certain.
		if 2*r.waited < l.Waited {
			l.Held = max(r.held, min(l.Floor, l.Took))
		}
	}
}

// The least that counts as held up: what nobody would notice is not worth a sentence.
const (
	leastHeld  = 100 * time.Millisecond
	leastShare = 0.1
)

// HeldUp tells whether the limiter is a reason for its phase's length: requests
// waited, and the phase lost at least 0.1 s and a tenth of its p99 to it.
func (l *Limiter) HeldUp() bool {
	return l.Regime != Idle && l.Held >= leastHeld && l.Held.Seconds() >= leastShare*l.PhaseP99.Seconds()
}
