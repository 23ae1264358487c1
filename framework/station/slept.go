package station

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/internal/span"
)

// slept tells whether most of a station's time was no work of the processors. What its
// processes used of them is the least that can have been, and what they used and waited for
// the most. A webhook that answers late, a disk or a pause keeps a station busy and the
// processors idle.
//
// Without a sampler it is not known, and false: full processors slow down what they do. Where
// there was one that tells nothing of the station's processes, nothing says that these
// worked. What webhooks answer is never this machine's work as far as anybody can see.
func (s *scene) slept(a *Analysis, name Name, v *views) bool {
	var total time.Duration
	var worked interval
	var known bool
	serial := false
	switch name {
	case Admission:
		if v.writes.hooked {
			return true
		}
		total = toDuration(v.writes.admission.total)
		worked, known = s.ready(string(clusters.KubeAPIServer))
	case PriorityAndFairness:
		// Whoever waits for a seat waits for those who hold them. Where there are hardly more
		// seats than processors, and all of them are taken, there is nothing else to wait for.
		if v.writes.seatsTaken(s.window) >= nearlyAll && v.writes.seatsThere <= 2*float64(s.cpus) {
			return true
		}
		total = toDuration(v.writes.held)
		worked, known = s.ready(string(clusters.Etcd), string(clusters.KubeAPIServer))
	case Etcd:
		// Requests wait for each other there: what counts is for how long it had any.
		serial = true
		total = s.inEtcd(v)
		worked, known = s.threads(string(clusters.Etcd))
	case SchedulingLoop:
		serial = true
		total = v.loop.busy
		worked, known = s.threads(string(clusters.KubeScheduler))
	case JobController:
		serial = true
		total = a.parts[at(JobController)] // one sync at a time
		worked, known = s.threads(string(clusters.KubeControllerManager))
	case PodWorkers:
		for _, w := range s.ways {
			total += max(0, w.parts[at(PodWorkers)]-relistPeriod)
		}
		worked, known = s.ready(s.kubelets()...)
	}
	if !known && s.sampled && total > 0 {
		return true
	}
	if serial {
		// One goroutine did not wait for all that threads of its process waited for.
		return known && total > 2*worked.middle()
	}
	return known && total > 2*worked.high
}

// inEtcd is for how long etcd had requests of the burst: while the API server had any, in the
// part that etcd has of them.
func (s *scene) inEtcd(v *views) time.Duration {
	if v.writes.server.total <= 0 {
		return 0
	}
	var requests []span.Span
	for i := range s.requests.Events {
		if e := &s.requests.Events[i]; e.Verb != "watch" && e.Verb != "list" {
			requests = append(requests, span.Span{From: e.Received, To: e.Completed})
		}
	}
	share := min(1, v.writes.etcd.total/v.writes.server.total)
	return time.Duration(share * float64(span.Union(requests, 0).Within(s.window)))
}

// nearlyAll is the share of its time from which something is taken to be full.
const nearlyAll = 0.8

// relistPeriod is how often a kubelet looks for containers that have started (its generic
// PLEG): a pod may wait for that on any machine.
const relistPeriod = time.Second

// threads is the time for which threads of the instance ran, and with it that for which they
// were ready to run, in the makespan. One goroutine never waits for a processor longer
// than that: while it waits, some thread of its process runs or is ready to.
func (s *scene) threads(instance string) (worked interval, known bool) {
	used := usage.Within(s.burst.Usage, instance, s.window)
	if used.Covered < s.window.Length()/2 || !used.RunQueueKnown {
		return interval{}, false
	}
	return interval{used.CPULow, used.CPUHigh + used.RunQueue}, true
}

// ready is threads of several instances and their goroutines. known is false if one of
// them was not sampled for most of the makespan.
func (s *scene) ready(instances ...string) (worked interval, known bool) {
	for _, name := range instances {
		one, ok := s.threads(name)
		if !ok {
			return interval{}, false
		}
		// Goroutines queue for the threads of their process before these queue for a processor.
		if h, err := evidence.ProcessOf(s.burst, name).Histogram(latencies); err == nil {
			one.high += toDuration(h.Sum)
		}
		worked = worked.plus(one)
	}
	return worked, len(instances) > 0
}
