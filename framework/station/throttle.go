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

// Limiter is what the client-side limiters of one process did during a burst.
type Limiter struct {
	// Component is the process, as "kube-scheduler" or "kubelet-node-1". "observer" is
	// podburst itself, whose client has no limiter and never waits.
	Component string `json:"component"`
	// Requests is how many requests passed the process's limiters, by its own metric.
	Requests int `json:"requests"`
	// Waited is how many of the requests waited longer than 5 ms.
	Waited int `json:"waited"`
	// WaitSeconds is the sum of all waits. Requests wait side by side, so it may exceed
	// the length of the burst.
	WaitSeconds stats.Seconds `json:"waitSeconds"`
	// MaxWaitSeconds is an upper bound of the longest wait: the bound of a bucket of the
	// metric.
	MaxWaitSeconds stats.Seconds `json:"maxWaitSeconds"`
	// LoggedWaits is how many waits the process logged, each counted once. At -v=2 it logs
	// those over 1 s, at most one a second; at higher levels those over 50 ms.
	LoggedWaits int `json:"loggedWaits"`
	// LongestLoggedSeconds is the longest logged wait, a lower bound of the longest wait.
	LongestLoggedSeconds stats.Seconds `json:"longestLoggedSeconds"`
	// Phase is the phase that the process can hold up. Absent where it has no part in a
	// pod's start.
	Phase string `json:"phase,omitempty"`
	// PhaseP99Seconds is the p99 of Phase, for a kubelet over its own pods. 0 where there
	// is no phase.
	PhaseP99Seconds stats.Seconds `json:"phaseP99Seconds"`
	// PassedRequests is how many requests passed the one limiter that did the burst's
	// work, up to the last one that the pods needed.
	PassedRequests int `json:"passedRequests"`
	// NeededRequests is how many of PassedRequests the pods could not do without: a
	// creation for each pod (kube-controller-manager), a binding (kube-scheduler), or a
	// GET and a PATCH for each status write (kubelet).
	NeededRequests int `json:"neededRequests"`
	// RequestsSource says where PassedRequests and NeededRequests come from: "audit" where
	// they were counted in the audit log, "pods" where they are what that number of pods
	// needs at least.
	RequestsSource string `json:"requestsSource" jsonschema:"enum=audit,enum=pods"`
	// FloorSeconds is the least time in which the limiter lets PassedRequests through,
	// (requests - burst) / QPS. 0 where the limits are not known.
	FloorSeconds stats.Seconds `json:"floorSeconds"`
	// TookSeconds is the time from the first to the last of PassedRequests; without an
	// audit log, from the first pod's mark to the last one's.
	TookSeconds stats.Seconds `json:"tookSeconds"`
	// HeldSeconds is how much of TookSeconds the next request waited for a token, by a
	// replay of the bucket: the time lost to the limiter. Without a complete audit log it
	// is FloorSeconds if requests waited.
	HeldSeconds stats.Seconds `json:"heldSeconds"`
	// HeldUp tells whether the limiter is a reason for the length of the phase: requests
	// waited, and the phase lost at least 0.1 s and a tenth of its p99 to it.
	HeldUp bool `json:"heldUp"`
	// Regime says how hard the limiter worked, from "idle" to "queueing".
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
	leastShare stats.Seconds = 0.1
)

func (l *Limiter) heldUp() bool {
	return l.Regime != Idle && l.HeldSeconds >= leastHeld && l.HeldSeconds >= leastShare*l.PhaseP99Seconds
}
