package listcost

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/recording"
)

// Options of a measurement. Cluster, Client, Namespace and RunID are required.
type Options struct {
	Cluster clusters.Cluster
	// Client makes and removes the pods; it must have no limiter.
	Client kubernetes.Interface
	// Namespace exists, and holds no pods but those that are made here.
	Namespace, RunID string
	// Plan says what is measured. See DefaultPlan.
	Plan recording.ListCostPlan
	// Seed of the order of tries.
	Seed int64
	// Audit is a cursor in the cluster's audit log; nil: there is none, and
	// AuditUnavailable says why.
	Audit            *audit.Cursor
	AuditUnavailable string
	// AuditTimeout bounds the wait for the audit log to catch up, once a size. Default: 30 s.
	AuditTimeout time.Duration
	// Load reads how busy the machine is; nil for not at all.
	Load func() recording.LoadSample
	// Progress receives one sentence per step; nil for none.
	Progress func(string)
	// Now is the observer's clock. Default: time.Now.
	Now func() time.Time
}

// DefaultPlan lists 100, 500 and 1,000 pods 20 times each way, in pages of 500 as
// client-go's pager asks for, and tries 1 and 4 consumers of each style 10 times: a
// median has a 99 % interval from 8 on.
func DefaultPlan() recording.ListCostPlan {
	return recording.ListCostPlan{
		Sizes: []int{100, 500, 1000}, Rounds: 20, InformerRounds: 10, Limit: 500, Consumers: []int{1, 4}, Changes: 50,
	}
}

type measurement struct {
	Options
	plan   recording.ListCostPlan
	now    func() time.Time
	random *rand.Rand
	pods   *pods
	lister *lister
	cost   *recording.ListCost
}

// Measure carries out the plan and returns what was observed, also where it ends
// early: what is measured then stays, and the error says why it ended. The pods are
// removed again unless ctx has ended: the namespace's end then removes them. A try
// that fails is no error, but recorded as such.
func Measure(ctx context.Context, o Options) (cost recording.ListCost, err error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.AuditTimeout == 0 {
		o.AuditTimeout = 30 * time.Second
	}
	cost = recording.ListCost{
		Profile: o.Cluster.Profile().Metadata.Name, Plan: o.Plan, StartedAt: o.Now().UTC(), AuditUnavailable: o.AuditUnavailable,
		Sizes: []recording.ListCostSize{},
	}
	if o.Audit == nil && o.AuditUnavailable == "" {
		cost.AuditUnavailable = "not asked for"
	}
	if err := CheckPlan(o.Plan); err != nil {
		return cost, err
	}
	lister, err := newLister(o.Cluster.RESTConfig(), o.Namespace, o.Plan, o.Now)
	if err != nil {
		return cost, err
	}
	defer lister.client.CloseIdleConnections()
	m := &measurement{
		Options: o, plan: o.Plan, now: o.Now, random: rand.New(rand.NewPCG(uint64(o.Seed), 0)),
		pods: &pods{client: o.Client, namespace: o.Namespace, runID: o.RunID}, lister: lister, cost: &cost,
	}
	if _, err := apiServer(ctx, o.Cluster); err != nil {
		cost.MetricsUnavailable = err.Error()
	}
	defer func() {
		if ctx.Err() != nil {
			return // Who is in a hurry removes the namespace, or the cluster.
		}
		ctx, cancel := context.WithTimeout(ctx, removeTimeout)
		defer cancel()
		err = errors.Join(err, m.pods.remove(ctx))
	}()
	for _, n := range o.Plan.Sizes {
		size, err := m.size(ctx, n)
		cost.Sizes = append(cost.Sizes, size)
		if err != nil {
			return cost, fmt.Errorf("measure list costs with %d pods: %w", n, err)
		}
	}
	finished := o.Now().UTC()
	cost.FinishedAt = &finished
	return cost, nil
}

// removeTimeout bounds the removal of the pods; 5,000 take the API server about 20 s.
const removeTimeout = 90 * time.Second

// size measures with n pods.
func (m *measurement) size(ctx context.Context, n int) (recording.ListCostSize, error) {
	size := recording.ListCostSize{Pods: n, Lists: []recording.ListSample{}, Informers: []recording.InformerSample{}}
	m.progress("making pods, until there are %d", n)
	began := m.now()
	if err := m.pods.grow(ctx, n); err != nil {
		return size, err
	}
	size.CreateSeconds = m.now().Sub(began).Seconds()
	load := recording.Load{Before: m.load()}
	m.progress("listing %d pods in %d ways, %d times each", n, len(Strategies()), m.plan.Rounds)
	if err := m.lists(ctx, &size); err != nil {
		return size, err
	}
	if m.plan.InformerRounds > 0 {
		m.progress("watching %d pods in %d styles with %v consumers, %d times each", n, len(Styles()), m.plan.Consumers, m.plan.InformerRounds)
		if err := m.informers(ctx, &size); err != nil {
			return size, err
		}
	}
	if load.After = m.load(); m.Load != nil {
		size.Load = &load
	}
	return size, nil
}

// lists makes every list once a round, in random order. The round before the first
// is not recorded: it makes connections and caches, and fills the heaps.
func (m *measurement) lists(ctx context.Context, size *recording.ListCostSize) error {
	for round := range m.plan.Rounds + 1 {
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
		size.Served = map[string]recording.ListServed{}
		for _, s := range Strategies() {
			before := m.counters(ctx)
			sample := m.lister.list(ctx, s, 0)
			after := m.counters(ctx)
			if before != nil && after != nil && sample.Error == "" {
				size.Served[s.Name] = recording.ListServed{Counters: since(before, after)}
			}
		}
	}
	return m.serverTimes(ctx, size)
}

// serverTimes looks the lists up in the audit log.
func (m *measurement) serverTimes(ctx context.Context, size *recording.ListCostSize) error {
	if m.Audit == nil {
		return nil
	}
	marker, err := audit.Mark(ctx, m.Client, m.Namespace, fmt.Sprintf("%s-listcost-%d", m.RunID, size.Pods), m.now)
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

// informers makes every try once a round, in random order.
func (m *measurement) informers(ctx context.Context, size *recording.ListCostSize) error {
	type pair struct {
		style     Style
		consumers int
	}
	var pairs []pair
	for _, style := range Styles() {
		for _, n := range m.plan.Consumers {
			pairs = append(pairs, pair{style, n})
		}
	}
	for round := range m.plan.InformerRounds + 1 {
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

// counters are nil where they cannot be read; the first failure is recorded.
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

func (m *measurement) progress(format string, args ...any) {
	m.Progress(fmt.Sprintf("list cost: "+format, args...))
}

func (m *measurement) load() recording.LoadSample {
	if m.Load == nil {
		return recording.LoadSample{}
	}
	return m.Load()
}
