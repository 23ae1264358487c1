package timeline_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/timeline"
)

// damage makes a history of mixed sources: it drops events of both streams, makes the
// watcher relist, shifts clocks against each other and deletes, fails and duplicates pods.
func damage(b recording.Burst, r *rand.Rand) recording.Burst {
	skew := time.Duration(r.IntN(21)-10) * time.Millisecond
	loss := r.Float64() * 0.3
	audit := b.Audit[:0:0]
	for _, e := range b.Audit {
		e.Received, e.Completed = e.Received.Add(skew), e.Completed.Add(skew)
		if r.Float64() < loss {
			continue
		}
		audit = append(audit, e)
		if r.Float64() < loss/4 {
			audit = append(audit, e)
		}
	}
	watch := b.Watch[:0:0]
	for _, o := range b.Watch {
		switch x := r.Float64(); {
		case x < loss/2:
			continue
		case x < loss/2+0.02:
			o.Initial = true
		case x < loss/2+0.03:
			o.Type = "deleted"
		case x < loss/2+0.04:
			o.Phase = "Failed"
		case x < loss/2+0.05:
			o.OwnerUID = "other"
		}
		watch = append(watch, o)
	}
	b.Audit, b.Watch = audit, watch
	b.Pods += r.IntN(5) - 2
	return b
}

// The chain's phases sum exactly to observed - submit for every pod that has all its marks,
// and the accounting identity holds, whatever events were lost.
func TestIdentitiesHoldForDamagedHistories(t *testing.T) {
	whole := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := damage(synthetic.Burst(synthetic.Options{Pods: 2 + r.IntN(20), Index: 1, Seed: seed, NoAudit: seed%5 == 0}), r)
		tl := timeline.Build(b)
		if !tl.Accounting.Balanced() {
			t.Errorf("seed %d: accounting %+v does not balance", seed, tl.Accounting)
		}
		if len(tl.Completion) > tl.Accounting.Ready {
			t.Errorf("seed %d: %d points of completion for %d ready pods", seed, len(tl.Completion), tl.Accounting.Ready)
		}
		for i := range tl.Pods {
			if checkChain(t, &tl.Pods[i]) {
				whole++
			}
		}
	}
	if whole < 500 {
		t.Errorf("only %d pods had all their marks: the test tests little", whole)
	}
}

func checkChain(t *testing.T, p *timeline.Pod) (whole bool) {
	t.Helper()
	var sum time.Duration
	for _, ph := range timeline.Chain() {
		d, _, _, ok := p.Duration(ph)
		if !ok {
			return false
		}
		sum += d
	}
	submit, _ := p.Primary(timeline.Submit)
	observed, _ := p.Primary(timeline.Observed)
	if total := observed.At.Sub(submit.At); total != sum {
		t.Errorf("pod %s: the chain sums to %v, observed - submit is %v", p.UID, sum, total)
	}
	return true
}

// The chain itself: its phases are consecutive, from submit to observed.
func TestTheChainIsConsecutive(t *testing.T) {
	at := timeline.Submit
	for _, ph := range timeline.Chain() {
		if ph.From != at {
			t.Errorf("%s begins at %v, want %v", ph.Name, ph.From, at)
		}
		at = ph.To
	}
	if at != timeline.Observed {
		t.Errorf("the chain ends at %v, want observed", at)
	}
}

// A timeline is the same whether the burst comes from memory, where times have a monotonic
// clock and a zone, or from a file.
func TestMemoryAndFileGiveTheSameTimeline(t *testing.T) {
	b := synthetic.Burst(synthetic.Options{Index: 1})
	inMemory := b
	inMemory.Submit = b.Submit.In(time.FixedZone("east", 3600))
	inMemory.Watch = append([]recording.Observation(nil), b.Watch...)
	for i := range inMemory.Watch {
		inMemory.Watch[i].At = b.Watch[i].At.In(time.FixedZone("west", -3600))
	}
	if !reflect.DeepEqual(timeline.Build(b), timeline.Build(inMemory)) {
		t.Error("timelines differ")
	}
}

func TestMarksAreWrittenByName(t *testing.T) {
	for _, m := range timeline.Marks() {
		text, err := m.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back timeline.Mark
		if err := back.UnmarshalText(text); err != nil || back != m {
			t.Errorf("%s reads back as %v (%v)", text, back, err)
		}
	}
	var m timeline.Mark
	if err := m.UnmarshalText([]byte("redy")); err == nil {
		t.Error("an unknown mark was read")
	}
}
