package station

import (
	"slices"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/internal/span"
)

// sliceCount is into how many the makespan is cut for Strips.
const sliceCount = 60

// Strip is how full a station was over a burst's makespan.
type Strip struct {
	*Station
	// Load is for how much of each slice of the makespan the station was busy or had pods
	// waiting, from 0 to 1; nil where that is not known. The slices are equally long.
	Load []float64
}

// Strips are how full the stations were, in a pod's order. They are nil for an analysis
// that was read from report.json, and for a burst without a makespan. The observer's watch
// comes after the makespan and is left out.
func (a *Analysis) Strips() []Strip {
	if a.loads == nil {
		return nil
	}
	var all []Strip
	for _, k := range everyStation() {
		if st := a.find(k); st != nil && k.name != ObserverWatch {
			all = append(all, Strip{st, a.loads[k]})
		}
	}
	return all
}

// strips cuts the makespan into slices.
type strips struct {
	slices []span.Span
	loads  map[id][]float64
}

// newLoads is what Strips shows.
func (s *scene) newLoads(a *Analysis, v *views, p *processorsView) map[id][]float64 {
	c := strips{loads: map[id][]float64{}}
	for i := range sliceCount {
		at := func(i int) time.Time { return s.window.From.Add(s.window.Length() * time.Duration(i) / sliceCount) }
		c.slices = append(c.slices, span.Span{From: at(i), To: at(i + 1)})
	}
	c.limiters(v)
	if s.audited() { // else nobody knows when
		c.requests(s, v)
	}
	var unplaced []span.Span
	for _, uid := range sortedNodes(v.place.refused) {
		unplaced = append(unplaced, v.place.refused[uid])
	}
	c.set(at(Place), span.Union(unplaced, 0), 1)
	if m := busiest(v.managers); m != nil {
		c.set(at(StatusManager), m.wrote, 1)
	}
	c.kubelets(s)
	c.processors(s, p)
	for i := range a.Stations {
		if st := &a.Stations[i]; !st.Known {
			delete(c.loads, st.id)
		}
	}
	return c.loads
}

// requests: the stations that serve requests to the API server, or wait for its answers.
func (c *strips) requests(s *scene, v *views) {
	creates, binds, writes, beforeBind := s.requestSpans()
	c.set(at(JobController), span.Set{{From: s.window.From, To: last(creates)}}.Minus(v.creator.bucket.possible).Minus(creates), 1)
	for _, name := range []Name{PriorityAndFairness, Admission, Etcd} {
		for kind, requests := range [writeKinds]span.Set{writeCreate: creates, writeBind: binds, writeStatus: writes} {
			c.set(at(name), requests, v.writes.share[kind][name])
		}
	}
	c.set(at(APIServer), span.Union(slices.Concat(creates, binds, writes), 0), 1)
	c.set(at(Binding), binds, 1)
	c.set(at(SchedulingLoop), beforeBind.Minus(v.scheduler.bucket.possible), 1)
}

// add adds to the load of a slice, which is never more than full.
func (c *strips) add(k id, slice int, load float64) {
	if c.loads[k] == nil {
		c.loads[k] = make([]float64, len(c.slices))
	}
	if load > 0 {
		c.loads[k][slice] = min(1, c.loads[k][slice]+load)
	}
}

// set adds when a station was busy; share is for how much of that time it was.
func (c *strips) set(k id, busy span.Set, share float64) {
	for i, slice := range c.slices {
		load := 0.0
		if slice.Length() > 0 {
			load = share * busy.Within(slice).Seconds() / slice.Length().Seconds()
		}
		c.add(k, i, load)
	}
}

// limiters: a limiter's strip is when the next request may have waited, in proportion to
// what was waited. Without the audit log nobody knows when that was.
func (c *strips) limiters(v *views) {
	view := map[id]*limiterView{}
	for _, k := range everyStation() {
		if k.name == ClientLimiter {
			view[k] = nil
		}
	}
	for k := range view {
		switch k.component {
		case v.creator.instance.Component:
			view[k] = &v.creator
		case v.scheduler.instance.Component:
			view[k] = &v.scheduler
		default:
			for _, node := range sortedNodes(v.kubelets) {
				if l := v.kubelets[node]; view[k] == nil || l.held.high > view[k].held.high {
					view[k] = l
				}
			}
		}
	}
	slice := c.slices[0].Length()
	for k, l := range view {
		switch {
		case l == nil || l.err != nil:
		case l.absent || l.held.high < slice/2: // nothing that could be seen
			c.set(k, nil, 0)
		case l.bucket.possible != nil:
			c.set(k, l.bucket.possible, min(1, l.held.middle().Seconds()/max(1e-9, l.bucket.possible.Length().Seconds())))
		}
	}
}

// kubelets: what is known of a pod's runtime, pulls and worker is how long they took of its
// time in the kubelet, which is taken to be even.
func (c *strips) kubelets(s *scene) {
	for _, k := range []id{at(ContainerRuntime), at(ImagePulls), at(PodWorkers)} {
		c.set(k, nil, 0)
		for i := range s.courses {
			leg := s.courses[i].inKubelet()
			part := s.ways[i].parts[k]
			if leg.Length() <= 0 || part <= 0 {
				continue
			}
			share := min(1, part.Seconds()/leg.Length().Seconds())
			for n, slice := range c.slices {
				if slice.From.After(leg.To) {
					break
				}
				if in := (span.Set{leg}).Within(slice); in > 0 {
					c.add(k, n, share*in.Seconds()/slice.Length().Seconds())
				}
			}
		}
	}
}

// processors are as busy as samples say; without samples, as on the mean.
func (c *strips) processors(s *scene, p *processorsView) {
	if p.err != nil || s.cpus <= 0 {
		return
	}
	for i, slice := range c.slices {
		load := p.likely
		if p.sampled {
			used := usage.Within(s.burst.Usage, recording.AccountMachine, slice)
			if used.Covered > 0 {
				load = used.CPU.Seconds() / (used.Covered.Seconds() * float64(s.cpus))
			}
		}
		c.add(at(Processors), i, load)
	}
}

// requestSpans are when pods' creations, bindings and last status writes were with the API
// server, and when pods were with the scheduler.
func (s *scene) requestSpans() (creates, binds, writes, beforeBind span.Set) {
	var created, bound, written, scheduled []span.Span
	for i := range s.courses {
		c := &s.courses[i]
		if e := c.create; e != nil {
			created = append(created, span.Span{From: e.Received, To: e.Completed})
		}
		if e := c.bind; e != nil {
			bound = append(bound, span.Span{From: e.Received, To: e.Completed})
			if c.create != nil {
				scheduled = append(scheduled, span.Span{From: c.create.Completed, To: e.Received})
			}
		}
		if n := len(c.writes); n > 0 { // the others are not in the pod's way
			written = append(written, span.Span{From: c.writes[n-1].from, To: c.writes[n-1].to})
		}
	}
	return span.Union(created, 0), span.Union(bound, 0), span.Union(written, 0), span.Union(scheduled, 0)
}

func last(set span.Set) time.Time {
	if len(set) == 0 {
		return time.Time{}
	}
	return set[len(set)-1].To
}

// busiest is the status manager that was at work for longest.
func busiest(managers map[string]*manager) *manager {
	var most *manager
	for _, node := range sortedNodes(managers) {
		if m := managers[node]; most == nil || m.work > most.work {
			most = m
		}
	}
	return most
}
