package station

import (
	"math"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
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
	// budget is what the burst needed of the processors, of which there were so many.
	budget budget
	cpus   int
	// runtimeWorks: the container runtime's time is processors' work.
	runtimeWorks bool
	// sleeps are the stations whose time is known to be no work of the processors.
	sleeps map[Name]bool
	// residence is all service of all pods together that may be processors' work, in seconds.
	residence float64
	// fitted are the variants that give the recorded burst.
	fitted []fit
}

// modelPod is one pod's services, in seconds.
type modelPod struct {
	node                       int
	post, bind, last           float64
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
func (s *scene) newModel(a *Analysis, v *views, p *processorsView, makespan time.Duration) *model {
	if !s.audited() {
		return nil
	}
	m := &model{
		burst: s.burst.Profile + "/" + s.burst.Folder(), makespan: makespan.Seconds(), nodes: len(s.nodes), tokens: 1,
		limits: map[clusters.Component]clusters.Limits{}, ceiling: map[clusters.Component]float64{},
		budget: s.budget(p), cpus: s.cpus, runtimeWorks: s.processed(ContainerRuntime), shares: v.writes.share,
		sleeps: map[Name]bool{},
	}
	for _, name := range []Name{Admission, Etcd, SchedulingLoop, PodWorkers} {
		m.sleeps[name] = s.slept(a, name, v)
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
		node := slices.Index(s.nodes, c.pod.Node) // -1: the watch never saw it
		if c.create == nil || c.bind == nil || len(c.writes) == 0 || node < 0 {
			return nil // a pod whose way is not whole
		}
		w := s.ways[i]
		runtime := min(w.own-w.pulling, w.parts[at(ContainerRuntime)])
		last := c.writes[len(c.writes)-1]
		pod := modelPod{
			node: node,
			post: c.create.Completed.Sub(c.create.Received).Seconds(), bind: c.bind.Completed.Sub(c.bind.Received).Seconds(),
			last: last.to.Sub(last.from).Seconds(), scheduler: w.beforeBind.Seconds(), runtime: runtime.Seconds(), pull: w.pulling.Seconds(), worker: (w.own - runtime - w.pulling).Seconds(),
		}
		if p, waited := v.place.refused[c.pod.UID]; waited {
			pod.placed = max(0, p.To.Sub(s.window.From).Seconds())
		}
		in := c.inKubelet()
		for _, e := range c.writes[:len(c.writes)-1] {
			when := 0.0
			if in.Length() > 0 {
				when = min(1, max(0, e.from.Sub(in.From).Seconds()/in.Length().Seconds()))
			}
			pod.earlier = append(pod.earlier, earlierWrite{when, e.to.Sub(e.from).Seconds()})
			m.residence += m.awake(writeStatus, e.to.Sub(e.from).Seconds())
		}
		m.residence += m.awake(writeCreate, pod.post) + m.awake(writeBind, pod.bind) + m.awake(writeStatus, pod.last)
		if !m.sleeps[PodWorkers] {
			m.residence += pod.worker
		}
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
		if !m.sleeps[SchedulingLoop] {
			m.residence += m.cycle
		}
	}
	return m
}

// asleep is what part of a kind of write is known to be no work of the processors.
func (m *model) asleep(kind writeKind) float64 {
	share := 0.0
	for _, name := range []Name{Admission, Etcd} {
		if m.sleeps[name] {
			share += m.shares[kind][name]
		}
	}
	return min(1, share)
}

// awake is what of a write may be processors' work, in seconds.
func (m *model) awake(kind writeKind, seconds float64) float64 {
	return seconds * (1 - m.asleep(kind))
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
