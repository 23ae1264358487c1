package station

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station/queueing"
)

// variant is one assumption on what is only known within bounds.
type variant struct {
	// work is what part of a service's measured time was processors' work, and sleep what
	// part was neither that nor a wait for a processor: the replay makes the waits anew.
	work, sleep float64
	// beside is the processor time that each pod costs beside its services: watches,
	// caches, events.
	beside float64
	// others is how many tasks of other processes compete.
	others float64
	// sync is what the Job controller takes between two batches.
	sync float64
}

// variants are the ends of what is known of the processors and of the Job controller.
//
// All processor time that was used must be used again, however fast the pods come: what
// the services do not account for goes on beside them. So no change of a limit makes the
// burst shorter than its processor time allows (the asymptotic bound of operational analysis).
func (m *model) variants() []variant {
	var all []variant
	add := func(v variant) {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	for _, used := range []float64{m.budget.low, m.budget.high} {
		for _, others := range []float64{m.budget.othersLow, m.budget.othersHigh} {
			for _, sync := range []float64{m.lowSync, m.highSync} {
				add(m.settle(variant{others: others, sync: sync}, used))
			}
		}
	}
	return all
}

// settle divides the services' measured time into work, waits for a processor, and what
// was neither. The waits are as long as the replay makes them, so that the services take
// about as long in it as they were measured to take; what they leave of the processor time
// that was used goes on beside them.
func (m *model) settle(v variant, used float64) variant {
	v.sleep = 1
	if m.residence <= 0 {
		return v
	}
	most := min(1, used/m.residence)
	v.work = most
	for range settleSteps {
		v.sleep = max(0, 1-v.work)
		if m.budget.waitedKnown {
			v.sleep = max(0, v.sleep-m.budget.waited/m.residence)
		}
		v.beside = max(0, used-v.work*m.residence) / float64(len(m.pods))
		_, rate := m.played(v, &Scenario{}, unmixed)
		v.work = min(most, (1-v.sleep)*rate)
	}
	v.beside = max(0, used-v.work*m.residence) / float64(len(m.pods))
	return v
}

// settleSteps are enough for the work to change by a few percent at the end.
const settleSteps = 4

// unmixed leaves each pod its own services.
func unmixed(k int) int { return k }

// replayed is the makespan of a replay without a change.
func (m *model) replayed(v variant) float64 {
	return m.play(v, &Scenario{}, unmixed)
}

// play replays the burst once and returns its makespan. pick chooses whose services each
// pod has.
func (m *model) play(v variant, sc *Scenario, pick func(int) int) float64 {
	makespan, _ := m.played(v, sc, pick)
	return makespan
}

// played is play that also returns the rate at which processors' work was done.
func (m *model) played(v variant, sc *Scenario, pick func(int) int) (makespan, rate float64) {
	others := v.others
	if sc.Alone {
		others = 0
	}
	w := queueing.New(float64(m.cpus), others)
	g := &game{model: m, variant: v, scenario: sc, world: w, loop: queueing.NewServer(1), side: queueing.NewServer(m.cpus)}
	g.creator, g.scheduler = g.limit(clusters.KubeControllerManager), g.limit(clusters.KubeScheduler)
	places := 1
	if sc.without(StatusManager) {
		places = len(m.pods)
	}
	for range m.nodes {
		g.managers = append(g.managers, queueing.NewServer(places))
		g.kubelets = append(g.kubelets, g.limit(clusters.Kubelet))
	}
	sync := v.sync * sc.left(JobController)
	var batch func(from, size int)
	batch = func(from, size int) {
		to := min(len(m.pods), from+size)
		left := to - from
		for i := from; i < to; i++ {
			services := m.pods[pick(i)]
			services.node = m.pods[i].node
			g.creator.Take(m.tokens, func() {
				g.request(writeCreate, services.post, func() {
					g.created(&life{modelPod: services})
					if left--; left == 0 && to < len(m.pods) {
						w.After(sync, func() { batch(to, 2*size) })
					}
				})
			})
		}
	}
	w.After(m.lead, func() { batch(0, 1) })
	w.Run()
	return g.makespan, w.Rate()
}

// game is one replay while it is played.
type game struct {
	*model
	variant
	scenario           *Scenario
	world              *queueing.World
	creator, scheduler *queueing.Bucket
	loop, side         *queueing.Server
	managers           []*queueing.Server
	kubelets           []*queueing.Bucket
	makespan           float64
}

func (g *game) limit(c clusters.Component) *queueing.Bucket {
	l := g.limits[c]
	if other, changed := g.scenario.Limits[c]; changed {
		l = other
	}
	return queueing.NewBucket(g.world, l.KubeAPIQPS, l.KubeAPIBurst)
}

// serve is a service that took so long: it sleeps and works.
func (g *game) serve(seconds float64, then func()) {
	g.world.After(g.sleep*seconds, func() { g.world.Work(g.work*seconds, then) })
}

// maybeAsleep is a service that is known to be no work, or may be.
func (g *game) maybeAsleep(asleep bool, seconds float64, then func()) {
	if asleep {
		g.world.After(seconds, then)
		return
	}
	g.serve(seconds, then)
}

// aside is work that nobody waits for, a third of what each pod costs. As much of it is
// done at once as there are processors: the few threads that do it take turns.
func (g *game) aside() {
	if g.beside > 0 {
		g.side.Enter(func() { g.world.Work(g.beside/3, g.side.Leave) })
	}
}

// request is one write to the API server.
func (g *game) request(kind writeKind, seconds float64, then func()) {
	asleep, awake := seconds*g.asleep(kind), g.awake(kind, seconds)
	for _, name := range []Name{PriorityAndFairness, Admission, Etcd} {
		took := seconds * g.shares[kind][name] * (1 - g.scenario.left(name))
		if g.sleeps[name] {
			asleep -= took
		} else {
			awake -= took
		}
	}
	g.aside()
	g.world.After(max(0, asleep), func() { g.serve(max(0, awake), then) })
}

// life is one pod while a replay is played.
type life struct {
	modelPod
	// queued: a status write waits for its turn, after are what goes on once it is done.
	queued bool
	after  []func()
}

// write is one turn of the pod's status manager. A status that changes again before its
// turn has come is written once, as it is then.
func (g *game) write(p *life, took float64, then func()) {
	p.after = append(p.after, then)
	if p.queued {
		return
	}
	p.queued = true
	manager, bucket := g.managers[p.node], g.kubelets[p.node]
	manager.Enter(func() {
		after := p.after
		p.queued, p.after = false, nil
		bucket.Take(2, func() {
			g.request(writeStatus, took, func() {
				manager.Leave()
				for _, then := range after {
					then()
				}
			})
		})
	})
}

// created is a pod that waits for its node.
func (g *game) created(p *life) {
	wait := max(0, p.placed*g.scenario.left(Place)-g.world.Now())
	cycle := g.cycle * g.scenario.left(SchedulingLoop)
	g.world.After(wait, func() {
		g.loop.Enter(func() {
			g.maybeAsleep(g.sleeps[SchedulingLoop], cycle, func() {
				g.loop.Leave()
				g.world.After(p.scheduler, func() {
					g.scheduler.Take(1, func() { g.request(writeBind, p.bind, func() { g.bound(p) }) })
				})
			})
		})
	})
}

// bound is a pod that its kubelet starts.
func (g *game) bound(p *life) {
	runtime, pull := p.runtime*g.scenario.left(ContainerRuntime), p.pull*g.scenario.left(ImagePulls)
	inKubelet := runtime + pull + p.worker
	for _, e := range p.earlier {
		g.world.After(e.when*inKubelet, func() { g.write(p, e.took, func() {}) })
	}
	last := func() { g.write(p, p.last, func() { g.makespan = max(g.makespan, g.world.Now()) }) }
	g.world.After(pull, func() {
		g.maybeAsleep(!g.runtimeWorks, runtime, func() { g.maybeAsleep(g.sleeps[PodWorkers], p.worker, last) })
	})
}

// seeded makes every replay of a burst the same.
func (m *model) seeded(rep int) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.burst)) // a hash takes every byte
	return rand.New(rand.NewPCG(h.Sum64(), uint64(rep)))
}

// floor is the makespan below which no change of limits can take the burst, in seconds: the
// least of its processors' work on all processors.
func (m *model) floor() float64 {
	if m.cpus <= 0 {
		return 0
	}
	return min(m.makespan, leastNeeded*m.budget.low/float64(m.cpus))
}

// busy is the makespan at which the burst keeps what others leave of the processors busy, in
// seconds: most of its work in what they leave.
func (m *model) busy() float64 {
	left := float64(m.cpus) - m.budget.othersLow
	if !(left > 0) {
		return m.makespan
	}
	return mostNeeded * m.budget.high / left
}

// leastNeeded and mostNeeded bound what part of its processor time a burst needs that is no
// longer held up. Status writes are merged when pods come fast, and what goes on without any
// burst takes less of a short one: bursts without a limiter used 40 % to 90 % of what the
// same pods used with one (the cause lab's bursts).
const leastNeeded, mostNeeded = 0.4, 0.9
