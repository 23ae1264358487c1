package station

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/humanize"
)

// follow says because of which station pods wait at another. Three rules, of which the
// first that holds counts:
//
//  1. A limiter that made requests wait, but not the pods, only sees the pace of the
//     stations before it (its queue is audited as full and costs nothing).
//  2. A station that spends most of its time inside another one, which does not wait for the
//     processors itself, follows that one: a status manager that waits for etcd is not what
//     to blame.
//  3. Where the processors are full, what they do is slow because of them. A station that
//     spent its time asleep is not among it.
func (a *Analysis) follow(s *scene, v *views, p *processorsView) {
	full := s.full
	worked := func(name Name) bool {
		if name == APIServer && v.writes.parted() != nil {
			return false // what its time went into is not known
		}
		return full && s.processed(name) && !s.slept(a, name, v)
	}
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Station == ClientLimiter {
			if up, ok := a.pacedBy(st); ok {
				st.follow(up)
			}
			continue
		}
		if a.parts[st.id] <= 0 {
			continue
		}
		inside, ok := a.spentIn(st, v)
		switch {
		case ok && !worked(inside.name):
			st.follow(inside)
		case worked(st.Station):
			st.follow(at(Processors))
		}
	}
	most := a.parts[at(Processors)]
	for _, st := range a.Stations {
		if st.Station != Processors && a.root(&st).Station == Processors {
			most += a.parts[st.id]
		}
	}
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Station == Processors && p.err == nil {
			st.Held.HighSeconds, st.Part.HighSeconds = stats.SecondsOf(most), stats.SecondsOf(most)
			if !full {
				st.Evidence = append(st.Evidence, "by queueing theory (M/M/m) a job waits for a processor less than it is served")
			}
		}
	}
}

func (st *Station) follow(leader id) {
	st.Follows, st.FollowsComponent = leader.name, string(leader.component)
}

// pacedBy is the station before a limiter that paces its requests: the limiter made them
// wait for most of its phase, and the pods for less than a tenth of that.
func (a *Analysis) pacedBy(st *Station) (up id, ok bool) {
	if !st.Known || st.BusyShare == nil || *st.BusyShare < 0.5 {
		return id{}, false
	}
	before := map[clusters.Component][]id{
		clusters.KubeScheduler: {{ClientLimiter, clusters.KubeControllerManager}, at(JobController)},
		clusters.Kubelet:       {{ClientLimiter, clusters.KubeScheduler}, at(SchedulingLoop), {ClientLimiter, clusters.KubeControllerManager}, at(JobController)},
	}[clusters.Component(st.Component)]
	most := a.parts[st.id] * 10
	for _, k := range before {
		if a.parts[k] > most {
			up, most, ok = k, a.parts[k], true
		}
	}
	return up, ok
}

// processed are the stations whose service is work of this machine's processors. The
// simulated runtime of hollow nodes only sleeps.
func (s *scene) processed(name Name) bool {
	switch name {
	case JobController, APIServer, Admission, Etcd, PriorityAndFairness, SchedulingLoop, Binding, StatusManager, PodWorkers:
		return true
	case ContainerRuntime:
		return s.profile.Provider != "embedded"
	}
	return false
}

// spentIn is the station of the API server or behind it in which the other one spends most
// of its time: a status manager its turns, the others their part of the makespan.
func (a *Analysis) spentIn(st *Station, v *views) (inside id, ok bool) {
	behind := []id{at(PriorityAndFairness), at(Admission), at(Etcd)}
	switch st.Station {
	case StatusManager:
		for _, k := range behind {
			if v.turnsIn(k.name) > mostly {
				return k, true
			}
		}
	case JobController, Binding, APIServer:
		most := a.parts[st.id]
		for _, k := range behind {
			if a.parts[k] > most {
				inside, most, ok = k, a.parts[k], true
			}
		}
	}
	return inside, ok
}

// leastGain is the part of the makespan that a change must win, by the low end of its
// prediction, to be worth advice: half of the smallest difference that the gate calls a
// change (10 %), so that what is advised can be seen.
const leastGain = 0.05

// leastOthers is the share of the processors' time from which what other processes took
// is worth a replay.
const leastOthers = 0.1

// gains predicts for each limiter what the makespan would be without it, and gives
// advice where that is shorter; and for the processors what it would be had nothing else run there. Where one limiter alone would only be followed by the next
// one, it looks at what both together would give.
func (a *Analysis) gains(processors *processorsView) {
	if a.MakespanSeconds == nil || a.model == nil {
		return
	}
	worth := leastGain * *a.MakespanSeconds
	for i := range a.Stations {
		st := &a.Stations[i]
		if st.Station == Processors && processors.others >= leastOthers {
			if p := WhatIf(a, Scenario{Alone: true}); p.Known {
				st.Gain = &Range{p.GainLowSeconds, p.GainHighSeconds}
				if p.GainLowSeconds >= worth {
					st.Advice = fmt.Sprintf("keep other work off the machine: a replay of the burst without it is %s to %s shorter", p.GainLowSeconds, p.GainHighSeconds)
				}
			}
			continue
		}
		if st.Station != ClientLimiter || st.Absent {
			continue
		}
		c := clusters.Component(st.Component)
		if ceiling := stats.Seconds(a.model.ceiling[c]); ceiling < worth {
			// It cannot give back more than it made requests wait: there is no need to play.
			st.Gain = &Range{HighSeconds: ceiling}
			continue
		}
		p := WhatIf(a, without(c))
		if !p.Known {
			continue
		}
		st.Gain = &Range{p.GainLowSeconds, p.GainHighSeconds}
		if !st.Known || st.Follows != "" {
			continue
		}
		if p.GainLowSeconds >= worth {
			st.Advice = advice(p, c)
			continue
		}
		all := []clusters.Component{c}
		for _, f := range a.followers(st) {
			if f.Station == ClientLimiter {
				all = append(all, clusters.Component(f.Component))
			}
		}
		if len(all) == 1 {
			continue
		}
		if p := WhatIf(a, without(all...)); p.Known && p.GainLowSeconds >= worth {
			st.Advice = advice(p, all...)
		}
	}
}

func without(components ...clusters.Component) Scenario {
	sc := Scenario{Limits: map[clusters.Component]clusters.Limits{}}
	for _, c := range components {
		sc.Limits[c] = clusters.Limits{KubeAPIQPS: -1}
	}
	return sc
}

func advice(p Prediction, components ...clusters.Component) string {
	var names []string
	for _, c := range components {
		names = append(names, c.Setting())
	}
	limiters := "limiter"
	if len(names) > 1 {
		limiters = "limiters"
	}
	return fmt.Sprintf("raise kubeAPIQPS and kubeAPIBurst of %s: a replay of the burst without the %s is %s to %s shorter",
		humanize.And(names), limiters, p.GainLowSeconds, p.GainHighSeconds)
}
