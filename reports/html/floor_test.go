package html

import (
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

// 100 pods through 20/30 take (100-30)/20 = 3.5 s, through 150/200 no time.
func TestAFloorIsTheBucketsArithmetic(t *testing.T) {
	f := floor{limits: clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}}
	for k, want := range map[int]float64{1: 0, 30: 0, 31: 0.05, 100: 3.5} {
		if got := f.at(k); got != want {
			t.Errorf("pod %d: %g s, want %g", k, got, want)
		}
	}
	if got := (floor{limits: clusters.Limits{KubeAPIQPS: 150, KubeAPIBurst: 200}}).at(100); got != 0 {
		t.Errorf("100 pods through 150/200: %g s, want 0", got)
	}
}

// The caption says that no pod can be to the left of the line.
func TestNoPodIsLeftOfTheFloor(t *testing.T) {
	limits := clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}
	run := specimen.Run(synthetic.Burst(synthetic.Options{Index: 1, Pods: 100, JobController: limits}))
	run.Profiles[0].Effective = clusters.Effective{"kube-controller-manager": limits}
	for name, r := range map[string]*reports.Report{"synthetic": specimen.Build(t, run), "real pods": specimen.Kind(t)} {
		v := newView(r)
		w := v.waterfall(v.profiles[0])
		if w == nil || len(w.floors) == 0 || w.floors[0].at(len(w.pods)) <= 0 {
			t.Fatalf("%s: there is no floor", name)
		}
		for k := range w.pods {
			if at, ok := w.mark(&w.pods[k], timeline.Create); !ok || at < w.floors[0].at(k+1) {
				t.Errorf("%s: pod %d was created after %g s, left of its floor %g s", name, k+1, at, w.floors[0].at(k+1))
			}
		}
	}
}

func TestAProfileWithoutAValidBurstShowsItsLastOne(t *testing.T) {
	damaged := synthetic.Burst(synthetic.Options{Index: 2})
	damaged.Problems = []recording.Problem{{Code: "some", Detail: "reason"}}
	first := damaged
	first.Index = 1
	v := newView(specimen.Build(t, specimen.Run(first, damaged)))
	if w := v.waterfall(v.profiles[0]); w == nil || w.title() != "default, burst 2 (INVALID)" {
		t.Errorf("the waterfall is of %v", w)
	}
}

// Of the makespans 3, 1, 2 and 4, the median by nearest rank is the second smallest.
func TestTheMedianBurstIsOneThatWasMeasured(t *testing.T) {
	r := &reports.Report{}
	for i, seconds := range []stats.Seconds{3, 1, 2, 4} {
		r.Bursts = append(r.Bursts, reports.Burst{Profile: "p", Index: i + 1, Valid: true, MakespanSeconds: &seconds})
	}
	v := newView(r)
	if got := v.profiles[0].median; got != 2 {
		t.Errorf("the median is burst %d, want 2", got)
	}
}
