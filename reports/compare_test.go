package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

// aComparison is a recorded run of n blocks of 40 pods: "base" with the Job controller's
// limiter at 20/30, "head" with it at qps/30.
func aComparison(n int, qps float64) recording.Run {
	start := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	finished := start.Add(time.Hour)
	run := recording.Run{
		Manifest: recording.Manifest{
			ID: "compared", StartedAt: start, FinishedAt: &finished, Provider: "embedded", Profiles: []string{"base", "head"},
			BurstsPerProfile: n, PodsPerBurst: 40,
			Comparison: &recording.ComparisonPlan{Base: "base", Blocks: n, MaxBlocks: n, Repeats: 2, Looks: 1, Layout: recording.SideBySide},
		},
		Profiles: []recording.Profile{{Name: "base", Provider: "embedded"}, {Name: "head", Provider: "embedded"}},
	}
	for block := 1; block <= n; block++ {
		for arm, name := range run.Manifest.Profiles {
			o := synthetic.Options{Profile: name, Index: block, Pods: 40, Seed: uint64(10*block + arm), Start: start.Add(time.Duration(2*block+arm) * time.Minute)}
			if name == "head" {
				o.JobController = clusters.Limits{KubeAPIQPS: qps, KubeAPIBurst: 30}
			}
			b := synthetic.Burst(o)
			b.Block = block
			run.Bursts = append(run.Bursts, b)
		}
	}
	return run
}

// 40 pods through 20/30 take (40-30)/20 = 0.5 s, through 10/30 1 s and through 200/30 0.05
// s.
func TestAComparisonIsJudgedBlockByBlock(t *testing.T) {
	for name, c := range map[string]struct {
		run  recording.Run
		want verdict.Verdict // of the makespan
		of   verdict.Verdict // of the run
	}{
		"half the QPS":       {aComparison(8, 10), verdict.Regressed, verdict.Regressed},
		"the same":           {aComparison(8, 20), verdict.Pass, verdict.Pass},
		"ten times the QPS":  {aComparison(8, 200), verdict.Improved, verdict.Pass},
		"five blocks only":   {aComparison(5, 10), verdict.Inconclusive, verdict.Inconclusive},
		"no head in the run": {headless(aComparison(8, 20)), verdict.Invalid, verdict.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := reports.Build(c.run, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkSchema(t, r)
			if len(r.Comparisons) != 4 {
				t.Fatalf("%d comparisons: %+v", len(r.Comparisons), r.Comparisons)
			}
			makespan := r.Comparisons[0]
			if makespan.Endpoint != "makespan" || makespan.Verdict != c.want || r.Verdict != c.of {
				t.Errorf("%s is %s, the run %s; want %s and %s (%s; %q)", makespan.Endpoint, makespan.Verdict, r.Verdict, c.want, c.of, makespan.Message, r.Reasons)
			}
			for _, text := range written(t, r) {
				if !strings.Contains(text, "makespan: ") {
					t.Errorf("the comparison's sentence is not in\n%s", text)
				}
			}
		})
	}
}

func headless(run recording.Run) recording.Run {
	var kept []recording.Burst
	for i := range run.Bursts {
		if run.Bursts[i].Profile != "head" {
			kept = append(kept, run.Bursts[i])
		}
	}
	run.Bursts = kept
	return run
}

// written returns the report as table, Markdown and JUnit.
func written(t *testing.T, r reports.Report) (all []string) {
	t.Helper()
	var table, markdown, junit bytes.Buffer
	if err := reports.WriteTable(&table, r, "run"); err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteMarkdown(&markdown, r); err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteJUnit(&junit, r); err != nil {
		t.Fatal(err)
	}
	return []string{table.String(), markdown.String(), junit.String()}
}

func TestABlockThatWasSentAgainTakesNothingFromTheRunAndIsTold(t *testing.T) {
	run := aComparison(9, 20)
	run.Manifest.Comparison.Blocks, run.Manifest.Comparison.MaxBlocks = 8, 8
	run.Bursts[4].Health.Dropped = 1 // block 3
	r, err := reports.Build(run, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Pass || !r.Run.Complete || r.Comparisons[0].Blocks != 8 {
		t.Errorf("verdict %s, complete %v, %d blocks: %q", r.Verdict, r.Run.Complete, r.Comparisons[0].Blocks, r.Reasons)
	}
	for _, pair := range r.Comparisons[0].Pairs {
		if pair.Block == 3 {
			t.Error("an invalid block was compared")
		}
	}
	for i, text := range written(t, r) {
		if !strings.Contains(text, "watch-dropped") {
			t.Errorf("report %d does not tell of the block that was left out:\n%s", i, text)
		}
	}

	run.Bursts[6].Health.Dropped = 1 // block 4: 7 of 8 are left
	if r, err = reports.Build(run, nil); err != nil {
		t.Fatal(err)
	}
	if r.Verdict != verdict.Invalid || r.Run.Complete || !strings.Contains(fmt.Sprint(r.Reasons), "7 of 8 planned valid blocks") {
		t.Errorf("verdict %s, complete %v: %q", r.Verdict, r.Run.Complete, r.Reasons)
	}
}

func TestTheRunsOwnCriteriaDecide(t *testing.T) {
	run := aComparison(8, 10)
	criteria := gate.DefaultCriteria()
	criteria.Spec.Endpoints, criteria.Spec.Watched = []gate.Criterion{{Phase: "makespan", Margin: 5}}, []gate.Criterion{}
	var err error
	if run.Manifest.Comparison.Criteria, err = reports.EncodeCriteria(criteria); err != nil {
		t.Fatal(err)
	}
	r, err := reports.Build(run, nil)
	if err != nil || len(r.Comparisons) != 1 || r.Verdict != verdict.Pass {
		t.Errorf("verdict %s, %d comparisons, %v: a head half as fast is within a margin of 500 %%", r.Verdict, len(r.Comparisons), err)
	}
	run.Manifest.Comparison.Criteria = []byte(`{"apiVersion":"podburst.dev/v1alpha1","kind":"Gate","spec":{"endpoint":[]}}`)
	if _, err = reports.Build(run, nil); err == nil || !strings.Contains(err.Error(), "endpoints") {
		t.Errorf("criteria that cannot be read: %v", err)
	}
}

func TestASweepHoldsNoArmAgainstAnother(t *testing.T) {
	run := aComparison(8, 10)
	run.Manifest.Comparison.Base = ""
	r, err := reports.Build(run, lenient)
	if err != nil || len(r.Comparisons) != 0 || r.Verdict != verdict.Inconclusive && r.Verdict != verdict.Pass {
		t.Errorf("%d comparisons, verdict %s, %v", len(r.Comparisons), r.Verdict, err)
	}
}

func TestRunsOfUnlikeMachinesShowATrendThatCannotFail(t *testing.T) {
	build := func(qps float64) reports.Report {
		r, err := reports.Build(aComparison(8, qps), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	slow, fast := build(10), build(20)
	profiles := map[string]string{"head": "head"}
	criteria := gate.DefaultCriteria()

	head := slow
	if err := head.Against(fast, profiles, criteria, ""); err != nil {
		t.Fatal(err)
	}
	if head.Verdict != verdict.Regressed || head.Comparisons[0].Paired {
		t.Errorf("on the same machine: verdict %s, %+v", head.Verdict, head.Comparisons[0])
	}
	checkSchema(t, head)
	if err := head.Against(fast, profiles, criteria, "cpus: 2 and 16"); err != nil {
		t.Fatal(err)
	}
	if head.Verdict.ExitCode(false) != verdict.ExitPass || !strings.Contains(head.Comparisons[0].Message, "cpus: 2 and 16") {
		t.Errorf("on another machine: verdict %s, %s", head.Verdict, head.Comparisons[0].Message)
	}
	head = fast
	if err := head.Against(fast, profiles, criteria, ""); err != nil || head.Verdict == verdict.Regressed {
		t.Errorf("a run against itself: %s, %v", head.Verdict, err)
	}
}
