package station

import (
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/usage"
)

// slept tells whether a station's time cannot have been work of the processors: where it
// was more than twice of what its processes used of them and waited for them. A webhook
// that answers late, a disk or a pause keeps a station busy and the processors idle.
// Without a sampler it is not known, and false; but what webhooks answer is never this
// machine's work as far as anybody can see.
func (s *scene) slept(a *Analysis, name Name, v *views) bool {
	var total time.Duration
	var ready time.Duration
	var known bool
	switch name {
	case Admission:
		if v.writes.hooked {
			return true
		}
		total = toDuration(v.writes.admission.total)
		ready, known = s.ready(string(clusters.KubeAPIServer))
	case PriorityAndFairness:
		// Whoever waits for a seat waits for those who hold them.
		total = toDuration(v.writes.held)
		ready, known = s.ready(string(clusters.Etcd), string(clusters.KubeAPIServer))
	case Etcd:
		total = toDuration(v.writes.etcd.total)
		ready, known = s.ready(string(clusters.Etcd), string(clusters.KubeAPIServer))
	case SchedulingLoop:
		total = v.loop.busy
		ready, known = s.ready(string(clusters.KubeScheduler))
	case JobController:
		total = a.parts[at(JobController)] // one sync at a time
		ready, known = s.ready(string(clusters.KubeControllerManager))
	case PodWorkers:
		for _, w := range s.ways {
			total += w.parts[at(PodWorkers)]
		}
		ready, known = s.ready(s.kubelets()...)
	}
	return known && total > 2*ready
}

// ready is the time for which threads and goroutines of the instances ran or were ready
// to run in the makespan. known is false if one of them was not sampled for most of it.
func (s *scene) ready(instances ...string) (d time.Duration, known bool) {
	for _, name := range instances {
		used := usage.Within(s.burst.Usage, name, s.window)
		if used.Covered < s.window.Length()/2 || !used.RunQueueKnown {
			return 0, false
		}
		d += used.CPUHigh + used.RunQueue
		// Goroutines queue for the threads of their process before these queue for a processor.
		if h, err := evidence.ProcessOf(s.burst, name).Histogram(latencies); err == nil {
			d += toDuration(h.Sum)
		}
	}
	return d, len(instances) > 0
}
