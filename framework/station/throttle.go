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
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Limiter is what one process's client-side limiters did during a burst.
type Limiter struct {
	// Component is the process, as "kube-scheduler" or "kubelet-node-1"; "observer" is
	// podburst itself, whose client has no limiter: it never waits.
	Component string `json:"component"`
	// Requests passed the process's limiters; Waited of them waited longer than 5 ms.
	Requests int `json:"requests"`
	Waited   int `json:"waited"`
	// WaitSeconds sums up all waits: requests wait side by side, so it may exceed the
	// burst. MaxWaitSeconds bounds the longest from above, by a bucket of the metric.
	WaitSeconds    stats.Seconds `json:"waitSeconds"`
	MaxWaitSeconds stats.Seconds `json:"maxWaitSeconds"`
	// LoggedWaits are those that the process logged (more than 1 s at -v=2, one a
	// second at most; more than 50 ms at higher levels), each counted once; the longest
	// of them bounds the longest wait from below.
	LoggedWaits          int           `json:"loggedWaits"`
	LongestLoggedSeconds stats.Seconds `json:"longestLoggedSeconds"`
	// Phase is the one that the process can hold up, PhaseP99Seconds its p99 (of a
	// kubelet's own pods); empty and 0 where it has no part in a pod's start.
	Phase           string        `json:"phase,omitempty"`
	PhaseP99Seconds stats.Seconds `json:"phaseP99Seconds"`
	// PassedRequests are those of the one limiter that did the burst's work, until the
	// last one that the pods needed. NeededRequests of them are indispensable: a
	// creation for each pod (kube-controller-manager), a binding (kube-scheduler), a GET
	// and a PATCH for each status write (a kubelet). RequestsSource is "audit" where
	// they were counted in the audit log. Otherwise it is "pods": what the number of
	// pods needs at least, with one status write for each.
	PassedRequests int    `json:"passedRequests"`
	NeededRequests int    `json:"neededRequests"`
	RequestsSource string `json:"requestsSource" jsonschema:"enum=audit,enum=pods"`
	// FloorSeconds is the least time in which the limiter lets PassedRequests through,
	// (requests - burst) / QPS; 0 where the limits are not known.
	FloorSeconds stats.Seconds `json:"floorSeconds"`
	// TookSeconds is the time from the first to the last of PassedRequests; without an
	// audit log, from the first pod's mark to the last one's.
	TookSeconds stats.Seconds `json:"tookSeconds"`
	// HeldSeconds is for how much of TookSeconds the next request waited for a token,
	// by a replay of the bucket: the time lost to the limiter. Without an audit log, or
	// with one that lacks requests, it is FloorSeconds if requests waited.
	HeldSeconds stats.Seconds `json:"heldSeconds"`
	// HeldUp: the limiter is a reason for the phase's length. Requests waited, and the
	// phase lost at least 0.1 s and a tenth of its p99 to it.
	HeldUp bool `json:"heldUp"`
	// Regime is "idle", "bursty", "pacing" or "queueing".
	Regime Regime `json:"regime"`

	kind clusters.Component
	// limits are in force in the process; known is false where they could not be read.
	limits  clusters.Limits
	known   bool
	passage passage
}

// The values of Limiter.RequestsSource.
const (
	fromAudit = "audit"
	fromPods  = "pods"
)

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
		l := Limiter{
			Component: name, Requests: w.requests, Waited: w.waited, RequestsSource: fromPods,
			WaitSeconds: stats.SecondsOf(w.sum), MaxWaitSeconds: stats.SecondsOf(w.longest),
		}
		l.limits, l.known = effective[name]
		l.logged(b.Logs)
		instance := clusters.ParseInstance(name)
		l.kind = instance.Component
		// Of a passive burst nobody knows when the pods' creator began.
		if at, ok := whereHeld[instance.Component]; ok && t.Available(at.phase) {
			l.Phase = at.phase.Name
			l.work(&b, &t, instance, at)
		}
		if l.audited() { // Events through another client are no part of the bucket's rhythm
			w.requests = min(w.requests, l.PassedRequests)
		}
		l.Regime = regime(w, l.limits, l.known)
		if l.known && l.Phase != "" && l.Regime != Idle {
			l.hold()
		}
		l.HeldUp = l.heldUp()
		limiters = append(limiters, l)
	}
	return limiters
}

// logged takes the waits that the process logged.
func (l *Limiter) logged(lines []recording.LogLine) {
	for i := range lines {
		if lines[i].Kind == recording.LogThrottled && lines[i].Instance == l.Component {
			l.LoggedWaits++
			l.LongestLoggedSeconds = max(l.LongestLoggedSeconds, stats.Seconds(lines[i].WaitSeconds))
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
		l.PhaseP99Seconds = stats.Seconds(p99)
	}
	if instance.Component != clusters.Kubelet {
		pods = max(pods, b.Pods)
	}
	l.NeededRequests = at.requests * pods
	l.PassedRequests, l.TookSeconds = l.NeededRequests, stats.SecondsOf(last.Sub(first))
	l.passage = passed(b, t, instance)
	if at := l.passage.at; len(at) > 0 {
		l.RequestsSource = fromAudit
		l.NeededRequests, l.PassedRequests = l.passage.needed, len(at)
		l.TookSeconds = stats.SecondsOf(at[len(at)-1].Sub(at[0]))
	}
	if l.known {
		l.FloorSeconds = stats.SecondsOf(Spread(l.PassedRequests, l.limits))
	}
}

// hold fills in HeldSeconds for a limiter in which requests waited.
func (l *Limiter) hold() {
	floor := min(l.FloorSeconds, l.TookSeconds)
	if !l.audited() {
		l.HeldSeconds = floor
		return
	}
	if r := replayed(l.passage.at, l.limits); r.ok {
		l.HeldSeconds = stats.SecondsOf(r.held)
		// The metric knows of waits that the log does not explain: it lacks
		// requests that took tokens, and the floor is all that is certain.
		if 2*r.waited < l.Waited {
			l.HeldSeconds = max(l.HeldSeconds, floor)
		}
	}
}

func (l *Limiter) audited() bool { return l.RequestsSource == fromAudit }

// The least that counts as held up: what nobody would notice is not worth a sentence.
const (
	leastHeld  stats.Seconds = 0.1
	leastShare               = 0.1
)

func (l *Limiter) heldUp() bool {
	return l.Regime != Idle && l.HeldSeconds >= leastHeld && l.HeldSeconds >= leastShare*l.PhaseP99Seconds
}
