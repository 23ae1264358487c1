package reports_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// aRun is a run of one profile that was recorded as planned.
func aRun(bursts ...recording.Burst) recording.Run {
	end := time.Date(2026, 11, 29, 13, 0, 0, 0, time.UTC)
	return recording.Run{
		Manifest: recording.Manifest{
			Version: recording.Version, ID: "run", StartedAt: end.Add(-time.Hour), FinishedAt: &end,
			Profiles: []string{"default"}, BurstsPerProfile: 1, PodsPerBurst: 8,
		},
		Profiles: []recording.Profile{{Name: "default", Provider: "embedded"}},
		Bursts:   bursts,
	}
}

func aBurst(index int) recording.Burst { return synthetic.Burst(synthetic.Options{Index: index}) }

var (
	lenient = []slo.Objective{objective("lenient", "pod_startup", "p99", time.Hour)}
	strict  = []slo.Objective{objective("strict", "pod_startup", "p50", time.Nanosecond)}
)

func TestTheVerdictIsTheGravest(t *testing.T) {
	damaged := aBurst(1)
	damaged.Health.Dropped = 1
	nothing := aBurst(1)
	nothing.Watch, nothing.Audit, nothing.AuditUnavailable = nil, nil, "no"
	badWarmup := aBurst(0)
	badWarmup.Health.Dropped = 1
	regressed := gate.Result{Base: "a", Head: "b", Endpoint: "makespan", Gated: true, Blocks: 8, Pairs: []gate.Pair{}, Verdict: verdict.Regressed, Message: "makespan: head is 50 % slower"}
	for name, c := range map[string]struct {
		run         recording.Run
		change      func(m *recording.Run)
		objectives  []slo.Objective
		comparisons []gate.Result
		want        verdict.Verdict
		reason      string // the first
	}{
		"all is well":                {run: aRun(aBurst(1)), objectives: lenient, want: verdict.Pass},
		"a warm-up besides":          {run: aRun(aBurst(0), aBurst(1)), objectives: lenient, want: verdict.Pass},
		"a bad warm-up counts not":   {run: aRun(badWarmup, aBurst(1)), objectives: lenient, want: verdict.Pass},
		"an objective missed":        {run: aRun(aBurst(1)), objectives: strict, want: verdict.Fail, reason: "strict: default, burst 1: pod_startup p50"},
		"an invalid burst":           {run: aRun(damaged), objectives: lenient, want: verdict.Invalid, reason: "default burst 1 is invalid: watch-dropped: the watcher could not keep 1 events"},
		"invalid before missed":      {run: aRun(aBurst(1), func() recording.Burst { b := damaged; b.Index = 2; return b }()), objectives: strict, want: verdict.Invalid, reason: "default burst 2 is invalid"},
		"a burst of nothing":         {run: aRun(nothing), objectives: lenient, want: verdict.Invalid, reason: "default burst 1 is invalid: pod-lost: 8 pods of 8 never seen (and 1 more reasons)"},
		"no burst at all":            {run: aRun(), objectives: lenient, want: verdict.Invalid, reason: "the run is not complete: 0 of 1 planned bursts were recorded"},
		"only the warm-up":           {run: aRun(aBurst(0)), objectives: lenient, want: verdict.Invalid, reason: "the run is not complete: 0 of 1"},
		"no objective":               {run: aRun(aBurst(1)), want: verdict.Inconclusive, reason: "no objective covers any profile of the run"},
		"regressed":                  {run: aRun(aBurst(1)), objectives: lenient, comparisons: []gate.Result{regressed}, want: verdict.Regressed, reason: "b against a, makespan: head is 50 % slower"},
		"missed before regressed":    {run: aRun(aBurst(1)), objectives: strict, comparisons: []gate.Result{regressed}, want: verdict.Fail, reason: "strict:"},
		"a burst of another profile": {run: aRun(aBurst(1), synthetic.Burst(synthetic.Options{Profile: "extra", Index: 1})), objectives: lenient, want: verdict.Pass},
		"planned nothing": {run: aRun(aBurst(1)), change: func(r *recording.Run) { r.Manifest.Profiles, r.Manifest.BurstsPerProfile = nil, 0 },
			objectives: lenient, want: verdict.Invalid, reason: "the run planned no burst"},
		"interrupted with all bursts there": {run: aRun(aBurst(1)), change: func(r *recording.Run) { r.Manifest.Interrupted = "signal: interrupt" },
			objectives: lenient, want: verdict.Invalid, reason: "the run was interrupted: signal: interrupt"},
		"a planned burst missing": {run: aRun(aBurst(1)), change: func(r *recording.Run) { r.Manifest.BurstsPerProfile = 2 },
			objectives: lenient, want: verdict.Invalid, reason: "the run is not complete: 1 of 2 planned bursts were recorded"},
		"one profile has twice, another none": {run: aRun(aBurst(1), aBurst(2)), change: func(r *recording.Run) { r.Manifest.Profiles = []string{"default", "tuned"} },
			objectives: lenient, want: verdict.Invalid, reason: "the run is not complete: 2 of 2"},
		"killed while it wrote": {run: aRun(aBurst(1)), change: func(r *recording.Run) { r.Unfinished = []string{"raw/default/burst-2"} },
			objectives: lenient, want: verdict.Invalid, reason: "raw/default/burst-2 was being written when the run ended"},
		"the profile's problem is each burst's": {run: aRun(aBurst(1)), change: func(r *recording.Run) {
			r.Profiles[0].Problems = []recording.Problem{{Code: recording.ProblemSettingsMismatch, Detail: "50/100"}}
		}, objectives: lenient, want: verdict.Invalid, reason: "default burst 1 is invalid: settings-mismatch: 50/100"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.change != nil {
				c.change(&c.run)
			}
			r, err := reports.Build(c.run, c.objectives)
			if err != nil {
				t.Fatal(err)
			}
			if c.comparisons != nil {
				r.Comparisons = c.comparisons
				r.Conclude()
			}
			if r.Verdict != c.want {
				t.Errorf("verdict is %s, want %s (%q)", r.Verdict, c.want, r.Reasons)
			}
			if c.reason == "" && len(r.Reasons) > 0 || c.reason != "" && (len(r.Reasons) == 0 || !strings.HasPrefix(r.Reasons[0].Message, c.reason)) {
				t.Errorf("reasons are %q, want %q first", r.Reasons, c.reason)
			}
			if (r.Verdict == verdict.Pass) != (len(r.Reasons) == 0) {
				t.Errorf("verdict %s with %d reasons", r.Verdict, len(r.Reasons))
			}
			checkSchema(t, r)
		})
	}
}

func TestInvalidBurstsAndWarmupsHaveNoPartInTheNumbers(t *testing.T) {
	slow := synthetic.Burst(synthetic.Options{Index: 2, Pods: 50})
	slow.Health.Relists = 1
	run := aRun(aBurst(0), aBurst(1), slow)
	run.Manifest.BurstsPerProfile = 2
	r, err := reports.Build(run, lenient)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Profiles[0]
	if p.RecordedBursts != 2 || p.ValidBursts != 1 || p.Phases["total"].Count != 8 || p.MakespanSeconds.Count != 1 {
		t.Errorf("%d of %d bursts valid, %d samples, %d makespans; want those of burst 1 alone",
			p.ValidBursts, p.RecordedBursts, p.Phases["total"].Count, p.MakespanSeconds.Count)
	}
	if got := r.Bursts[2]; got.Valid || got.Phases["total"].Count != 50 {
		t.Error("the invalid burst is not kept with its numbers")
	}
}

func TestThePhasesOfAPodSumUpToItsTotal(t *testing.T) {
	for _, b := range goldenReport(t).Bursts {
		for _, p := range b.Worst {
			sum := stats.Seconds(0)
			for _, name := range []string{"submit_to_create", "create_to_schedule", "schedule_to_accept", "accept_to_sandbox", "sandbox_to_started", "started_to_run", "run_to_observed"} {
				sum += p.Phases[name]
			}
			if d := sum - p.Phases["total"]; d > 1e-9 || d < -1e-9 {
				t.Errorf("%s: phases sum to %v, total is %v", p.Name, sum, p.Phases["total"])
			}
		}
	}
}

func TestWhatAProviderCannotGiveIsNull(t *testing.T) {
	r := goldenReport(t)
	b := r.Bursts[0]
	if ph, listed := b.Phases["creation"]; !listed || ph != nil {
		t.Errorf("creation is %v (listed: %v), want null: there are no component logs", ph, listed)
	}
	if b.Phases["total"] == nil || b.Phases["total"].Source != "audit+watch" {
		t.Errorf("total is %+v, want one from audit and watch", b.Phases["total"])
	}
}

func TestAReasonNamesItsSubjectInParts(t *testing.T) {
	r := reports.Report{
		Run:    reports.Run{PlannedBursts: 1, Interrupted: "signal: interrupt", Complete: true},
		Bursts: []reports.Burst{{Profile: "a", Index: 3}},
		SLO:    []slo.Result{{Name: "o", Profile: "a", Burst: 2, Verdict: verdict.Fail}, {Name: "p", Profile: "a", Verdict: "no verdict"}},
		Comparisons: []gate.Result{
			{Base: "a", Head: "b", Endpoint: "makespan", Gated: true, Verdict: verdict.Regressed},
			{Base: "a", Head: "b", Endpoint: "total/p50", Verdict: verdict.Regressed}, // watched only
		},
	}
	r.Conclude()
	type reason struct {
		verdict verdict.Verdict
		about   verdict.Subject
	}
	want := []reason{
		{verdict.Invalid, verdict.Subject{}},
		{verdict.Invalid, verdict.Subject{Profile: "a", Burst: 3}},
		{verdict.Invalid, verdict.Subject{Profile: "a", Check: "p"}},
		{verdict.Fail, verdict.Subject{Profile: "a", Burst: 2, Check: "o"}},
		{verdict.Regressed, verdict.Subject{Profile: "b", Base: "a", Endpoint: "makespan"}},
	}
	var got []reason
	for _, x := range r.Reasons {
		got = append(got, reason{x.Verdict, x.Subject})
	}
	if !slices.Equal(got, want) || r.Verdict != verdict.Invalid {
		t.Errorf("got %+v, %s\nwant %+v", got, r.Verdict, want)
	}
}
