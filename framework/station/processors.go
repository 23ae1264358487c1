package station

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/internal/humanize"
)

// processorsView is how busy the machine's processors were during the makespan.
type processorsView struct {
	err error
	// low and high bound the share of their time that was used, from 0 to 1; likely is
	// what is taken for it.
	low, high, likely float64
	// measured: processor time was counted, from before until after the burst; sampled: it
	// was also told how much of it fell into the makespan.
	measured, sampled bool
	// others is the share of their time that processes other than the burst's used, where
	// that was sampled.
	others float64
	served int
	says   []string
}

// latencies is Go's histogram of how long goroutines were ready to run and did not.
const latencies = "go_sched_latencies_seconds"

// processorsView adds up what every component used of the processors. Whatever else ran
// is not in it, so that the sum is a lower bound; a sampler of the whole machine tells all.
func (s *scene) processorsView() processorsView {
	v := processorsView{high: 1}
	window := s.window.Length().Seconds()
	switch {
	case s.profile.Provider == "existing":
		v.err = fmt.Errorf("%w: the nodes' machines are not this one", evidence.ErrUnavailable)
		return v
	case s.cpus <= 0:
		v.err = fmt.Errorf("%w: how many processors the machine has", evidence.ErrNotRecorded)
		return v
	case window <= 0:
		v.err = fmt.Errorf("%w: no makespan", evidence.ErrNotRecorded)
		return v
	}
	all := float64(s.cpus) * window
	raw := usage.Within(s.burst.Usage, recording.AccountMachine, s.window)
	if used := raw.On(s.cpus); used.Covered.Seconds() >= nearlyWhole*window {
		v.bySamples(used, window, s.cpus)
		own := v.whose(s, used)
		// Ticks of 10 ms, and accounts that are not read at one instant, differ a little.
		if all := used.Covered.Seconds() * float64(s.cpus); raw.CPULow.Seconds() > 1.1*all+0.1 || own > used.CPUHigh.Seconds()+0.1*all+0.1 {
			v = processorsView{high: 1, err: fmt.Errorf("%w: samples of more processor time than there was", evidence.ErrTorn)}
		}
		return v
	} else if used.Covered > 0 {
		v.says = append(v.says, fmt.Sprintf("samples cover only %s of %s", humanize.Duration(used.Covered), humanize.Seconds(window)))
	}
	used, processes, missing := s.counted()
	if processes > 0 {
		v.measured, v.served = true, processes
		v.low = min(1, used/all)
		v.says = append(v.says, fmt.Sprintf("from before to after the burst Kubernetes' own processes used %s, and %s had %s in the makespan",
			humanize.Seconds(used), humanize.Count(s.cpus, "processor"), humanize.Seconds(all)))
	}
	v.likely = v.low
	if queued, n := s.scheduled(); n > 0 {
		v.says = append(v.says, fmt.Sprintf("their goroutines waited %s for one (%s)", humanize.Seconds(queued), latencies))
	}
	if load := s.burst.Load; load != nil && load.Before.OneMinute >= 0 && load.After.OneMinute >= 0 && max(load.Before.OneMinute, load.After.OneMinute) <= mostLoad {
		v.byLoad(load.Before.OneMinute, load.After.OneMinute, s.cpus)
		// Whoever else ran before goes on, and the observer takes its own.
		v.high = min(1, v.low+s.burst.Health.CPUSeconds/all+load.Before.OneMinute/float64(s.cpus))
	}
	if !v.measured && v.likely == 0 {
		v.err = missing
	}
	v.high = max(v.low, v.high)
	return v
}

// bySamples takes samples of the whole machine for evidence, in a window of so many seconds.
// Time that they do not cover may have been idle or not.
func (v *processorsView) bySamples(used usage.Used, window float64, cpus int) {
	all := window * float64(cpus)
	v.likely = min(1, used.CPU.Seconds()/(used.Covered.Seconds()*float64(cpus)))
	v.low = min(v.likely, used.CPULow.Seconds()/all)
	v.high = min(1, max(v.likely, used.CPUHigh.Seconds()/all+1-used.Covered.Seconds()/window))
	v.measured, v.sampled = true, true
	says := fmt.Sprintf("%s of %s' time was used", humanize.Percent(v.likely), humanize.Count(cpus, "processor"))
	if used.RunQueueKnown {
		says += fmt.Sprintf(", and for %s at least one task waited for one", humanize.Duration(used.RunQueue))
	}
	v.says = append(v.says, says+" (sampled)")
}

// nearlyWhole is the part of the makespan that samples must cover to be taken for all of it.
const nearlyWhole = 0.9

// whose says how much of it was used by the burst's own processes, which it returns in
// seconds, and by others.
func (v *processorsView) whose(s *scene, machine usage.Used) (own float64) {
	accounts := 0
	for _, account := range s.accounts() {
		if used := usage.Within(s.burst.Usage, account, s.window); used.Covered > s.window.Length()/2 {
			own += used.CPU.Seconds()
			accounts++
		}
	}
	if accounts == 0 {
		return 0
	}
	all := machine.Covered.Seconds() * float64(s.cpus)
	v.served, v.others = accounts, max(0, machine.CPU.Seconds()-own)/all
	v.says = append(v.says, fmt.Sprintf("of it %s by Kubernetes' own processes and podburst, %s by others", humanize.Percent(min(1, own/all)), humanize.Percent(v.others)))
	return own
}

// mostLoad is a load average that no machine has.
const mostLoad = 1e6

// byLoad takes the load averages for evidence: tasks that run, are ready to run, or wait
// for a disk. Where there were more than two for each processor both before and after,
// the processors had no time left but for disks.
func (v *processorsView) byLoad(before, after float64, cpus int) {
	v.says = append(v.says, fmt.Sprintf("load average %s before and %s after on %s (tasks that wait for disks count, too)",
		humanize.Significant(before), humanize.Significant(after), humanize.Count(cpus, "processor")))
	if m := 2 * float64(cpus); before > m && after > m {
		v.likely = max(v.likely, 1)
	}
}

// counted is the processor time of every process that tells it, in seconds.
func (s *scene) counted() (used float64, processes int, missing error) {
	for _, name := range s.instances() {
		cpu, err := evidence.ProcessOf(s.burst, name).CPUSeconds()
		if err != nil {
			missing = errors.Join(missing, fmt.Errorf("%s: %w", name, err))
			continue
		}
		used += cpu
		processes++
	}
	if missing == nil {
		missing = evidence.ErrNotRecorded
	}
	return used, processes, missing
}

func (s *scene) scheduled() (seconds float64, processes int) {
	for _, name := range s.instances() {
		if h, err := evidence.ProcessOf(s.burst, name).Histogram(latencies); err == nil {
			seconds += h.Sum
			processes++
		}
	}
	return seconds, processes
}

// instances are all processes that the recording names.
func (s *scene) instances() []string {
	names := []string{string(clusters.Etcd), string(clusters.KubeAPIServer), string(clusters.KubeControllerManager), string(clusters.KubeScheduler)}
	for name := range s.burst.Metrics {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[4:])
	return names
}

// full tells whether the processors are what the work that they do waits for: whether
// by M/M/m (Erlang C) a job waits for one at least as long as it is served. With two
// processors that is from 71 % on, with sixteen from 96 %.
func (v *processorsView) full(cpus int) bool {
	if cpus <= 0 || v.err != nil {
		return false
	}
	return erlangWait(v.likely, cpus) >= 1
}

// erlangWait is the mean wait in M/M/m in units of the mean service: the probability of
// a wait (Erlang C) divided by m(1 - u).
func erlangWait(u float64, m int) float64 {
	if u >= 1 {
		return math.Inf(1)
	}
	if u <= 0 {
		return 0
	}
	// Erlang B by its recursion, then C from B.
	a, b := u*float64(m), 1.0
	for k := 1; k <= m; k++ {
		b = a * b / (float64(k) + a*b)
	}
	c := b / (1 - u*(1-b))
	return c / (float64(m) * (1 - u))
}
