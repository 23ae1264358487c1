package station

import (
	"math"
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/usage"
)

// budget is what the burst's own processes needed of the machine's processors in the
// makespan, and what they competed with. Times are in seconds.
type budget struct {
	// sampled: the machine's use was sampled.
	sampled bool
	// low and high bound the processor time that they used; podburst's own is among it, for
	// its watch costs the more the more pods there are.
	low, high float64
	// waited is for how long they were ready to run and waited for a processor; it means
	// something where waitedKnown.
	waited      float64
	waitedKnown bool
	// othersLow and othersHigh bound how many tasks of other processes wanted to run at
	// any time.
	othersLow, othersHigh float64
}

// budget reads the samples. Without any, what processes counted from before until after
// the burst is the most that they can have used in between, and nothing is the least.
func (s *scene) budget(p *processorsView) budget {
	b := budget{sampled: p.sampled}
	if s.cpus <= 0 || p.err != nil {
		return b
	}
	b.waited, b.waitedKnown = s.goroutinesWaited()
	if !p.sampled {
		b.high, _, _ = s.counted()
		if load := s.burst.Load; load != nil {
			b.othersHigh = min(mostLoad, max(0, load.Before.OneMinute, load.After.OneMinute))
		}
		return b
	}
	queued := 0.0
	for _, account := range s.accounts() {
		used := usage.Within(s.burst.Usage, account, s.window)
		b.low += used.CPULow.Seconds()
		b.high += used.CPUHigh.Seconds()
		if used.RunQueueKnown {
			queued += used.RunQueue.Seconds()
			b.waitedKnown = true
		}
	}
	machine := usage.Within(s.burst.Usage, recording.AccountMachine, s.window)
	window := s.window.Length().Seconds()
	b.othersLow = max(0, machine.CPU.Seconds()-b.high) / window
	b.othersHigh = max(0, machine.CPU.Seconds()-b.low) / window
	b.waited += queued
	if p.likely >= crowded {
		// With no time left, more wanted to run than did.
		b.othersHigh = max(b.othersHigh, competitors(b.low, queued, window, float64(s.cpus)))
	}
	return b
}

// competitors is how many tasks of other processes there were beside the burst's own. By
// processor sharing, what took so much processor time and waited so long for it was
// slowed down by as many tasks, its own included, as there are for each processor.
func competitors(used, queued, window, cpus float64) float64 {
	if !(used > 0) || !(window > 0) {
		return 0
	}
	own := (used + queued) / window
	return max(0, cpus*(used+queued)/used-own)
}

// crowded is the share of their time from which processors may have tasks waiting that
// their use does not show.
const crowded = 0.9

// accounts are those of the burst's own processes: the nodes' containers with all that
// runs in them where there are such, else the components; and podburst's own.
func (s *scene) accounts() []string {
	seen := map[string]bool{}
	var nodes, components []string
	for i := range s.burst.Usage {
		name := s.burst.Usage[i].Account
		if seen[name] || name == recording.AccountMachine || name == recording.AccountObserver {
			continue
		}
		seen[name] = true
		if strings.HasPrefix(name, nodeAccount) {
			nodes = append(nodes, name)
		} else {
			components = append(components, name)
		}
	}
	if len(nodes) > 0 {
		components = nodes
	}
	return append(components, recording.AccountObserver)
}

// nodeAccount begins the name of a node's container with all in it.
const nodeAccount = "node "

// goroutinesWaited is how long goroutines waited for a thread of their process.
func (s *scene) goroutinesWaited() (seconds float64, known bool) {
	seconds, n := s.scheduled()
	return seconds, n > 0 && !math.IsInf(seconds, 0)
}
