package station

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/humanize"
)

// Scenario is what is changed in a burst that is replayed.
type Scenario struct {
	// Limits replaces components' limiters; a QPS that is not positive takes one away.
	Limits map[clusters.Component]clusters.Limits
	// Without are stations that take no time or, for the status manager, no turns.
	Without []Name
	// Faster are stations that serve so many times as fast; a number below 1 is slower.
	Faster map[Name]float64
	// Alone takes away what else ran on the machine.
	Alone bool
}

func (sc *Scenario) without(name Name) bool { return slices.Contains(sc.Without, name) }

// left is what part of its time a station still takes: 0 without it, 1 unchanged.
func (sc *Scenario) left(name Name) float64 {
	if sc.without(name) {
		return 0
	}
	if times := sc.Faster[name]; times > 0 {
		return 1 / times
	}
	return 1
}

// Prediction is what the makespan would have been. Times are in seconds.
type Prediction struct {
	// Known is false where the burst cannot be replayed.
	Known bool `json:"known"`
	// UnknownReason says why it cannot.
	UnknownReason string `json:"unknownReason,omitempty"`
	// MakespanLowSeconds is the least makespan of another burst like this one with the change.
	MakespanLowSeconds stats.Seconds `json:"makespanLowSeconds"`
	// MakespanHighSeconds is the most that it would be.
	MakespanHighSeconds stats.Seconds `json:"makespanHighSeconds"`
	// GainLowSeconds is by how much the change shortens this burst at least; a negative
	// gain is a loss.
	GainLowSeconds stats.Seconds `json:"gainLowSeconds"`
	// GainHighSeconds is by how much it shortens it at most.
	GainHighSeconds stats.Seconds `json:"gainHighSeconds"`
	// ReplayedSeconds is the makespan that the replay without the change gives: how far it
	// is from the real one is the model's error, and part of the bounds.
	ReplayedSeconds stats.Seconds `json:"replayedSeconds"`
}

// How a prediction is made.
const (
	// most and leastReplays bound how often a burst is played, with services drawn anew
	// from its pods (Efron's bootstrap); playedPods how many pods are played in all.
	mostReplays, leastReplays, playedPods = 30, 4, 6000
	// worstFit is the error from which a replay is no model of the burst any more.
	worstFit = 0.5
	// nearFit is how much worse than the best one a replay may fit, as a part of the makespan.
	nearFit = 0.05
	// simplified is by how much a replay is off where the burst is unlike the recorded one,
	// as a part of the makespan that it gives and of the change: what it leaves out (caches, locks, garbage
	// collection) is not in its misfit. Lifted causes of the cause lab were within it.
	simplified = 0.15
	// outer is the part of the replays that is left out at either end.
	outer = 0.05
)

// WhatIf replays the analyzed burst with a change, through a model of the stations: a
// token bucket for each limiter, creations in batches, one scheduling cycle at a time, a
// status manager for each node, and processors that all services share.
//
// The bounds hold the model's error (how far a replay without the change is from what
// was recorded), the spread of replays with other pods' services, and the two ends of
// what is known of the processors. No change of limits does away with processors' work:
// by the asymptotic bound of operational analysis the makespan stays above their busy time.
func WhatIf(a *Analysis, sc Scenario) Prediction {
	m := a.model
	if m == nil || len(m.pods) == 0 {
		return Prediction{UnknownReason: "the burst cannot be replayed without an audit log of every pod's requests"}
	}
	if why := a.unpredictable(&sc); why != "" {
		return Prediction{UnknownReason: why}
	}
	infinite := stats.Seconds(math.Inf(1))
	p := Prediction{Known: true, GainLowSeconds: infinite, GainHighSeconds: -infinite, MakespanLowSeconds: infinite, MakespanHighSeconds: -infinite}
	fits := m.fits()
	if len(fits) == 0 || !(fits[0].misfit <= worstFit) {
		return Prediction{UnknownReason: "a replay does not give the burst that was recorded"}
	}
	p.ReplayedSeconds = stats.Seconds(fits[0].makespan)
	reps := max(leastReplays, min(mostReplays, playedPods/len(m.pods)/len(fits)))
	for i := range fits {
		f := &fits[i]
		// Also what the recorded services themselves predict.
		is := m.play(f.variant, &sc, unmixed)
		gains, makespans := []float64{m.makespan * (1 - is/f.makespan)}, []float64{m.makespan * is / f.makespan}
		for rep := range reps {
			draw := make([]int, len(m.pods))
			for k, random := 0, m.seeded(rep); k < len(draw); k++ {
				draw[k] = random.IntN(len(draw))
			}
			pick := func(k int) int { return draw[k] }
			was, is := m.unchanged(f, rep, pick), m.play(f.variant, &sc, pick)
			gains = append(gains, m.makespan*(1-is/was))
			makespans = append(makespans, m.makespan*is/f.makespan)
		}
		low, high := ends(gains)
		p.GainLowSeconds = min(p.GainLowSeconds, stats.Seconds(low-f.misfit*math.Abs(low)))
		p.GainHighSeconds = max(p.GainHighSeconds, stats.Seconds(high+f.misfit*math.Abs(high)))
		low, high = ends(makespans)
		p.MakespanLowSeconds = min(p.MakespanLowSeconds, stats.Seconds(low*(1-f.misfit)))
		p.MakespanHighSeconds = max(p.MakespanHighSeconds, stats.Seconds(high*(1+f.misfit)))
	}
	p.bound(m, &sc)
	return p
}

// unpredictable says why a change cannot be predicted: what is not known of a station
// cannot be taken away from it. It is empty where it can.
func (a *Analysis) unpredictable(sc *Scenario) string {
	names := append([]Name{}, sc.Without...)
	for _, name := range Removable() {
		if sc.Faster[name] > 0 {
			names = append(names, name)
		}
	}
	if sc.Alone {
		if !a.model.budget.sampled {
			return "what else ran on the machine was not sampled"
		}
		names = append(names, Processors)
	}
	for i := range a.Stations {
		if st := &a.Stations[i]; !st.Known && slices.Contains(names, st.Station) {
			return fmt.Sprintf("%s is not known (%s)", st.title(), humanize.Printable(st.UnknownReason))
		}
	}
	return ""
}

// fit is a variant with how well a replay of it gives the burst that was recorded.
type fit struct {
	variant
	makespan, misfit float64
	// drawn are replays of it without a change, by draw.
	drawn map[int]float64
}

// fits are the variants whose replay comes about as near to the recorded burst as that of
// the best, the best first.
func (m *model) fits() []fit {
	if m.fitted != nil {
		return m.fitted
	}
	var all []fit
	for _, v := range m.variants() {
		makespan := m.replayed(v)
		all = append(all, fit{v, makespan, math.Abs(makespan-m.makespan) / m.makespan, map[int]float64{}})
	}
	slices.SortStableFunc(all, func(a, b fit) int { return cmp.Compare(a.misfit, b.misfit) })
	worst := max(2*all[0].misfit, all[0].misfit+nearFit)
	m.fitted = all[:1]
	for _, f := range all[1:] {
		if f.misfit <= worst {
			m.fitted = append(m.fitted, f)
		}
	}
	return m.fitted
}

// unchanged is the burst played as it is, once for each draw of pods.
func (m *model) unchanged(f *fit, rep int, pick func(int) int) float64 {
	makespan, known := f.drawn[rep]
	if !known {
		makespan = m.play(f.variant, &Scenario{}, pick)
		f.drawn[rep] = makespan
	}
	return makespan
}

// bound holds the prediction to what is impossible otherwise, and opens it to what the
// replay cannot know.
func (p *Prediction) bound(m *model, sc *Scenario) {
	less := simplified * min(max(p.GainLowSeconds, -p.GainLowSeconds), p.MakespanHighSeconds)
	more := simplified * min(max(p.GainHighSeconds, -p.GainHighSeconds), p.MakespanLowSeconds)
	p.GainLowSeconds, p.MakespanHighSeconds = p.GainLowSeconds-less, p.MakespanHighSeconds+less
	p.GainHighSeconds, p.MakespanLowSeconds = p.GainHighSeconds+more, p.MakespanLowSeconds-more
	if sc.Alone {
		return
	}
	if busy := stats.Seconds(m.busy()); busy > p.MakespanHighSeconds && busy < stats.Seconds(m.makespan) {
		p.MakespanHighSeconds = busy
		p.GainLowSeconds = min(p.GainLowSeconds, stats.Seconds(m.makespan)-busy)
	}
	if len(sc.Without) > 0 || len(sc.Faster) > 0 {
		return
	}
	most := m.makespan - m.floor()
	waited := 0.0
	for c, l := range sc.Limits {
		if now := m.limits[c]; l.KubeAPIQPS <= 0 || l.KubeAPIQPS > now.KubeAPIQPS || l.KubeAPIBurst > now.KubeAPIBurst {
			waited += m.ceiling[c] // a wider limiter gives back no more than it made wait
		}
	}
	most = min(most, waited)
	p.GainHighSeconds = min(p.GainHighSeconds, stats.Seconds(most))
	p.GainLowSeconds = min(p.GainLowSeconds, p.GainHighSeconds)
	// The makespan can be no less than what the gain leaves of it.
	p.MakespanLowSeconds = max(p.MakespanLowSeconds, stats.Seconds(m.makespan)-p.GainHighSeconds)
	p.MakespanHighSeconds = max(p.MakespanLowSeconds, min(p.MakespanHighSeconds, stats.Seconds(m.makespan)-p.GainLowSeconds))
}

// ends are the values between which all but the outer ones lie.
func ends(values []float64) (low, high float64) {
	slices.Sort(values)
	cut := int(outer * float64(len(values)))
	return values[cut], values[len(values)-1-cut]
}
