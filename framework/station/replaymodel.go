package station

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station/queueing"
)

// model is a burst as a replay needs it: for each pod what served it and for how long,
// without the waits, which the replay makes anew.
type model struct {
	burst    string
	makespan float64
	pods     []modelPod
	nodes    int
	limits   map[clusters.Component]clusters.Limits
	// tokens a creation takes with what else passes the Job controller's bucket; a status
	// write takes two, GET and PATCH.
	tokens float64
	// lead is until the first creation is sent, cycle what the scheduler takes for a pod.
	lead, cycle float64
	// lowSync and highSync bound what the Job controller takes between two batches: the
	// less the limiter held, the more it was.
	lowSync, highSync float64
	// shares are what part of each kind of write the API server's stations take.
	shares [writeKinds]map[Name]float64
	// ceiling is the longest that each component's limiter made requests wait; absent
	// where that is not known.
	ceiling map[clusters.Component]float64
	// utilization bounds how busy the processors were, of how many; runtimeWorks: the
	// container runtime's time is processors' work.
	lowBusy, highBusy float64
	cpus              int
	runtimeWorks      bool
	// residence is all service of all pods together, in seconds.
	residence float64
	// played are replays without a change, by variant and draw.
	played map[[2]int]float64
}

// modelPod is one pod's services, in seconds.
type modelPod struct {
	node                       int
	post, bind, write          float64
	scheduler, runtime, worker float64
	// pull is what its images took, placed when there was a place for it to go, from the
	// submission; 0 where it never lacked one.
	pull, placed float64
	// earlier are the status writes before the last: when they came, as a part of the
	// pod's time in the kubelet, and how long each took.
	earlier []earlierWrite
}

type earlierWrite struct{ when, took float64 }

// newModel is nil without the audit log, which alone tells services from waits.
func (s *scene) newModel(v *views, p *processorsView, makespan time.Duration) *model {
	if !s.audited() {
		return nil
	}
	m := &model{
		burst: s.burst.Profile + "/" + s.burst.Folder(), makespan: makespan.Seconds(), nodes: len(s.nodes), tokens: 1,
		limits: map[clusters.Component]clusters.Limits{}, ceiling: map[clusters.Component]float64{},
		lowBusy: p.low, highBusy: p.high, cpus: s.cpus, runtimeWorks: s.processed(ContainerRuntime), shares: v.writes.share,
		played: map[[2]int]float64{},
	}
	if !p.sampled {
		// What was counted began before the makespan and ended after it, with the reading of
		// the metrics themselves: it bounds nothing from below.
		m.lowBusy = 0
	}
	m.take(&v.creator)
	m.take(&v.scheduler)
	for _, node := range sortedNodes(v.kubelets) {
		m.take(v.kubelets[node])
	}
	if n := v.creator.bucket.needed; n > 0 {
		m.tokens = float64(v.creator.bucket.until) / float64(n)
	}
	var before []float64
	var low, high time.Duration
	limiter := id{ClientLimiter, clusters.KubeControllerManager}
	for i := range s.courses {
		c := &s.courses[i]
		if c.create == nil || c.bind == nil || len(c.writes) == 0 {
			return nil // a pod whose way is not whole
		}
		w := s.ways[i]
		runtime := min(w.own-w.pulling, w.parts[at(ContainerRuntime)])
		last := c.writes[len(c.writes)-1]
		pod := modelPod{
			node: max(0, slices.Index(s.nodes, c.pod.Node)),
			post: c.create.Completed.Sub(c.create.Received).Seconds(), bind: c.bind.Completed.Sub(c.bind.Received).Seconds(),
			write: last.to.Sub(last.from).Seconds(), scheduler: w.beforeBind.Seconds(), runtime: runtime.Seconds(), pull: w.pulling.Seconds(), worker: (w.own - runtime - w.pulling).Seconds(),
		}
		if p, waited := v.place[c.pod.UID]; waited {
			pod.placed = max(0, p.To.Sub(s.window.From).Seconds())
		}
		in := c.inKubelet()
		for _, e := range c.writes[:len(c.writes)-1] {
			when := 0.0
			if in.Length() > 0 {
				when = min(1, max(0, e.from.Sub(in.From).Seconds()/in.Length().Seconds()))
			}
			pod.earlier = append(pod.earlier, earlierWrite{when, e.to.Sub(e.from).Seconds()})
			m.residence += e.to.Sub(e.from).Seconds()
		}
		m.residence += pod.post + pod.bind + pod.write + pod.worker
		if m.runtimeWorks {
			m.residence += pod.runtime
		}
		m.pods = append(m.pods, pod)
		before = append(before, pod.scheduler)
		high = max(high, w.parts[at(JobController)])
		low = max(low, w.parts[at(JobController)]-(w.most[limiter]-w.parts[limiter]))
		if i == 0 {
			m.lead = max(0, c.create.Received.Sub(s.window.From).Seconds())
		}
	}
	pauses := float64(max(1, batches(len(m.pods))-1))
	m.lowSync, m.highSync = max(0, low.Seconds()-m.lead)/pauses, max(0, high.Seconds()-m.lead)/pauses
	slices.Sort(before)
	quick := before[len(before)/10] // what the scheduler takes of a pod that does not queue
	m.cycle = quick
	if v.loop.measured {
		m.cycle = v.loop.each.Seconds()
	}
	for i := range m.pods {
		m.pods[i].scheduler = max(0, quick-m.cycle)
		m.residence += m.cycle
	}
	if s.burst.Load == nil && !p.measured && m.cpus > 0 {
		// Nobody counted processor time. What was served at once (Little's law) bounds it:
		// a service keeps at most a client and a server busy.
		m.highBusy = min(1, 2*m.residence/(m.makespan*float64(m.cpus)))
	}
	return m
}

func (m *model) take(v *limiterView) {
	c := v.instance.Component
	if _, known := m.limits[c]; !known {
		m.limits[c] = v.limits
	}
	if v.absent || v.err == nil {
		m.ceiling[c] = max(m.ceiling[c], v.held.high.Seconds())
		return
	}
	m.ceiling[c] = math.Inf(1)
}

// batches is how many a Job controller makes of n creations: 1, 2, 4, … (SlowStartInitialBatchSize).
func batches(n int) int {
	count := 0
	for size, left := 1, n; left > 0; size *= 2 {
		left -= size
		count++
	}
	return count
}

// variant is one assumption on what is only known within bounds.
type variant struct {
	// capacity is how much work they hold at once before it slows down; scale turns the
	// time that a service was measured to take into the time that it takes alone.
	capacity, scale float64
	// sync is what the Job controller takes between two batches.
	sync float64
}

// variants are the ends of what is known of the processors and of the Job controller. At utilization u, with R
// seconds of services in a makespan of M, the mean number in service is R/M (Little's law).
func (m *model) variants() []variant {
	of := func(u float64) variant {
		if m.cpus <= 0 || erlangWait(u, m.cpus) < 1 {
			return variant{capacity: math.Inf(1), scale: 1}
		}
		capacity := min(float64(m.cpus), m.residence/(m.makespan*u))
		if !(capacity > 0) {
			return variant{capacity: math.Inf(1), scale: 1}
		}
		return variant{capacity: capacity, scale: min(1, u*capacity*m.makespan/m.residence)}
	}
	var all []variant
	for _, v := range []variant{of(m.lowBusy), of(m.highBusy)} {
		for _, sync := range []float64{m.lowSync, m.highSync} {
			if v.sync = sync; !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all
}

// play replays the burst once. pick chooses whose services each pod has.
func (m *model) play(v variant, sc *Scenario, pick func(int) int) float64 {
	w := queueing.New(v.capacity)
	limit := func(c clusters.Component) *queueing.Bucket {
		l := m.limits[c]
		if other, changed := sc.Limits[c]; changed {
			l = other
		}
		return queueing.NewBucket(w, l.KubeAPIQPS, l.KubeAPIBurst)
	}
	creator, scheduler := limit(clusters.KubeControllerManager), limit(clusters.KubeScheduler)
	loop := queueing.NewServer(1)
	managers, kubelets := make([]*queueing.Server, m.nodes), make([]*queueing.Bucket, m.nodes)
	places := 1
	if sc.without(StatusManager) {
		places = len(m.pods)
	}
	for i := range managers {
		managers[i], kubelets[i] = queueing.NewServer(places), limit(clusters.Kubelet)
	}
	work := func(kind writeKind, seconds float64) float64 {
		for _, name := range []Name{PriorityAndFairness, Admission, Etcd} {
			if sc.without(name) {
				seconds -= seconds * m.shares[kind][name]
			}
		}
		return seconds * v.scale
	}
	makespan := 0.0
	write := func(node int, took float64, then func()) {
		managers[node].Enter(func() {
			kubelets[node].Take(2, func() {
				w.Work(work(writeStatus, took), func() { managers[node].Leave(); then() })
			})
		})
	}
	bound := func(p *modelPod) {
		runtime := p.runtime
		if sc.without(ContainerRuntime) {
			runtime = 0
		}
		pull := p.pull
		if sc.without(ImagePulls) {
			pull = 0
		}
		inKubelet := runtime + pull + p.worker
		for _, e := range p.earlier {
			w.After(e.when*inKubelet, func() { write(p.node, e.took, func() {}) })
		}
		last := func() { write(p.node, p.write, func() { makespan = max(makespan, w.Now()) }) }
		if m.runtimeWorks {
			w.After(pull, func() { w.Work((runtime+p.worker)*v.scale, last) })
			return
		}
		w.After(pull+runtime, func() { w.Work(p.worker*v.scale, last) })
	}
	cycle := m.cycle * v.scale
	if sc.without(SchedulingLoop) {
		cycle = 0
	}
	created := func(p *modelPod) {
		wait := max(0, p.placed-w.Now())
		if sc.without(Place) {
			wait = 0
		}
		w.After(wait, func() {
			loop.Enter(func() {
				w.Work(cycle, func() {
					loop.Leave()
					w.Work(p.scheduler*v.scale, func() {
						scheduler.Take(1, func() { w.Work(work(writeBind, p.bind), func() { bound(p) }) })
					})
				})
			})
		})
	}
	sync := v.sync
	if sc.without(JobController) {
		sync = 0
	}
	var batch func(from, size int)
	batch = func(from, size int) {
		to := min(len(m.pods), from+size)
		left := to - from
		for i := from; i < to; i++ {
			services := m.pods[pick(i)]
			services.node = m.pods[i].node
			creator.Take(m.tokens, func() {
				w.Work(work(writeCreate, services.post), func() {
					created(&services)
					if left--; left == 0 && to < len(m.pods) {
						w.After(sync, func() { batch(to, 2*size) })
					}
				})
			})
		}
	}
	w.After(m.lead, func() { batch(0, 1) })
	w.Run()
	return makespan
}

// seeded makes every replay of a burst the same.
func (m *model) seeded(rep int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.burst)) // a hash takes every byte
	return rand.New(rand.NewPCG(h.Sum64(), uint64(rep)))
}
