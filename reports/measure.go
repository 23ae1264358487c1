package reports

import (
	"time"

	"github.com/podburst/podburst/framework/apicall"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/truth"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/framework/validity"
)

// measuredBurst is a burst's report and the data that it was computed from.
type measuredBurst struct {
	report   Burst
	timeline timeline.Timeline
	phases   map[string]samples
	calls    apicall.Calls
	// subtracted is what pod_startup leaves out of each pod, by UID.
	subtracted map[string]time.Duration
}

func measure(b recording.Burst, profile recording.Profile, cpus int) (measuredBurst, error) {
	t := timeline.Build(b)
	problems := validity.Judge(b, t, validity.Options{Profile: profile.Problems})
	sources, err := truth.Check(&b, &t)
	if err != nil {
		return measuredBurst{}, err
	}
	left, window := subtracted(&b), usageWindow(&b, &t)
	mb := measuredBurst{
		timeline:   t,
		phases:     phaseSamples(&t, left),
		calls:      apicall.Of(&b),
		subtracted: left,
		report: Burst{
			Profile: b.Profile, Index: b.Index, Block: b.Block, Warmup: b.Warmup, Path: b.Path(), Workload: b.Workload, Pods: b.Pods,
			SubmittedAt: b.Submit, EndReason: b.EndReason, Valid: len(problems) == 0, InvalidReasons: notNil(problems),
			Accounting: t.Accounting, Completion: make([]stats.Seconds, 0, len(t.Completion)), Phases: map[string]*stats.Summary{},
			Analysis: station.Analyze(b, t, profile, cpus),
			Truth:    sources, SecondOpinions: station.Opinions(b), PodStartup: podStartup(&b, &t, timeline.Exclude(&b)),
			Worst: worstPods(&t, left), Watch: b.Health,
			AuditUnavailable: b.AuditUnavailable, MetricsErrors: b.MetricsErrors, MetricsUnavailable: b.MetricsUnavailable, CleanupSeconds: stats.Seconds(b.CleanupSeconds),
			CreationSpreadSeconds: creationSpread(&t), CreationFloorSeconds: creationFloor(&b, profile.Effective),
			Passive: passiveOf(&b), Profiled: b.Profiled, CPUProfiles: cpuProfiles(&b),
			Usage: usage.Summarize(&b, window, cpus), UsageWindowSeconds: stats.SecondsOf(window.Length()), UsageUnavailable: usage.NotSampled(&b), Writes: usage.Paces(&b, window),
		},
	}
	if d, ok := t.Makespan(); ok {
		seconds := stats.SecondsOf(d)
		mb.report.MakespanSeconds = &seconds
	}
	if d, ok := t.Span(); ok && b.Passive != nil {
		seconds := stats.SecondsOf(d)
		mb.report.SpanSeconds = &seconds
	}
	for _, d := range t.Completion {
		mb.report.Completion = append(mb.report.Completion, stats.SecondsOf(d))
	}
	for _, ph := range timeline.Phases() {
		phase, err := summarizePhase(ph.Name, mb.phases)
		if err != nil {
			return measuredBurst{}, err
		}
		mb.report.Phases[ph.Name] = phase
	}
	return mb, nil
}
