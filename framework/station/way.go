package station

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/span"
)

// way is one pod's time from submit to ready, leg by leg: where it was served or waited.
// The legs add up to the whole, exactly.
type way struct {
	now, ready time.Time
	parts      map[id]time.Duration
	// rest is what no station is known to account for.
	rest time.Duration
	// most bounds what each station can have taken, where that is more than its part.
	most map[id]time.Duration
	// own is what the kubelet's side did for the pod until its last status write, without
	// waits in queues; beforeBind what the scheduler did. A replay must do both again.
	own, beforeBind time.Duration
	// pulling is what of own were image pulls.
	pulling time.Duration
	// queued is the pod's wait for the status manager; timed what its own requests took at
	// each of the API server's stations.
	queued time.Duration
	timed  map[Name]time.Duration
}

// until ends a leg at t: the caller says what it was, and nothing is left of it.
func (w *way) until(t time.Time, account func(leg *leg)) {
	if t.After(w.ready) {
		t = w.ready
	}
	if !t.After(w.now) {
		return
	}
	l := &leg{way: w, Span: span.Span{From: w.now, To: t}, left: t.Sub(w.now)}
	account(l)
	w.rest += l.left
	w.now = t
}

// leg is a piece of the way that is being accounted for.
type leg struct {
	span.Span
	way  *way
	left time.Duration
}

// take accounts up to d of what is left of the leg to a station. most bounds from above
// what it can have been.
func (l *leg) take(s id, d, most time.Duration) time.Duration {
	d = min(max(0, d), l.left)
	l.left -= d
	if d > 0 {
		l.way.parts[s] += d
	}
	if most = min(max(most, d), l.Length()); most > 0 {
		l.way.most[s] += most
	}
	return d
}

// views are the stations that the ways pass, as far as they are known.
type views struct {
	creator, scheduler limiterView
	kubelets           map[string]*limiterView
	writes             writes
	jobs               serial
	loop               serial
	managers           map[string]*manager
	runtime            runtimeView
	pulls              pullsView
	// posts is when creations of pods were with the API server and none can have waited
	// for a token.
	posts span.Set
	place placeView
}

// wayOf follows one pod.
func (s *scene) wayOf(c *course, v *views) *way {
	w := &way{now: s.window.From, ready: c.ready, parts: map[id]time.Duration{}, most: map[id]time.Duration{}, timed: map[Name]time.Duration{}}
	if w.now.IsZero() { // nobody knows when a passive burst's pods were asked for
		if at, ok := c.mark(timeline.Create); ok {
			w.now = at
		} else {
			w.now = c.ready
		}
	}
	s.toCreate(c, v, w)
	s.toSchedule(c, v, w)
	s.toReady(c, v, w)
	return w
}

// toCreate: the creator's limiter, its sync, and the API server's answers to earlier
// batches; then the pod's own creation.
func (s *scene) toCreate(c *course, v *views, w *way) {
	limiter := id{ClientLimiter, clusters.KubeControllerManager}
	if c.create == nil {
		if at, ok := c.mark(timeline.Create); ok {
			w.until(at, func(l *leg) { l.limited(&v.creator, limiter) })
		}
		return
	}
	w.until(c.create.Received, func(l *leg) {
		l.limited(&v.creator, limiter)
		inflight := min(v.posts.Within(l.Span), l.left)
		l.left -= inflight
		v.writes.divide(writeCreate, inflight, func(name Name, d time.Duration) {
			l.left += d
			if name == Admission && v.writes.hooked {
				// While requests were with the API server, webhooks may have had some all the time.
				l.take(at(name), d, inflight)
				return
			}
			l.take(at(name), d, d)
		})
		if v.creator.err != nil && !v.creator.absent {
			// Its limiter may have been what it waited for.
			unknown := min(l.left, v.creator.inside(l.Span).high)
			known := l.left - unknown
			l.take(at(JobController), known, l.left)
			return
		}
		l.take(at(JobController), l.left, l.Length())
	})
	w.until(c.create.Completed, func(l *leg) { l.write(&v.writes, writeCreate) })
}

// limited accounts the leg's share of a limiter.
func (l *leg) limited(v *limiterView, s id) {
	part := v.usual(l.Span)
	if v.err != nil {
		part = 0 // unknown: left unexplained rather than accounted for
	}
	l.take(s, part, v.inside(l.Span).high)
}

// write accounts a request to the API server.
func (l *leg) write(w *writes, kind writeKind) {
	w.divide(kind, l.left, func(name Name, d time.Duration) {
		switch {
		case name == APIServer && kind == writeBind:
			name = Binding
		case name == APIServer && kind == writeStatus:
			name = StatusManager
		}
		l.way.timed[name] += d
		l.take(at(name), d, d)
	})
}

// toSchedule: a place to go, the scheduler's limiter and its loop; then the binding.
func (s *scene) toSchedule(c *course, v *views, w *way) {
	limiter := id{ClientLimiter, clusters.KubeScheduler}
	before := func(l *leg) {
		if p, ok := v.place.refused[c.pod.UID]; ok {
			l.take(at(Place), span.Set{p}.Within(l.Span), span.Set{p}.Within(l.Span))
		}
		l.limited(&v.scheduler, limiter)
	}
	if c.bind == nil {
		if at, ok := c.mark(timeline.Schedule); ok {
			w.until(at, before)
		}
		return
	}
	w.until(c.bind.Received, func(l *leg) {
		before(l)
		unknown := time.Duration(0)
		if v.scheduler.err != nil && !v.scheduler.absent {
			unknown = min(l.left, v.scheduler.inside(l.Span).high)
		}
		mine := l.left - unknown
		if v.loop.measured {
			// Nobody waits for the loop longer than it ran.
			mine = min(mine, v.loop.busy)
		}
		w.beforeBind = l.take(at(SchedulingLoop), mine, mine)
		if v.place.err == nil && unknown == 0 && s.full {
			// The scheduler had the pod to do and did nothing: it waited for a processor.
			w.beforeBind += l.take(at(Processors), l.left, l.left)
		}
	})
	w.until(c.bind.Completed, func(l *leg) { l.write(&v.writes, writeBind) })
}

// toReady: the kubelet. Of its writes only the last is in the pod's way: it goes on with
// the pod while its status manager writes what came before. Until then it is the pod's
// worker and its runtime, image pulls, and the status manager's queue.
func (s *scene) toReady(c *course, v *views, w *way) {
	limiter := id{ClientLimiter, clusters.Kubelet}
	node := v.kubelets[c.pod.Node]
	manager := v.managers[c.pod.Node]
	until := c.ready
	if n := len(c.writes); n > 0 {
		until = c.writes[n-1].from
	}
	w.until(until, func(l *leg) {
		if node != nil {
			l.limited(node, limiter)
		}
		pulls := v.pulls.inside(c, l.Span, l.left)
		w.pulling = l.take(at(ImagePulls), pulls.part, pulls.most)
		runtime := v.runtime.inside(c, l.Span, w.pulling)
		w.own = w.pulling + l.take(at(ContainerRuntime), runtime.part, runtime.most)
		if manager == nil {
			return
		}
		queued := min(manager.busy.EndingAt(until), l.Length())
		w.queued = l.take(at(StatusManager), queued, l.left)
		w.own += l.left
		if v.runtime.known && (node == nil || node.err == nil) {
			l.take(at(PodWorkers), l.left, l.Length())
		}
	})
	w.until(c.ready, func(l *leg) {
		if manager == nil {
			return
		}
		l.write(&v.writes, writeStatus)
	})
}
