package html

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
)

// limiters shows what the client-side limiters did, and other queues.
func (v *view) limiters() document.Section {
	s := document.Section{ID: "limiters", Heading: "Why it was slow: limiters"}
	for _, p := range v.profiles {
		if p.result == nil || len(p.result.Attribution) == 0 {
			continue
		}
		s.Subheading(p.name)
		s.List(p.result.Attribution)
		if p.median < 0 {
			continue
		}
		b := &v.Bursts[p.median]
		if len(b.Throttle) > 0 {
			s.Table(throttleTable(p, b))
		}
		if len(b.Queues) > 0 {
			s.Fold("Other queues of "+p.name, queueTable(p, b))
		}
		for _, instance := range sortedKeys(b.MetricsUnavailable)[:min(len(b.MetricsUnavailable), 10)] {
			s.Text("%s is not in the table: %s.", instance, b.MetricsUnavailable[instance])
		}
	}
	if len(s.Blocks) > 0 {
		s.Text("The floor is the least time in which a limiter lets its requests through, (requests − burst) / QPS; held is for how long of what they took the next request waited for a token. Waits add up over requests that wait side by side, so their sum may exceed the burst.")
	}
	return s
}

// limitersShown is the largest number of kubelets in a table.
const limitersShown = 24

func throttleTable(p *profile, b *reports.Burst) *document.Table {
	t := document.NewTable("Limiters in the burst with the median makespan: "+p.name+", burst "+reports.BurstName(b), "component", "QPS/burst", " phase", " held it up", "held", " regime", "phase p99", "floor", "took", "requests of the burst", "of all", "waited", "longest wait", "sum of waits")
	t.Most = limitersShown
	all := slices.Clone(b.Throttle)
	slices.SortStableFunc(all, func(x, y station.Limiter) int { return cmp.Compare(y.HeldSeconds, x.HeldSeconds) })
	for i := range all {
		l := &all[i]
		limits, held := "-", document.Cell{Text: "no"}
		if known, ok := p.result.Effective[l.Component]; ok {
			limits = known.String()
		}
		if l.HeldUp {
			held = document.Cell{Text: "yes", Verdict: "open"}
		}
		if l.Phase == "" {
			t.Row(l.Component, limits, "-", "-", "-", l.Regime, "-", "-", "-", "-", l.Requests, l.Waited, l.MaxWaitSeconds, l.WaitSeconds)
			continue
		}
		t.Row(l.Component, limits, l.Phase, held, l.HeldSeconds, l.Regime, l.PhaseP99Seconds, l.FloorSeconds, l.TookSeconds,
			strconv.Itoa(l.PassedRequests)+" ("+l.RequestsSource+")", l.Requests, l.Waited, l.MaxWaitSeconds, l.WaitSeconds)
	}
	return t
}

func queueTable(p *profile, b *reports.Burst) *document.Table {
	t := document.NewTable("Queues of "+p.name+", burst "+reports.BurstName(b), "component", " kind", " name", "items", "sum of waits", "longest wait at most", "rejected", "left after the burst")
	for i := range b.Queues {
		q := &b.Queues[i]
		t.Row(q.Component, q.Kind, q.Name, q.Items, q.WaitSeconds, q.MaxWaitSeconds, q.Rejected, q.Depth)
	}
	return t
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
