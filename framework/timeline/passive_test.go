package timeline_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// passive is a burst as recorded by an observer who did not send it.
func passive(o synthetic.Options) recording.Burst {
	b := synthetic.Burst(o)
	b.Passive = &recording.Passive{Selector: "app=web", Began: b.Submit}
	b.Submit, b.SubmitReturned, b.Workload, b.BurstID = time.Time{}, time.Time{}, recording.Workload{}, "observed"
	return b
}

func TestAPassiveBurstHasNoSubmission(t *testing.T) {
	for _, noAudit := range []bool{false, true} {
		b := passive(synthetic.Options{Pods: 10, Index: 1, NoAudit: noAudit})
		tl := timeline.Build(b)
		if len(tl.Pods) != 10 || tl.Accounting.Ready != 10 || tl.Accounting.Foreign != 0 {
			t.Fatalf("%d pods, %+v", len(tl.Pods), tl.Accounting)
		}
		if _, ok := tl.Makespan(); ok || len(tl.Completion) != 0 || !tl.Submit.At.IsZero() {
			t.Errorf("a makespan from nowhere: %v, %v", tl.Completion, tl.Submit)
		}
		for _, ph := range timeline.Phases() {
			if noAudit && ph.From == timeline.Run {
				continue // run and its observation are one event
			}
			if tl.Available(ph) == (ph.From == timeline.Submit) && ph.From != timeline.Created && ph.To != timeline.Created {
				t.Errorf("%s: available %t", ph.Name, tl.Available(ph))
			}
			for i := range tl.Pods {
				if d, _, _, ok := tl.Pods[i].Duration(ph); ok && ph.From == timeline.Submit {
					t.Errorf("%s of pod %d is %v, want none", ph.Name, i, d)
				}
			}
		}
		first, _ := tl.Pods[0].Primary(timeline.Create)
		last := time.Time{}
		for i := range tl.Pods {
			if ready, _ := tl.Pods[i].Primary(timeline.Ready); ready.At.After(last) {
				last = ready.At
			}
		}
		if span, ok := tl.Span(); !ok || span <= 0 || span != last.Sub(first.At) {
			t.Errorf("span %v, %t; want %v", span, ok, last.Sub(first.At))
		}
		b.Pods = 11
		tl = timeline.Build(b)
		if _, ok := tl.Span(); ok {
			t.Error("a span without one of the pods")
		}
	}
}

// The identity of a passive burst: the rest of the chain sums exactly to observed - create.
func TestThePassiveChainSumsToCreateUntilObserved(t *testing.T) {
	whole := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		tl := timeline.Build(damage(passive(synthetic.Options{Pods: 2 + r.IntN(20), Index: 1, Seed: seed, NoAudit: seed%2 == 0}), r))
		if !tl.Accounting.Balanced() {
			t.Errorf("seed %d: accounting %+v does not balance", seed, tl.Accounting)
		}
	pods:
		for i := range tl.Pods {
			var sum time.Duration
			for _, ph := range timeline.Chain()[1:] {
				d, _, _, ok := tl.Pods[i].Duration(ph)
				if !ok {
					continue pods
				}
				sum += d
			}
			whole++
			if d, _, _, ok := tl.Pods[i].Duration(timeline.Phase{From: timeline.Create, To: timeline.Observed}); !ok || d != sum {
				t.Errorf("seed %d: the chain sums to %v, observed - create is %v", seed, sum, d)
			}
		}
	}
	if whole < 200 {
		t.Errorf("only %d pods had all their marks: the test tests little", whole)
	}
}
