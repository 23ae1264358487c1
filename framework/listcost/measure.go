package listcost

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/testbed"
)

type measurement struct {
	Options
	*testbed.Testbed
	random *rand.Rand
	pods   *pods
	lister *lister
	cost   *Observation
}

// Measure carries out the plan on an open cluster and returns what was observed. If
// it ends early, it returns what was measured until then, with an error that says
// why. Of the options it reads Plan, Seed, AuditTimeout, Load, Progress, Clock and
// keep.
//
// The pods are in the testbed's namespace, where the testbed's watcher sees them;
// that watcher's requests are observed, too. The pods are removed at the end. If ctx
// has ended, they go with the namespace. A failed try is not an error; it is recorded
// as failed.
func Measure(ctx context.Context, bed *testbed.Testbed, o Options) (cost Observation, err error) {
	o.setDefaults()
	profile := bed.Cluster.Profile()
	cost = Observation{
		Profile: profile.Metadata.Name, Spec: profile.Spec, KubernetesVersion: bed.Record.KubernetesVersion, Nodes: bed.Record.Nodes,
		Plan: o.Plan, StartedAt: o.Clock().UTC(), AuditUnavailable: bed.AuditUnavailable, Sizes: []Size{},
	}
	for _, p := range bed.Record.Problems {
		cost.Problems = append(cost.Problems, p.Detail)
	}
	if err := o.Plan.Check(); err != nil {
		return cost, err
	}
	lister, err := newLister(bed.Cluster.RESTConfig(), bed.Namespace, o.Plan, o.Clock)
	if err != nil {
		return cost, err
	}
	defer lister.client.CloseIdleConnections()
	m := &measurement{
		Options: o, Testbed: bed, random: rand.New(rand.NewPCG(uint64(o.Seed), 0)),
		pods: &pods{client: bed.Client, namespace: bed.Namespace, runID: bed.RunID()}, lister: lister, cost: &cost,
	}
	if _, err := apiServer(ctx, bed.Cluster); err != nil {
		cost.MetricsUnavailable = err.Error()
	}
	defer func() {
		m.watched()
		if ctx.Err() != nil {
			return // the namespace or the cluster is about to be removed
		}
		ctx, cancel := context.WithTimeout(ctx, removeTimeout)
		defer cancel()
		err = errors.Join(err, m.pods.remove(ctx))
	}()
	for _, n := range o.Plan.Sizes {
		size, err := m.size(ctx, n)
		cost.Sizes = append(cost.Sizes, size)
		m.watched()
		if err == nil {
			err = o.keep(cost)
		}
		if err != nil {
			return cost, fmt.Errorf("measure list costs with %d pods: %w", n, err)
		}
	}
	finished := o.Clock().UTC()
	cost.FinishedAt = &finished
	return cost, nil
}

// watched records what the testbed's watcher has asked for so far.
func (m *measurement) watched() {
	m.cost.Watcher, m.cost.WatcherSeconds = m.Watcher.Requests(), m.Clock().Sub(m.cost.StartedAt).Seconds()
}

// removeTimeout bounds the removal of the pods; 5,000 take the API server about 20 s.
const removeTimeout = 90 * time.Second

// size measures with n pods.
func (m *measurement) size(ctx context.Context, n int) (Size, error) {
	size := Size{Pods: n, Lists: []ListSample{}, Informers: []InformerSample{}}
	m.say("making pods, until there are %d", n)
	began := m.Clock()
	if err := m.pods.grow(ctx, n); err != nil {
		return size, err
	}
	size.CreateSeconds = m.Clock().Sub(began).Seconds()
	load := Load{Before: m.load()}
	m.say("listing %d pods in %d ways, %d times each", n, len(Strategies()), m.Plan.Rounds)
	if err := m.lists(ctx, &size); err != nil {
		return size, err
	}
	if m.Plan.InformerRounds > 0 {
		m.say("watching %d pods in %d styles with %v consumers, %d times each", n, len(Styles()), m.Plan.Consumers, m.Plan.InformerRounds)
		if err := m.informers(ctx, &size); err != nil {
			return size, err
		}
	}
	if load.After = m.load(); m.Load != nil {
		size.Load = &load
	}
	return size, nil
}

// lists makes every list once per round, in random order. The first round is not
// recorded: it opens connections and fills caches and heaps.
func (m *measurement) lists(ctx context.Context, size *Size) error {
	for round := range m.Plan.Rounds + 1 {
		order := Strategies()
		m.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, s := range order {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if sample := m.lister.list(ctx, s, round); round > 0 {
				size.Lists = append(size.Lists, sample)
			}
		}
	}
	if m.cost.MetricsUnavailable == "" {
		size.Served = map[string]ListServed{}
		for _, s := range Strategies() {
			before := m.counters(ctx)
			sample := m.lister.list(ctx, s, 0)
			after := m.counters(ctx)
			if before != nil && after != nil && sample.Error == "" {
				size.Served[s.Name] = ListServed{Counters: since(before, after)}
			}
		}
	}
	return m.serverTimes(ctx, size)
}

// serverTimes looks the lists up in the audit log.
func (m *measurement) serverTimes(ctx context.Context, size *Size) error {
	if m.Audit == nil {
		return nil
	}
	marker, err := audit.Mark(ctx, m.Client, m.Namespace, fmt.Sprintf("%s-listcost-%d", m.RunID(), size.Pods), m.Clock)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, m.AuditTimeout)
	defer cancel()
	took := map[string]float64{}
	keep := func(e recording.AuditEvent) bool {
		if e.Resource == "pods" && (e.Verb == "list" || e.Verb == "watch") {
			took[e.AuditID] = e.Completed.Sub(e.Received).Seconds()
		}
		return false
	}
	if _, err := m.Audit.WaitFor(waiting, audit.Window{}, keep, marker.Is, 100*time.Millisecond); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		m.cost.AuditUnavailable = err.Error()
		return nil
	}
	for i := range size.Lists {
		s := &size.Lists[i]
		sum, all := 0.0, len(s.AuditIDs) > 0 && len(s.AuditIDs) == len(s.Requests)
		for _, id := range s.AuditIDs {
			seconds, ok := took[id]
			sum, all = sum+seconds, all && ok
		}
		if all {
			s.ServerSeconds = &sum
		}
	}
	return nil
}

// informers makes every try once per round, in random order.
func (m *measurement) informers(ctx context.Context, size *Size) error {
	type pair struct {
		style     Style
		consumers int
	}
	var pairs []pair
	for _, style := range Styles() {
		for _, n := range m.Plan.Consumers {
			pairs = append(pairs, pair{style, n})
		}
	}
	for round := range m.Plan.InformerRounds + 1 {
		order := slices.Clone(pairs)
		m.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, p := range order {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if sample := m.try(ctx, p.style, p.consumers, round); round > 0 {
				size.Informers = append(size.Informers, sample)
			}
		}
	}
	return nil
}

// counters are nil if they cannot be read; the first failure is recorded.
func (m *measurement) counters(ctx context.Context) map[string]float64 {
	if m.cost.MetricsUnavailable != "" {
		return nil
	}
	found, err := apiServer(ctx, m.Cluster)
	if err != nil {
		if ctx.Err() == nil {
			m.cost.MetricsUnavailable = err.Error()
		}
		return nil
	}
	return found
}

func (m *measurement) say(format string, args ...any) {
	m.Progress(fmt.Sprintf("profile "+m.cost.Profile+", list cost: "+format, args...))
}

func (m *measurement) load() fingerprint.Load {
	if m.Load == nil {
		return fingerprint.Load{}
	}
	return m.Load()
}
