// Package synthetic makes up recordings for tests, demonstrations and benchmarks:
// bursts that look like those of a control plane, with client-side limiters that pace
// the Job controller, the scheduler and the kubelets. The made-up watcher may receive
// a change before the time that the audit log gives for the answer.
//
// It models just enough for every mark to have its sources and a plausible order; it
// predicts nothing about a real cluster.
package synthetic

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

// Options say what to make up. A zero field takes its default.
type Options struct {
	// Profile defaults to "default".
	Profile string
	// Index is the burst's index; 0 makes a warm-up.
	Index int
	// Pods defaults to 8.
	Pods int
	// Nodes defaults to 2.
	Nodes int
	// Start is when the Job is submitted. Default: noon of 2026-11-29 UTC.
	Start time.Time
	// Seed decides every random number.
	Seed uint64
	// JobController, Scheduler and Kubelet are the limiters; zero QPS means the
	// component's default (20/30, 50/100, 50/100).
	JobController, Scheduler, Kubelet clusters.Limits
	// NoAudit leaves out the audit stream, as for a foreign cluster.
	NoAudit bool
}

func (o Options) withDefaults() Options {
	if o.Profile == "" {
		o.Profile = "default"
	}
	if o.Pods == 0 {
		o.Pods = 8
	}
	if o.Nodes == 0 {
		o.Nodes = 2
	}
	if o.Start.IsZero() {
		o.Start = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	}
	for _, d := range []struct {
		limits *clusters.Limits
		qps    float64
		burst  int
	}{{&o.JobController, 20, 30}, {&o.Scheduler, 50, 100}, {&o.Kubelet, 50, 100}} {
		if d.limits.KubeAPIQPS == 0 {
			d.limits.KubeAPIQPS, d.limits.KubeAPIBurst = d.qps, d.burst
		}
	}
	return o
}

// Burst makes up one burst in which every pod became ready.
func Burst(options Options) recording.Burst {
	o := options.withDefaults()
	id := fmt.Sprintf("%s-%d", o.Profile, o.Index)
	g := &generator{
		rand:       rand.New(rand.NewPCG(o.Seed, uint64(o.Index))),
		controller: newBucket(o.JobController, o.Start),
		scheduler:  newBucket(o.Scheduler, o.Start),
		burst: recording.Burst{
			Profile: o.Profile, Index: o.Index, Warmup: o.Index == 0, Pods: o.Pods,
			Namespace: "podburst-" + id, Workload: recording.Job("burst", "job-"+id), BurstID: id,
			Submit: o.Start, EndReason: recording.EndAllReady, DeadlineSeconds: 300, CleanupSeconds: 2.5,
		},
	}
	for n := range o.Nodes {
		g.burst.WorkerNodes = append(g.burst.WorkerNodes, fmt.Sprintf("node-%d", n+1))
		g.kubelets = append(g.kubelets, newBucket(o.Kubelet, o.Start))
	}
	g.job()
	for i := range o.Pods {
		g.pod(i)
	}
	g.run()
	b := g.burst
	// Components work in parallel: sort the streams by time.
	slices.SortStableFunc(b.Watch, func(x, y recording.Observation) int { return x.At.Compare(y.At) })
	slices.SortStableFunc(b.Audit, func(x, y recording.AuditEvent) int { return x.Completed.Compare(y.Completed) })
	for i := range b.Watch {
		b.Watch[i].ResourceVersion = fmt.Sprint(1000 + i)
	}
	b.End = b.Watch[len(b.Watch)-1].At.Add(5 * time.Millisecond)
	b.Health = recording.WatchHealth{
		Watches: 1, Events: len(b.Watch), MaxDelaySeconds: 0.0004, CPUSeconds: 0.002 * float64(o.Pods),
		TotalStreamingLists: 1, TotalWatches: 1,
	}
	b.Metrics = map[string]recording.MetricsPair{
		string(clusters.KubeControllerManager): g.controller.exposition("POST"),
		string(clusters.KubeScheduler):         g.scheduler.exposition("POST"),
	}
	for n, k := range g.kubelets {
		b.Metrics["kubelet-"+b.WorkerNodes[n]] = k.exposition("PATCH")
	}
	if o.NoAudit {
		b.Audit, b.AuditUnavailable = nil, "not available from this provider"
	}
	return b
}

type generator struct {
	rand       *rand.Rand
	controller *bucket
	scheduler  *bucket
	kubelets   []*bucket
	burst      recording.Burst
	// steps are those still to happen; pushed is how many there have been so far.
	steps  steps
	pushed int
}

// at makes step happen at t.
func (g *generator) at(t time.Time, step func(now time.Time)) {
	heap.Push(&g.steps, scheduled{t: t, number: g.pushed, run: step})
	g.pushed++
}

// run runs all steps in order of time.
func (g *generator) run() {
	for len(g.steps) > 0 {
		next := heap.Pop(&g.steps).(scheduled)
		next.run(next.t)
	}
}

type scheduled struct {
	t time.Time
	// number orders steps of the same time.
	number int
	run    func(now time.Time)
}

// steps is a heap by time.
type steps []scheduled

func (s steps) Len() int { return len(s) }
func (s steps) Less(i, j int) bool {
	if c := s[i].t.Compare(s[j].t); c != 0 {
		return c < 0
	}
	return s[i].number < s[j].number
}
func (s steps) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *steps) Push(x any)   { *s = append(*s, x.(scheduled)) }
func (s *steps) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// about returns a duration from 0.7 to 1.6 times mean.
func (g *generator) about(mean time.Duration) time.Duration {
	return time.Duration(float64(mean) * (0.7 + 0.9*g.rand.Float64()))
}

// send makes up one audited request that is sent at t, and returns when its change
// was committed.
func (g *generator) send(t time.Time, e recording.AuditEvent) (committed time.Time) {
	e.AuditID = fmt.Sprintf("audit-%06d", len(g.burst.Audit)+1)
	e.Namespace = g.burst.Namespace
	e.Received = t.Add(g.about(200 * time.Microsecond)).Truncate(time.Microsecond)
	committed = e.Received.Add(g.about(2 * time.Millisecond))
	e.Completed = committed.Add(g.about(500 * time.Microsecond)).Truncate(time.Microsecond)
	g.burst.Audit = append(g.burst.Audit, e)
	return committed
}

// sighting makes up the watcher's receipt of the pod's state at t.
func (g *generator) sighting(t time.Time, o recording.Observation) {
	o.At = t.Add(g.about(400 * time.Microsecond))
	o.Conditions = slices.Clone(o.Conditions)
	g.burst.Watch = append(g.burst.Watch, o)
}

func (g *generator) job() {
	b := &g.burst
	committed := g.send(b.Submit, recording.AuditEvent{
		Verb: "create", APIGroup: "batch", Resource: "jobs", Name: b.Workload.Name, UID: b.Workload.UID,
		User: "podburst", UserAgent: "podburst", Code: 201, BurstID: b.BurstID,
	})
	b.SubmitReturned = committed.Add(time.Millisecond)
}
