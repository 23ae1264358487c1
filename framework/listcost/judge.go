package listcost

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/framework/watch"
)

// Judge computes the result of a recorded measurement. An error means that the
// recording holds something that no measurement can produce.
func Judge(cost Observation) (Result, error) {
	r := Result{
		Profile: cost.Profile, KubernetesVersion: cost.KubernetesVersion, Nodes: slices.Concat([]string{}, cost.Nodes),
		Complete:         cost.FinishedAt != nil && len(cost.Sizes) >= len(cost.Plan.Sizes),
		AuditUnavailable: cost.AuditUnavailable, MetricsUnavailable: cost.MetricsUnavailable, Limit: cost.Plan.Limit,
		Strategies: []StrategyResult{}, Informers: []InformerResult{}, Watcher: cost.Watcher, Findings: []string{}, Checks: []Check{},
	}
	if r.Watcher == nil {
		r.Watcher = map[string]watch.Requests{}
	}
	for _, s := range Strategies() {
		result, err := strategy(s, cost)
		if err != nil {
			return r, fmt.Errorf("judge list costs of profile %s: %s: %w", cost.Profile, s.Name, err)
		}
		if len(result.Points) > 0 || result.Unserved != "" {
			r.Strategies = append(r.Strategies, result)
		}
	}
	for _, size := range cost.Sizes {
		informers, err := informersOf(size)
		if err != nil {
			return r, fmt.Errorf("judge list costs of profile %s: informers: %w", cost.Profile, err)
		}
		r.Informers = append(r.Informers, informers...)
	}
	r.ListDifferences, r.Differences = listDifferences(cost), differences(cost)
	r.Checks = append(r.Checks, answered(&r), frugal(cost), configured(cost))
	for i := range r.Strategies {
		for _, g := range r.Strategies[i].Growth {
			r.Checks = append(r.Checks, Check{Name: "growth of " + r.Strategies[i].Name + " in " + g.Quantity, Verdict: g.Verdict, Message: g.Message})
		}
	}
	r.Findings = findings(&r)
	return r, nil
}

func strategy(s Strategy, cost Observation) (StrategyResult, error) {
	r := StrategyResult{Name: s.Name, Help: s.Help, Requests: []string{}, Points: []Point{}, Growth: []Growth{}}
	var sizes []int
	quantities := map[string]map[int][]float64{"bytes": {}, "seconds": {}, "serverSeconds": {}}
	served := map[string]float64{}
	for _, size := range cost.Sizes {
		var whole, bytes, wire, first, decode, server []float64
		p := Point{Pods: size.Pods, Samples: []float64{}}
		slowest := 0.0
		for i := range size.Lists {
			l := &size.Lists[i]
			if l.Strategy != s.Name {
				continue
			}
			if l.Unserved {
				r.Unserved = l.Error
				continue
			}
			p.Tries++
			p.Pages = max(p.Pages, len(l.Pages))
			if why := failure(l, size.Pods); why != "" {
				p.Failed++
				if p.FirstError == "" {
					p.FirstError = why
				}
				continue
			}
			r.Requests = distinct(l.Requests)
			whole, bytes, wire = append(whole, l.Seconds), append(bytes, float64(l.Bytes)), append(wire, float64(l.WireBytes))
			first, decode = append(first, l.FirstByteSeconds), append(decode, l.DecodeSeconds)
			if l.ServerSeconds != nil {
				server = append(server, *l.ServerSeconds)
			}
			if len(l.Steps) > 0 {
				p.Slow++
				if l.Seconds > slowest {
					slowest, p.SlowestSteps = l.Seconds, l.Steps
				}
			}
		}
		if p.Tries == 0 {
			continue
		}
		err := summarize(map[**stats.Summary][]float64{
			&p.Seconds: whole, &p.FirstByteSeconds: first, &p.DecodeSeconds: decode, &p.ServerSeconds: server,
		})
		if err != nil {
			return r, err
		}
		if len(whole) > 0 {
			p.Bytes, p.WireBytes, p.Samples = int64(median(bytes)), int64(median(wire)), whole
		}
		sizes = append(sizes, size.Pods)
		quantities["bytes"][size.Pods], quantities["seconds"][size.Pods], quantities["serverSeconds"][size.Pods] = bytes, whole, server
		for name, n := range size.Served[s.Name].Counters {
			served[name] += n
		}
		r.Points = append(r.Points, p)
	}
	r.ServedFrom = servedFrom(served)
	if len(sizes) == 0 {
		return r, nil
	}
	for _, quantity := range []string{"bytes", "seconds", "serverSeconds"} {
		if quantity == "serverSeconds" && cost.AuditUnavailable != "" {
			continue
		}
		r.Growth = append(r.Growth, grow(quantity, sizes, quantities[quantity]))
	}
	return r, nil
}

// failure is why a try is not a whole answer; empty if it is one.
func failure(l *ListSample, pods int) string {
	items := 0
	for _, n := range l.Pages {
		items += n
	}
	switch {
	case l.Error != "":
		return l.Error
	case items != pods:
		return fmt.Sprintf("%d pods were listed, of %d that there are", items, pods)
	}
	return ""
}

func distinct(all []string) []string {
	out := []string{}
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func servedFrom(counted map[string]float64) string {
	var from []string
	if counted[CounterWatchCache] > 0 {
		from = append(from, "watch cache")
	}
	if counted[CounterEtcd] > 0 {
		from = append(from, "etcd")
	}
	return strings.Join(from, " and ")
}

// summarize fills in the summaries that have samples.
func summarize(samples map[**stats.Summary][]float64) error {
	for into, values := range samples {
		if len(values) == 0 {
			continue
		}
		s, err := stats.Summarize(values, 0)
		if err != nil {
			return err
		}
		*into = &s
	}
	return nil
}

// answered is the check that there is something to judge.
func answered(r *Result) Check {
	c := Check{Name: "every list and every informer got all pods", Verdict: verdict.Pass}
	tries, failed, first := 0, 0, ""
	count := func(n, bad int, why string) {
		tries, failed = tries+n, failed+bad
		if first == "" {
			first = why
		}
	}
	for _, s := range r.Strategies {
		for _, p := range s.Points {
			count(p.Tries, p.Failed, p.FirstError)
		}
	}
	for _, i := range r.Informers {
		count(i.Tries, i.Failed, i.FirstError)
	}
	c.Message = fmt.Sprintf("all %d tries did", tries)
	switch {
	case tries == 0:
		c.Verdict, c.Message = verdict.Invalid, "nothing was tried"
	case failed > 0:
		c.Verdict, c.Message = verdict.Invalid, fmt.Sprintf("%d of %d tries did not: %s", failed, tries, first)
	}
	return c
}

// configured is the check that the cluster is what its profile asks for: otherwise
// figures of another configuration would stand under the profile's name.
func configured(cost Observation) Check {
	c := Check{Name: "the cluster is configured as its profile asks", Verdict: verdict.Pass, Message: "all that could be read back is in force"}
	if len(cost.Problems) > 0 {
		c.Verdict, c.Message = verdict.Invalid, strings.Join(cost.Problems, "; ")
	}
	return c
}

// minWatch is the least time, in seconds, after which client-go's reflectors let a
// watch end and open the next one.
const minWatch = 300

// frugal is the check on the run's own watcher: a measurement should cost one full
// read and one watch of each resource. A streaming list is both. Renewing a watch
// when its time is up is not a relist.
func frugal(cost Observation) Check {
	c := Check{Name: "the suite's watcher makes one list and one watch of each resource", Verdict: verdict.Pass}
	if len(cost.Watcher) == 0 {
		c.Verdict, c.Message = verdict.Invalid, "what it asked for was not recorded"
		return c
	}
	var fine, faults []string
	for _, resource := range slices.Sorted(maps.Keys(cost.Watcher)) {
		w := cost.Watcher[resource]
		reads, streams := w.Lists+w.StreamingLists, w.Watches+w.StreamingLists
		counted := fmt.Sprintf("%s: lists %d, streaming lists %d, watches %d", resource, w.Lists, w.StreamingLists, w.Watches)
		// The watcher starts a little before the measurement does.
		most := 1 + int((cost.WatcherSeconds+10)/minWatch)
		switch {
		case w.Relists > 0 || reads > 1:
			faults = append(faults, fmt.Sprintf("%s, relists %d", counted, w.Relists))
		case reads < 1 || streams < 1 || streams > most:
			faults = append(faults, fmt.Sprintf("%s, where at most %d watches are due after %.0f s", counted, most, cost.WatcherSeconds))
		default:
			fine = append(fine, counted)
		}
	}
	c.Message = strings.Join(fine, "; ")
	if len(faults) > 0 {
		c.Verdict, c.Message = verdict.Fail, strings.Join(faults, "; ")
	}
	return c
}
