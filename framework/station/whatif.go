package station

import (
	"math"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
)

// Scenario is what is changed in a burst that is replayed.
type Scenario struct {
	// Limits replaces components' limiters; a QPS that is not positive takes one away.
	Limits map[clusters.Component]clusters.Limits
	// Without are stations that take no time or, for the status manager, no turns.
	Without []Name
}

func (sc *Scenario) without(name Name) bool { return slices.Contains(sc.Without, name) }

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
	infinite := stats.Seconds(math.Inf(1))
	p := Prediction{Known: true, GainLowSeconds: infinite, GainHighSeconds: -infinite, MakespanLowSeconds: infinite, MakespanHighSeconds: -infinite}
	reps := min(mostReplays, max(leastReplays, playedPods/len(m.pods)))
	for i, v := range m.variants() {
		same := func(k int) int { return k }
		base := m.unchanged(i, -1, v, same)
		if i == 0 || math.Abs(base-m.makespan) < math.Abs(float64(p.ReplayedSeconds)-m.makespan) {
			p.ReplayedSeconds = stats.Seconds(base)
		}
		misfit := math.Abs(base-m.makespan) / m.makespan
		if !(misfit <= worstFit) {
			continue
		}
		// Also what the recorded services themselves predict.
		gains, makespans := []float64{m.makespan * (1 - m.play(v, &sc, same)/base)}, []float64{}
		for rep := range reps {
			draw := make([]int, len(m.pods))
			for k, random := 0, m.seeded(rep); k < len(draw); k++ {
				draw[k] = random.IntN(len(draw))
			}
			pick := func(k int) int { return draw[k] }
			was, is := m.unchanged(i, rep, v, pick), m.play(v, &sc, pick)
			gains = append(gains, m.makespan*(1-is/was))
			makespans = append(makespans, m.makespan*is/base)
		}
		low, high := ends(gains)
		p.GainLowSeconds = min(p.GainLowSeconds, stats.Seconds(low-misfit*math.Abs(low)))
		p.GainHighSeconds = max(p.GainHighSeconds, stats.Seconds(high+misfit*math.Abs(high)))
		low, high = ends(makespans)
		p.MakespanLowSeconds = min(p.MakespanLowSeconds, stats.Seconds(low*(1-misfit)))
		p.MakespanHighSeconds = max(p.MakespanHighSeconds, stats.Seconds(high*(1+misfit)))
	}
	if p.GainLowSeconds == infinite {
		return Prediction{UnknownReason: "a replay does not give the burst that was recorded", ReplayedSeconds: p.ReplayedSeconds}
	}
	p.bound(m, &sc)
	return p
}

// unchanged is the burst played as it is, once for each draw of pods.
func (m *model) unchanged(variant, rep int, v variant, pick func(int) int) float64 {
	key := [2]int{variant, rep}
	makespan, known := m.played[key]
	if !known {
		makespan = m.play(v, &Scenario{}, pick)
		m.played[key] = makespan
	}
	return makespan
}

// bound holds the prediction to what is impossible otherwise.
func (p *Prediction) bound(m *model, sc *Scenario) {
	if len(sc.Without) > 0 {
		return
	}
	most := m.makespan * (1 - m.lowBusy)
	waited := 0.0
	for c, l := range sc.Limits {
		if now := m.limits[c]; l.KubeAPIQPS <= 0 || l.KubeAPIQPS >= now.KubeAPIQPS && l.KubeAPIBurst >= now.KubeAPIBurst {
			waited += m.ceiling[c] // a wider limiter gives back no more than it made wait
		}
	}
	most = min(most, waited)
	p.GainHighSeconds = min(p.GainHighSeconds, stats.Seconds(most))
	p.GainLowSeconds = min(p.GainLowSeconds, p.GainHighSeconds)
	p.MakespanLowSeconds = max(p.MakespanLowSeconds, stats.Seconds(m.makespan*m.lowBusy))
	p.MakespanHighSeconds = max(p.MakespanLowSeconds, p.MakespanHighSeconds)
}

// ends are the values between which all but the outer ones lie.
func ends(values []float64) (low, high float64) {
	slices.Sort(values)
	cut := int(outer * float64(len(values)))
	return values[cut], values[len(values)-1-cut]
}
