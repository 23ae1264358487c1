// Package station says where a burst's pods waited: at which stations of their way, for how
// long at least and at most, which of these took how much of the makespan, what is not
// known, and what a change would gain. It is a pure function of a recording (Analyze); what
// it returns is what report.json holds.
//
// Its ideas are operational analysis (Denning & Buzen 1978): what is measured is what
// happened; a station that is always busy bounds the throughput of all; and a queue behind
// a full station is no reason of its own. docs/attribution.md is its page for users.
package station

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// stations lists all of them, in a pod's order.
func (a *Analysis) stations(s *scene, v *views, p *processorsView) []Station {
	var all []Station
	add := func(k id, err error, fill func(*Station)) {
		st := Station{Station: k.name, Component: string(k.component), Phase: phaseOf(k), Known: err == nil, UnknownReason: reason(err), Evidence: []string{}, id: k}
		fill(&st)
		st.Part.Seconds = stats.SecondsOf(a.parts[k])
		st.Part.Range, st.Held = a.bounds[k].bounds(), a.held[k].bounds()
		if st.Evidence == nil {
			st.Evidence = []string{}
		}
		all = append(all, st)
	}
	create, schedule, run := s.windowOf(timeline.Submit, timeline.Create), s.windowOf(timeline.Create, timeline.Schedule), s.windowOf(timeline.Schedule, timeline.Ready)
	add(id{ClientLimiter, clusters.KubeControllerManager}, v.creator.err, func(st *Station) { st.limiter(&v.creator, create) })
	add(at(JobController), v.jobs.err, func(st *Station) {
		st.serial(&v.jobs, create)
		if a.parts[at(JobController)] > v.jobs.busy {
			st.BusyShare = nil // a sync is counted when it ends, which may be later
		}
		st.Served = max(st.Served, s.count(func(c *course) bool { return c.create != nil }))
	})
	add(at(PriorityAndFairness), v.writes.seats.err, func(st *Station) {
		st.Served, st.Evidence = v.writes.seats.served, v.writes.seats.says
		if v.writes.seats.err == nil && v.writes.seatsThere > 0 {
			st.BusyShare = share(v.writes.seatsTaken(s.window))
		}
		if v.writes.rejected > 0 {
			st.Evidence = append(st.Evidence, fmt.Sprintf("%.0f requests were rejected (%s)", v.writes.rejected, rejectedMetric))
		}
	})
	add(at(Admission), v.writes.admission.err, func(st *Station) {
		st.Served, st.Evidence = v.writes.admission.served, v.writes.admission.says
	})
	add(at(Etcd), v.writes.etcd.err, func(st *Station) { st.Served, st.Evidence = v.writes.etcd.served, v.writes.etcd.says })
	var server error
	if !s.audited() {
		server = first(v.writes.server.err, nil)
	}
	add(at(APIServer), server, func(st *Station) {
		st.Served, st.Evidence = len(s.requests.Events), v.writes.server.says
		if s.requests.Repeated > 0 {
			st.Evidence = append(st.Evidence, humanize.Count(s.requests.Repeated, "audit line")+" came twice and counts once")
		}
	})
	add(id{ClientLimiter, clusters.KubeScheduler}, v.scheduler.err, func(st *Station) { st.limiter(&v.scheduler, schedule) })
	add(at(SchedulingLoop), v.loop.err, func(st *Station) {
		st.serial(&v.loop, schedule)
		st.Served = max(st.Served, s.count(func(c *course) bool { return c.bind != nil }))
	})
	add(at(Place), v.place.err, func(st *Station) { st.Served, st.Evidence = len(v.place.refused), v.place.says })
	add(at(Binding), s.needsAudit(func(c *course) bool { return c.bind != nil }), func(st *Station) {
		var d time.Duration
		for i := range s.courses {
			if e := s.courses[i].bind; e != nil {
				st.Served++
				d += e.Completed.Sub(e.Received)
			}
		}
		if st.Served > 0 {
			st.Evidence = append(st.Evidence, fmt.Sprintf("audit log: %d bindings of %s each", st.Served, humanize.Seconds(d.Seconds()/float64(st.Served))))
		}
	})
	add(id{ClientLimiter, clusters.Kubelet}, kubeletLimits(v), func(st *Station) { st.kubeletLimiters(v, run) })
	add(at(StatusManager), s.needsAudit(func(c *course) bool { return len(c.writes) > 0 }), func(st *Station) { st.managers(v, run) })
	add(at(PodWorkers), s.podWorkers(v), func(st *Station) {
		st.Served = s.count(func(c *course) bool { _, ok := c.mark(timeline.Accept); return ok })
		st.Evidence = append(st.Evidence, "what remains of the kubelets' time when runtime, pulls, limiter and status manager are taken off")
	})
	add(at(ImagePulls), v.pulls.err, func(st *Station) { st.Served, st.Evidence = v.pulls.count, v.pulls.says })
	add(at(ContainerRuntime), v.runtime.err, func(st *Station) { st.Served, st.Evidence = v.runtime.served, v.runtime.says })
	add(at(Processors), p.err, func(st *Station) {
		st.Served, st.Evidence = p.served, p.says
		if p.err == nil {
			st.BusyShare = share(p.likely)
		}
	})
	add(at(ObserverWatch), s.observed(), func(st *Station) { st.Served = s.burst.Health.Events })
	return all
}

func share(f float64) *float64 { f = min(1, max(0, f)); return &f }

// limiter fills in a station that is one process's limiter.
func (st *Station) limiter(v *limiterView, window span.Span) {
	st.Absent, st.Evidence, st.Served = v.absent, v.says(), v.waits.Count
	if v.err == nil && !v.absent && window.Length() > 0 {
		st.BusyShare = share(v.usual(window).Seconds() / window.Length().Seconds())
	}
}

func (st *Station) serial(v *serial, window span.Span) {
	st.Served, st.Evidence = v.served, v.says
	if v.measured && window.Length() > 0 {
		st.BusyShare = share(v.busy.Seconds() / window.Length().Seconds())
	}
}

// kubeletLimits is nil if every kubelet's limiter is known.
func kubeletLimits(v *views) error {
	var err error
	for _, node := range sortedNodes(v.kubelets) {
		if k := v.kubelets[node]; k.err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", k.instance, k.err))
		}
	}
	if len(v.kubelets) == 0 {
		return fmt.Errorf("%w: no node got a pod", evidence.ErrNotRecorded)
	}
	return err
}

// kubeletLimiters is all kubelets' limiters; the evidence is that of the one that waited most.
func (st *Station) kubeletLimiters(v *views, window span.Span) {
	var worst *limiterView
	st.Absent = len(v.kubelets) > 0
	for _, node := range sortedNodes(v.kubelets) {
		k := v.kubelets[node]
		st.Served += k.waits.Count
		st.Absent = st.Absent && k.absent
		if worst == nil || k.held.high > worst.held.high {
			worst = k
		}
	}
	if worst == nil {
		return
	}
	st.Evidence = worst.says()
	if st.Known && !worst.absent && window.Length() > 0 {
		st.BusyShare = share(worst.usual(window).Seconds() / window.Length().Seconds())
	}
}

// managers is all status managers; busy is the share of the busiest.
func (st *Station) managers(v *views, window span.Span) {
	busiest := busiest(v.managers)
	for _, m := range v.managers {
		st.Served += m.count
	}
	if busiest == nil || window.Length() == 0 {
		return
	}
	st.BusyShare = share(busiest.work.Seconds() / window.Length().Seconds())
	st.Evidence = append(st.Evidence, fmt.Sprintf("audit log: the busiest status manager, on %s, wrote %d times and was at it for %s of %s, %s each",
		humanize.Printable(busiest.node), busiest.count, humanize.Duration(busiest.work), humanize.Duration(window.Length()), humanize.Seconds(busiest.work.Seconds()/float64(busiest.count))))
}

// podWorkers are known where all else in the kubelet is: they are what remains.
func (s *scene) podWorkers(v *views) error {
	switch {
	case !v.runtime.known:
		return errors.New("they are what the container runtime leaves of the kubelets' time, and that is not known")
	case len(v.managers) == 0:
		return s.needsAudit(func(c *course) bool { return len(c.writes) > 0 })
	}
	return kubeletLimits(v)
}

// needsAudit is nil if the audit log shows some pod's request.
func (s *scene) needsAudit(has func(*course) bool) error {
	if s.count(has) > 0 {
		return nil
	}
	if s.burst.AuditUnavailable != "" {
		return fmt.Errorf("no audit log: %s", s.burst.AuditUnavailable)
	}
	return fmt.Errorf("%w: no such request in the audit log", evidence.ErrNotRecorded)
}

// observed is nil where the watch can be held against the audit log.
func (s *scene) observed() error {
	return s.needsAudit(func(c *course) bool { return len(c.writes) > 0 })
}

func (s *scene) count(has func(*course) bool) int {
	n := 0
	for i := range s.courses {
		if has(&s.courses[i]) {
			n++
		}
	}
	return n
}

// windowOf is from the first pod's mark to the last pod's.
func (s *scene) windowOf(from, to timeline.Mark) span.Span {
	var w span.Span
	for i := range s.courses {
		c := &s.courses[i]
		if t, ok := c.mark(from); ok && (w.From.IsZero() || t.Before(w.From)) {
			w.From = t
		}
		if t, ok := c.mark(to); ok && t.After(w.To) {
			w.To = t
		}
	}
	if w.From.IsZero() || w.To.IsZero() {
		return span.Span{}
	}
	return w
}

func sortedNodes[T any](by map[string]T) []string { return slices.Sorted(maps.Keys(by)) }
