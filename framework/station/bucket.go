package station

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/internal/span"
)

// bucket is one token bucket's passage in the audit log, the one that did the burst's work.
type bucket struct {
	// at is when the API server received each request that took a token.
	at []time.Time
	// needed of them the pods cannot do without; until is how many had passed when the
	// last of these did.
	needed, until int
	// others is how many requests of each kind (verb) of the process may have waited in its
	// other buckets: those beyond what a full bucket lets through at once. unseen are
	// requests that the process counted and the audit log does not show.
	others map[string]int
	unseen int
	// othersLongest is longer than any of these waits.
	othersLongest time.Duration
	// possible is when the next request may have waited for a token; jitter is how far
	// the times of receipt stray from the bucket's rhythm.
	possible span.Set
	jitter   time.Duration
}

// lane tells a process's buckets apart. kube-controller-manager has one for each
// controller; Events of kube-scheduler and kubelets have a client of their own.
type lane struct {
	sender evidence.Sender
	events bool
}

// laneOf is the bucket that a request passed; ok is false for one that passes none of the
// limited ones: watches, heartbeats.
func laneOf(e *recording.AuditEvent, component clusters.Component) (l lane, ok bool) {
	l.sender = evidence.SenderOf(e)
	if e.Verb == "watch" {
		return l, false
	}
	if component == clusters.KubeControllerManager {
		return l, true
	}
	if e.Resource == "leases" || e.Resource == "nodes" {
		return l, false
	}
	l.events = e.Resource == "events"
	return l, true
}

// of tells whether the instance sent the request.
func (s *scene) sentBy(e *recording.AuditEvent, instance clusters.Instance) bool {
	if instance.Component != clusters.Kubelet {
		return strings.HasPrefix(e.UserAgent, string(instance.Component))
	}
	if !fromKubelet(e) {
		return false
	}
	if node, ok := strings.CutPrefix(e.User, "system:node:"); ok {
		return node == instance.Node
	}
	return e.Resource == "pods" && s.onNode[e.Name] == instance.Node
}

// neededFrom tells whether the burst's pods cannot do without the request.
func neededFrom(e *recording.AuditEvent, component clusters.Component) bool {
	if e.Resource != "pods" || e.Code < 200 || e.Code > 299 {
		return false
	}
	switch component {
	case clusters.KubeControllerManager:
		return e.Verb == "create" && e.Subresource == ""
	case clusters.KubeScheduler:
		return e.Verb == "create" && e.Subresource == "binding"
	}
	return isStatusWrite(e)
}

// bucketOf finds the instance's bucket that most of the pods' requests passed.
// counted is how many requests of each verb its process counted.
func (s *scene) bucketOf(instance clusters.Instance, counted map[string]int, limits clusters.Limits) bucket {
	lanes, need := map[lane]map[string]int{}, map[evidence.Sender]int{}
	var b bucket
	for i := range s.requests.Events {
		e := &s.requests.Events[i]
		if !s.sentBy(e, instance) {
			continue
		}
		l, ok := laneOf(e, instance.Component)
		if !ok {
			continue
		}
		if lanes[l] == nil {
			lanes[l] = map[string]int{}
		}
		lanes[l][httpVerb(e.Verb)]++
		if _, own := s.onNode[e.Name]; own && neededFrom(e, instance.Component) {
			need[l.sender]++
		}
	}
	whose, n := evidence.Most(need)
	if n == 0 {
		return b
	}
	own := lane{sender: whose}
	b.needed = n
	var length []time.Duration
	reads := 0
	var last time.Time
	for i := range s.requests.Events {
		e := &s.requests.Events[i]
		if l, ok := laneOf(e, instance.Component); ok && l == own && s.sentBy(e, instance) {
			b.at = append(b.at, e.Received)
			length = append(length, e.Completed.Sub(e.Received))
			if e.Verb == "get" {
				reads++
			}
			if _, pod := s.onNode[e.Name]; pod && neededFrom(e, instance.Component) {
				last = e.Received
			}
		}
	}
	if instance.Component == clusters.Kubelet && reads == 0 {
		// A kubelet reads a pod before it writes its status. Where the log has no reads,
		// each write stands for both.
		b.at = append(b.at, b.at...)
		slices.SortFunc(b.at, time.Time.Compare)
		b.needed *= 2
	}
	for _, t := range b.at {
		if !t.After(last) {
			b.until++
		}
	}
	b.overlap(lanes, own, counted, limits)
	b.othersLongest = s.longestOther(instance, own, b.unseen > limits.KubeAPIBurst)
	b.replay(limits, length)
	return b
}

// overlap counts the waits that may be those of other buckets, verb by verb.
func (b *bucket) overlap(lanes map[lane]map[string]int, own lane, counted map[string]int, limits clusters.Limits) {
	b.others = map[string]int{}
	unseen := map[string]int{}
	for verb, n := range counted {
		for _, of := range lanes {
			n -= of[verb]
		}
		unseen[verb] = max(0, n)
		b.unseen += unseen[verb]
	}
	for l, of := range lanes {
		if l == own {
			continue
		}
		all := b.unseen
		for _, n := range of {
			all += n
		}
		for verb, n := range of {
			b.others[verb] += min(n, max(0, all-limits.KubeAPIBurst))
		}
	}
	for verb, n := range unseen {
		b.others[verb] += min(n, max(0, b.unseen-limits.KubeAPIBurst))
	}
	for verb, n := range counted {
		b.others[verb] = min(b.others[verb], max(0, n-lanes[own][verb])) // the own ones are not others'
	}
}

// shared tells whether waits of other buckets may be among those that were counted.
func (b *bucket) shared() bool {
	for _, n := range b.others {
		if n > 0 {
			return true
		}
	}
	return false
}

// httpVerb is how clients count what the audit log calls by Kubernetes' names.
func httpVerb(verb string) string {
	switch verb {
	case "create":
		return "POST"
	case "update":
		return "PUT"
	case "get", "list", "watch":
		return "GET"
	case "deletecollection":
		return "DELETE"
	}
	return strings.ToUpper(verb)
}

// longestOther bounds how long a request of the instance can have waited in another bucket
// than the burst's. An Event about a pod is sent after what it tells of, the pod's binding,
// so that it cannot have waited since before that. Of other requests it is not known.
func (s *scene) longestOther(instance clusters.Instance, own lane, unseen bool) time.Duration {
	if unseen {
		return math.MaxInt64
	}
	var longest time.Duration
	for i := range s.requests.Events {
		e := &s.requests.Events[i]
		l, ok := laneOf(e, instance.Component)
		if !ok || l == own || !s.sentBy(e, instance) {
			continue
		}
		pod, _, _ := strings.Cut(e.Name, ".")
		bound, known := s.bound[pod]
		if !l.events || !known || e.Received.Before(bound) {
			return math.MaxInt64
		}
		longest = max(longest, e.Received.Sub(bound))
	}
	return longest + time.Nanosecond
}

// replay sends the requests through a bucket, full at first, at the times at which they
// were received, and finds when the next one may have waited for a token.
//
// A request is received later than its limiter let it go, by an amount that varies. It
// varies by at least what it takes to explain receipts that come faster than tokens do,
// and by as much as requests take at the API server as a rule, for both wait for the
// same processors. Within that the replay calls a wait possible.
func (b *bucket) replay(limits clusters.Limits, length []time.Duration) {
	if limits.KubeAPIQPS <= 0 || len(b.at) == 0 {
		return
	}
	q, full := limits.KubeAPIQPS, float64(limits.KubeAPIBurst)
	debt := 0.0
	walk(b.at, q, full, func(_ int, _, tokens float64) { debt = max(debt, -tokens) })
	b.jitter = min(b.at[len(b.at)-1].Sub(b.at[0]), time.Duration(debt/q*float64(time.Second)))
	if len(length) > 0 {
		slices.Sort(length)
		b.jitter = max(b.jitter, length[(len(length)*9)/10])
	}
	slack := max(1, q*b.jitter.Seconds())
	var possible []span.Span
	walk(b.at, q, full, func(i int, before, _ float64) {
		if i > 0 && before < 1+slack {
			possible = append(possible, span.Span{From: b.at[i-1].Add(-b.jitter), To: b.at[i].Add(b.jitter)})
		}
	})
	b.possible = span.Union(possible, 0).Clip(span.Span{From: b.at[0], To: b.at[len(b.at)-1]})
}

// walk tells how many tokens there are before and after each request.
func walk(at []time.Time, q, full float64, visit func(i int, before, after float64)) {
	tokens := full
	for i, t := range at {
		if i > 0 {
			tokens = min(full, tokens+t.Sub(at[i-1]).Seconds()*q)
		}
		visit(i, tokens, tokens-1)
		tokens--
	}
}
