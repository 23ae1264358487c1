package station

import (
	"fmt"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// The metrics of the serial stations (Kubernetes 1.26 to 1.37).
const (
	queueMetric    = "workqueue_queue_duration_seconds"
	workMetric     = "workqueue_work_duration_seconds"
	cycleMetric    = "scheduler_scheduling_algorithm_duration_seconds"
	attemptMetric  = "scheduler_scheduling_attempt_duration_seconds"
	podWorkMetric  = "kubelet_pod_worker_duration_seconds"
	relistMetric   = "kubelet_pleg_relist_duration_seconds"
	requestsMetric = "rest_client_request_duration_seconds"
)

// serial is a station that serves one at a time.
type serial struct {
	err    error
	served int
	// busy is for how long it served, in all; known by measured.
	busy     time.Duration
	measured bool
	// each is the mean service.
	each time.Duration
	says []string
}

// jobController is the sync of Jobs. One Job is synced by one worker at a time, so its
// syncs' lengths add up to the time for which it was busy.
func (s *scene) jobController() serial {
	p := s.process(clusters.KubeControllerManager)
	job := exposition.Label{Name: "name", Value: "job"}
	work, err := p.Histogram(workMetric, job)
	j := serial{err: err}
	if err == nil {
		j.measured, j.busy = true, toDuration(work.Sum)
		j.served = int(min(work.Count, 1e9))
		j.says = append(j.says, fmt.Sprintf("%s{name=\"job\"}: %d syncs, %s together, their waits for the limiter and the API server included", workMetric, j.served, humanize.Seconds(work.Sum)))
	}
	if queue, queueErr := p.Histogram(queueMetric, job); queueErr == nil {
		j.says = append(j.says, fmt.Sprintf("%s{name=\"job\"}: %.0f waits, %s together", queueMetric, queue.Count, humanize.Seconds(queue.Sum)))
	}
	if j.err != nil && s.audited() {
		// Its requests tell when it went on; what it did in between is known by elimination.
		j.err = nil
		j.says = append(j.says, "audit log: what remains until a pod's creation when its limiter and the API server's answers are taken off")
	}
	return j
}

// schedulingLoop is the scheduling cycles: one pod at a time.
func (s *scene) schedulingLoop() serial {
	p := s.process(clusters.KubeScheduler)
	cycles, err := p.Histogram(cycleMetric)
	l := serial{err: err}
	if err == nil && cycles.Count > 0 {
		l.measured, l.busy, l.served = true, toDuration(cycles.Sum), int(min(cycles.Count, 1e9))
		l.each = toDuration(cycles.Sum / cycles.Count)
		l.says = append(l.says, fmt.Sprintf("%s: %d cycles of %s each", cycleMetric, l.served, humanize.Duration(l.each)))
	}
	if attempts, attemptErr := p.Histogram(attemptMetric); attemptErr == nil && attempts.Count > 0 {
		l.says = append(l.says, fmt.Sprintf("%s: %.0f attempts of %s each, their bindings included", attemptMetric, attempts.Count, humanize.Seconds(attempts.Sum/attempts.Count)))
	}
	if l.err != nil && s.audited() {
		l.err = nil
		l.says = append(l.says, "audit log: what remains until a pod's binding when the limiter is taken off")
	}
	return l
}

// least is for how much of a pod's wait the station certainly served: what it was busy in
// all, less what it can have done outside of that wait.
func (l *serial) least(wait, window span.Span) time.Duration {
	if !l.measured {
		return 0
	}
	return min(wait.Length(), max(0, l.busy-(window.Length()-wait.Length())))
}

// manager is one kubelet's status manager: a single goroutine that reads a pod, writes
// its status and goes on to the next (pkg/kubelet/status: syncBatch, syncPod).
type manager struct {
	node string
	// wrote is when it wrote, work how long that is together, count how many writes there
	// were. busy is when it may not have been free: it bridges short gaps, and waits for
	// the limiter.
	wrote span.Set
	busy  span.Set
	work  time.Duration
	count int
	// turns is how long its turns took, inside what part of that each of the API server's
	// stations and those behind it had.
	turns  time.Duration
	inside map[Name]time.Duration
}

// statusManagers are those of the nodes that got pods. Two turns belong together where
// no more time lies between them than was seen to pass inside a turn, between the answer
// to its GET and its PATCH: that is the same goroutine, on the same processors.
func (s *scene) statusManagers(kubelets map[string]*limiterView, w *writes) map[string]*manager {
	turns := map[string][]span.Span{}
	managers := map[string]*manager{}
	var between []time.Duration
	for i := range s.courses {
		c := &s.courses[i]
		k := kubelets[c.pod.Node]
		for _, turn := range c.writes {
			if k == nil || k.err != nil && !k.absent {
				// Between its reads and writes it may have waited for a token: only the requests are its own.
				turns[c.pod.Node] = append(turns[c.pod.Node], turn.requests()...)
			} else {
				turns[c.pod.Node] = append(turns[c.pod.Node], span.Span{From: turn.from, To: turn.to})
			}
			m := managers[c.pod.Node]
			if m == nil {
				m = &manager{node: c.pod.Node, inside: map[Name]time.Duration{}}
				managers[c.pod.Node] = m
			}
			m.turns += turn.to.Sub(turn.from)
			m.spent(w.share[writeStatus], turn.patch.Completed.Sub(turn.patch.Received))
			if turn.get != nil {
				m.spent(w.ofRead, turn.get.Completed.Sub(turn.get.Received))
				between = append(between, max(0, turn.patch.Received.Sub(turn.get.Completed)))
			}
		}
	}
	gap := time.Duration(0)
	if len(between) > 0 {
		slices.Sort(between)
		gap = between[(len(between)*99)/100]
	}
	for node, all := range turns {
		m := managers[node]
		m.count, m.wrote = len(all), span.Union(slices.Clone(all), 0)
		m.work = m.wrote.Length()
		if k := kubelets[node]; k != nil && k.err == nil && 2*k.held.middle() >= k.bucket.possible.Length() {
			// It waited for tokens between its turns, which the replay and the waits agree on.
			all = append(all, k.bucket.possible...)
		}
		if k := kubelets[node]; k == nil || k.err != nil && !k.absent {
			m.busy = span.Union(all, 0)
			continue
		}
		m.busy = span.Union(all, gap)
	}
	return managers
}

// requests are when the turn's requests were with the API server.
func (w *statusWrite) requests() []span.Span {
	all := []span.Span{{From: w.patch.Received, To: w.patch.Completed}}
	if w.get != nil {
		all = append(all, span.Span{From: w.get.Received, To: w.get.Completed})
	}
	return all
}

// spent adds a request's time to the stations that have shares of it.
func (m *manager) spent(shares map[Name]float64, took time.Duration) {
	for name, share := range shares {
		m.inside[name] += time.Duration(share * float64(took))
	}
}

// turnsIn is the share of the status managers' turns that a station had, from 0 to 1.
func (v *views) turnsIn(name Name) float64 {
	var inside, all time.Duration
	for _, m := range v.managers {
		inside, all = inside+m.inside[name], all+m.turns
	}
	if all <= 0 {
		return 0
	}
	return inside.Seconds() / all.Seconds()
}
