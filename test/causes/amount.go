package causes

import (
	"cmp"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/span"
)

// Amount is for how long a cause held its phase up, between two bounds that come from
// what was injected and not from the analysis.
type Amount struct{ Low, High time.Duration }

// tolerance is what clocks and rounding may be off by.
const tolerance = 10 * time.Millisecond

// meets tells whether an interval can contain the amount.
func (a Amount) meets(low, high time.Duration) bool {
	slack := max(tolerance, a.High/100)
	return low <= a.High+slack && high >= a.Low-slack
}

// tail are the twentieth of the pods, and at least one, of which a phase took longest:
// what a station held is said of these.
func (b *Burst) tail(from, to timeline.Mark) []*timeline.Pod {
	type long struct {
		pod  *timeline.Pod
		took time.Duration
	}
	var all []long
	for i := range b.Timeline.Pods {
		p := &b.Timeline.Pods[i]
		if d, _, _, ok := p.Duration(timeline.Phase{From: from, To: to}); ok {
			all = append(all, long{p, d})
		}
	}
	slices.SortStableFunc(all, func(x, y long) int { return cmp.Compare(y.took, x.took) })
	var pods []*timeline.Pod
	for _, l := range all[:min(len(all), max(1, len(all)/20))] {
		pods = append(pods, l.pod)
	}
	return pods
}

// mean is the mean of what each pod of a tail was held.
func mean(pods []*timeline.Pod, held func(*timeline.Pod) (Amount, bool)) (Amount, bool) {
	var sum Amount
	for _, p := range pods {
		a, ok := held(p)
		if !ok {
			return Amount{}, false
		}
		sum.Low, sum.High = sum.Low+a.Low, sum.High+a.High
	}
	n := time.Duration(len(pods))
	if n == 0 {
		return Amount{}, false
	}
	return Amount{sum.Low / n, sum.High / n}, true
}

// request is the audit log's event of a pod.
func (b *Burst) request(p *timeline.Pod, subresource string) *recording.AuditEvent {
	for i := range b.Recorded.Audit {
		e := &b.Recorded.Audit[i]
		if e.Resource == "pods" && e.Verb == "create" && e.Subresource == subresource && e.Code < 300 && (e.UID == p.UID || e.UID == "" && e.Name == p.Name) {
			return e
		}
	}
	return nil
}

// webhook: it was at work for that long before the pod was created. Batches of a Job wait
// for each other, so that it is more than one webhook's time. Admission also calls it and
// reads its answer: it held no more than creations of pods were with the API server.
func webhook(b *Burst) (Amount, bool) {
	return mean(b.tail(timeline.Submit, timeline.Ready), func(p *timeline.Pod) (Amount, bool) {
		e := b.request(p, "")
		if e == nil {
			return Amount{}, false
		}
		var posts []span.Span
		for i := range b.Recorded.Audit {
			if a := &b.Recorded.Audit[i]; a.Resource == "pods" && a.Verb == "create" && a.Subresource == "" {
				posts = append(posts, span.Span{From: a.Received, To: a.Completed})
			}
		}
		window := span.Span{From: b.Recorded.Submit, To: e.Completed}
		return Amount{b.Note.holds(window.From, window.To), span.Union(posts, 0).Within(window)}, true
	})
}

// extender: the same between a pod's creation and its binding. The loop does more than to
// ask it, but not more than all of that time.
func extender(b *Burst) (Amount, bool) {
	return mean(b.tail(timeline.Create, timeline.Schedule), func(p *timeline.Pod) (Amount, bool) {
		created, bound := b.request(p, ""), b.request(p, "binding")
		if created == nil || bound == nil {
			return Amount{}, false
		}
		d := b.Note.holds(created.Completed, bound.Received)
		return Amount{d, bound.Received.Sub(created.Completed)}, true
	})
}

// gated: from a pod's creation until its gate was removed.
func gated(b *Burst) (Amount, bool) {
	return mean(b.tail(timeline.Create, timeline.Schedule), func(p *timeline.Pod) (Amount, bool) {
		created := b.request(p, "")
		let, ok := b.Note.Pods[p.Name]
		if created == nil || !ok {
			return Amount{}, false
		}
		return Amount{let.From.Sub(created.Completed), let.To.Sub(created.Received)}, true
	})
}

// full: until the first of the others was gone, from when the scheduler wrote that it had
// no place for the pod, or from the pod's creation at most; and the scheduler's pause
// before it tries a pod again (podInitialBackoffSeconds, 1 s).
func full(b *Burst) (Amount, bool) {
	return mean(b.tail(timeline.Create, timeline.Schedule), func(p *timeline.Pod) (Amount, bool) {
		created := b.request(p, "")
		if created == nil || len(b.Note.Spans) == 0 {
			return Amount{}, false
		}
		gone, tried := b.Note.Spans[0], created.Completed
		for i := range b.Recorded.Audit {
			if e := &b.Recorded.Audit[i]; e.User == "system:kube-scheduler" && e.Subresource == "status" && e.Name == p.Name {
				tried = e.Completed
				break
			}
		}
		return Amount{max(0, gone.From.Sub(tried)), gone.To.Sub(created.Received) + time.Second}, true
	})
}

// observed: what the watch was held back, and what else it took.
func observed(b *Burst) (Amount, bool) {
	pods := b.tail(timeline.Run, timeline.Observed)
	return mean(pods, func(p *timeline.Pod) (Amount, bool) {
		d, _, _, ok := p.Duration(timeline.Phase{From: timeline.Run, To: timeline.Observed})
		return Amount{WatchDelay, max(WatchDelay, d)}, ok
	})
}

// runtimeStart: the three latencies, and a tenth for timers and calls.
func runtimeStart(*Burst) (Amount, bool) {
	d := 20*time.Millisecond + 10*time.Millisecond + StartLatency
	return Amount{d, d + d/10}, true
}

// A limiter's amount follows from the bucket alone: the k-th request cannot pass before
// (k - burst) / QPS, counted from the first. It holds from when the burst's tokens were
// used up; while no request waits it holds nothing, and that is at most while requests of
// the client are with the API server, and for what they take between the two: transit.
func limiter(b *Burst, l clusters.Limits, sent func(*recording.AuditEvent) bool, window func(*timeline.Pod) (span.Span, bool), tail []*timeline.Pod) (Amount, bool) {
	var at []time.Time
	var served []span.Span
	for i := range b.Recorded.Audit {
		e := &b.Recorded.Audit[i]
		if e.Verb != "watch" && sent(e) && !e.Received.Before(b.Recorded.Submit) {
			at = append(at, e.Received)
			served = append(served, span.Span{From: e.Received, To: e.Completed})
		}
	}
	slices.SortFunc(at, time.Time.Compare)
	if len(at) <= l.KubeAPIBurst {
		return Amount{}, false
	}
	busy := span.Union(served, 0)
	return mean(tail, func(p *timeline.Pod) (Amount, bool) {
		w, ok := window(p)
		if !ok {
			return Amount{}, false
		}
		k, _ := slices.BinarySearchFunc(at, w.To, func(t, to time.Time) int {
			if t.After(to) {
				return 1
			}
			return -1
		})
		earliest := at[0].Add(time.Duration(float64(k-l.KubeAPIBurst) / l.KubeAPIQPS * float64(time.Second)))
		empty := at[min(l.KubeAPIBurst, len(at))-1]
		held := span.Set{{From: empty, To: w.To}}
		least := span.Set{{From: empty, To: earliest}}.Minus(busy)
		return Amount{max(0, least.Within(w)*(100-transit)/100), held.Within(w)}, true
	})
}

// transit is the part of a limited client's time, in percent, that its requests may take
// from the limiter to the audit log and back, where others use the processors. 60 requests
// on a busy machine took 3 %.
const transit = 5

func controllerLimiter(b *Burst) (Amount, bool) {
	return limiter(b, controllerLimits, func(e *recording.AuditEvent) bool {
		return e.User == "system:serviceaccount:kube-system:job-controller"
	},
		func(p *timeline.Pod) (span.Span, bool) {
			e := b.request(p, "")
			if e == nil {
				return span.Span{}, false
			}
			return span.Span{From: b.Recorded.Submit, To: e.Received}, true
		}, b.tail(timeline.Submit, timeline.Create))
}

func schedulerLimiter(b *Burst) (Amount, bool) {
	return limiter(b, schedulerLimits, func(e *recording.AuditEvent) bool {
		return e.User == "system:kube-scheduler" && e.Resource != "events" && e.Resource != "leases"
	}, func(p *timeline.Pod) (span.Span, bool) {
		created, bound := b.request(p, ""), b.request(p, "binding")
		if created == nil || bound == nil {
			return span.Span{}, false
		}
		return span.Span{From: created.Completed, To: bound.Received}, true
	}, b.tail(timeline.Create, timeline.Schedule))
}

// kubeletLimiter is of the tail's nodes, each with a bucket of its own.
func kubeletLimiter(b *Burst) (Amount, bool) {
	return mean(b.tail(timeline.Schedule, timeline.Run), func(pod *timeline.Pod) (Amount, bool) {
		return limiter(b, kubeletLimits, func(e *recording.AuditEvent) bool {
			return e.User == "system:node:"+pod.Node && e.Resource != "events" && e.Resource != "leases" && e.Resource != "nodes"
		}, func(p *timeline.Pod) (span.Span, bool) {
			from, okFrom := p.Primary(timeline.Schedule)
			to, okTo := p.Primary(timeline.Ready)
			return span.Span{From: from.At, To: to.At}, okFrom && okTo
		}, []*timeline.Pod{pod})
	})
}
