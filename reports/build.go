package reports

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// Build computes the report of a recorded run, judged by objectives. It is a pure function:
// the same recording gives the same report, byte for byte. An error means that the
// recording holds what no run can produce (a number that is not finite, an environment that
// is not JSON). A bad run is not an error; it has a Report.
func Build(run recording.Run, objectives []slo.Objective) (Report, error) {
	return NewBuilder(objectives).Build(run)
}

// Builder builds reports of a run in progress. It measures a burst once and keeps the
// result until the burst's recording changes. Its reports equal those of the function
// Build. They share the measurements, so do not change anything below Report.Bursts. Safe
// for concurrent use.
type Builder struct {
	objectives []slo.Objective
	measure    func(b recording.Burst, p recording.Profile, cpus int) (measuredBurst, error)

	mu   sync.Mutex
	kept map[burstKey]keptBurst
}

type burstKey struct {
	profile string
	index   int
	warmup  bool
}

// keptBurst is a measured burst and the text of the recording that it was measured from.
type keptBurst struct {
	from string
	measuredBurst
}

// NewBuilder returns a Builder that judges by objectives.
func NewBuilder(objectives []slo.Objective) *Builder {
	return &Builder{objectives: objectives, measure: measure, kept: map[burstKey]keptBurst{}}
}

// measured returns the burst's measurement. It measures again only if the recording has
// changed since the last time. Streams only grow, so their lengths stand for their
// contents.
func (b *Builder) measured(burst recording.Burst, profile recording.Profile, cpus int) (measuredBurst, error) {
	head, err := json.Marshal(struct {
		Burst     recording.Burst
		Problems  []recording.Problem
		Effective clusters.Effective
		CPUs      int
		Streams   [7]int
	}{burst, profile.Problems, profile.Effective, cpus, [7]int{len(burst.Watch), len(burst.Audit), len(burst.Events), len(burst.Logs), len(burst.Metrics), len(burst.CPUProfiles), len(burst.Usage)}})
	if err != nil {
		return measuredBurst{}, err
	}
	key, from := burstKey{burst.Profile, burst.Index, burst.Warmup}, string(head)
	b.mu.Lock()
	defer b.mu.Unlock()
	if kept, ok := b.kept[key]; ok && kept.from == from {
		return kept.measuredBurst, nil
	}
	m, err := b.measure(burst, profile, cpus)
	if err != nil {
		return measuredBurst{}, err
	}
	b.kept[key] = keptBurst{from, m}
	return m, nil
}

// Build returns the report of everything that run holds so far; see the function Build.
func (b *Builder) Build(run recording.Run) (Report, error) {
	m := run.Manifest
	r := Report{
		SchemaVersion: SchemaVersion,
		Run: Run{
			ID: m.ID, StartedAt: m.StartedAt, FinishedAt: m.FinishedAt, Interrupted: m.Interrupted,
			Seed: m.Seed, Provider: m.Provider, ProviderReason: m.ProviderReason, Order: notNil(m.Order),
			PlannedBursts: len(m.Profiles) * max(0, m.BurstsPerProfile, plannedBlocks(m.Comparison)), PlannedProfiles: notNil(m.Profiles), Unfinished: run.Unfinished,
			Comparison: m.Comparison, Quantile: stats.QuantileDefinition, SLI: PodStartupDefinition,
		},
		Environment: json.RawMessage("null"),
		Profiles:    []Profile{}, Bursts: []Burst{}, SLO: []slo.Result{}, SLOLeftOut: []slo.LeftOut{}, Comparisons: []gate.Result{}, Moves: []station.Move{},
	}
	if len(m.Environment) > 0 {
		if !json.Valid(m.Environment) {
			return Report{}, fmt.Errorf("build report of run %s: its environment is no JSON", m.ID)
		}
		r.Environment = m.Environment
	}

	cpus := processors(m.Environment)
	measured := make([]measuredBurst, 0, len(run.Bursts))
	for _, burst := range run.Bursts {
		profile, _ := run.Profile(burst.Profile)
		mb, err := b.measured(burst, profile, cpus)
		if err != nil {
			return Report{}, fmt.Errorf("build report of run %s: %s: %w", m.ID, burst.OrderName(), err)
		}
		measured = append(measured, mb)
		r.Bursts = append(r.Bursts, mb.report)
		r.timelines = append(r.timelines, mb.timeline)
		r.subtracted = append(r.subtracted, mb.subtracted)
	}
	for _, p := range run.Profiles {
		profile, err := summarizeProfile(p, measured)
		if err != nil {
			return Report{}, fmt.Errorf("build report of run %s: profile %s: %w", m.ID, p.Name, err)
		}
		profile.Explanation = r.explain(p.Name)
		r.Profiles = append(r.Profiles, profile)
	}
	r.SLO, r.SLOLeftOut = judge(run, measured, b.objectives)
	r.Moves = r.moves()
	compared, err := compare(m, r.Bursts)
	if err != nil {
		return Report{}, fmt.Errorf("build report of run %s: %w", m.ID, err)
	}
	r.Comparisons = compared
	r.Run.Complete = complete(&r, m.BurstsPerProfile)
	r.Conclude()
	return r, nil
}

// complete tells whether every planned profile has its planned bursts. The bursts of a
// comparison count by the block, and only if all in the block are valid.
func complete(r *Report, burstsPerProfile int) bool {
	if planned := plannedBlocks(r.Run.Comparison); planned > 0 {
		return r.validBlocks() >= planned
	}
	for _, name := range r.Run.PlannedProfiles {
		recorded := 0
		for i := range r.Bursts {
			if b := &r.Bursts[i]; b.Profile == name && !b.Warmup {
				recorded++
			}
		}
		if recorded < burstsPerProfile {
			return false
		}
	}
	return r.Run.PlannedBursts > 0
}

// summarizeProfile pools the profile's valid bursts.
func summarizeProfile(p recording.Profile, bursts []measuredBurst) (Profile, error) {
	r := Profile{
		Name: p.Name, Provider: p.Provider, Spec: p.Spec.Spec, Nodes: notNil(p.Nodes), KubernetesVersion: p.KubernetesVersion, Image: p.Image, NodeInfo: p.NodeInfo,
		Effective: p.Effective, EffectiveUnavailable: p.EffectiveUnavailable, CreateSeconds: stats.Seconds(p.CreateSeconds), Problems: notNil(p.Problems), Phases: map[string]*stats.Summary{},
	}
	if r.Effective == nil {
		r.Effective = clusters.Effective{}
	}
	pooled := map[string]samples{}
	var makespans []float64
	for i := range bursts {
		b := &bursts[i]
		if b.report.Profile != p.Name || b.report.Warmup {
			continue
		}
		r.RecordedBursts++
		if !b.report.Valid {
			continue
		}
		r.ValidBursts++
		for name, s := range b.phases {
			pooled[name] = pooled[name].with(s)
		}
		if m := b.report.MakespanSeconds; m != nil {
			makespans = append(makespans, float64(*m))
		}
	}
	for _, ph := range timeline.Phases() {
		phase, err := summarizePhase(ph.Name, pooled)
		if err != nil {
			return Profile{}, err
		}
		r.Phases[ph.Name] = phase
	}
	if len(makespans) > 0 {
		summary, err := stats.Summarize(makespans, r.ValidBursts-len(makespans))
		if err != nil {
			return Profile{}, fmt.Errorf("makespan: %w", err)
		}
		r.MakespanSeconds = &summary
	}
	return r, nil
}

func judge(run recording.Run, bursts []measuredBurst, objectives []slo.Objective) ([]slo.Result, []slo.LeftOut) {
	input := make([]slo.Burst, 0, len(bursts))
	for i := range bursts {
		b := &bursts[i]
		phases := make(map[string]slo.Samples, len(b.phases))
		for name, s := range b.phases {
			phases[name] = slo.Samples{Seconds: s.seconds, Missing: s.missing}
		}
		input = append(input, slo.Burst{
			Profile: b.report.Profile, Index: b.report.Index, Warmup: b.report.Warmup, Valid: b.report.Valid,
			Phases: phases, MakespanSeconds: b.report.MakespanSeconds, Calls: b.calls, Passive: b.report.Passive != nil,
		})
	}
	return slo.Judge(objectives, run.Manifest.Profiles, input)
}

// notNil returns s, or an empty slice: a list in report.json is never null.
func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return slices.Clone(s)
}
