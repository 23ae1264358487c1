package station

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

func attribute(t *testing.T, o synthetic.Options) map[string]Limiter {
	t.Helper()
	b := synthetic.Burst(o)
	effective := clusters.Effective{
		"kube-controller-manager": {KubeAPIQPS: 20, KubeAPIBurst: 30}, "kube-scheduler": {KubeAPIQPS: 50, KubeAPIBurst: 100},
		"kubelet-node-1": {KubeAPIQPS: 50, KubeAPIBurst: 100}, "kubelet-node-2": {KubeAPIQPS: 50, KubeAPIBurst: 100},
	}
	if o.JobController.KubeAPIQPS != 0 {
		effective["kube-controller-manager"] = o.JobController
	}
	found := map[string]Limiter{}
	for _, l := range Attribute(b, timeline.Build(b), effective) {
		found[l.Component] = l
	}
	return found
}

func TestTheDefaultLimitsOf100PodsQueueInTheControllerManager(t *testing.T) {
	found := attribute(t, synthetic.Options{Pods: 100, Index: 1})
	// (100 - 30) / 20 = 3.5 s; the 70 that wait do so 3.5 s / 2 on average.
	kcm := found["kube-controller-manager"]
	if kcm.Requests != 100 || kcm.Waited != 70 || kcm.FloorSeconds != 3.5 || kcm.Regime != Queueing {
		t.Errorf("kube-controller-manager: %+v", kcm)
	}
	if want := stats.Seconds(124.25); max(kcm.WaitSeconds-want, want-kcm.WaitSeconds) > 0.01 {
		t.Errorf("waited %v, want the sum of 50 ms to 3.5 s in steps of 50 ms, %v", kcm.WaitSeconds, want)
	}
	// The longest wait, 3.5 s, is in the bucket up to 4 s.
	if kcm.MaxWaitSeconds != 4 {
		t.Errorf("longest wait %v, want its bucket's bound of 4s", kcm.MaxWaitSeconds)
	}
	if s := found["kube-scheduler"]; s.Regime != Idle || s.FloorSeconds != 0 || s.Requests != 100 {
		t.Errorf("kube-scheduler: %+v, want an idle limiter: 100 bindings fit its bucket", s)
	}
	// 50 pods with 3 status writes of 2 requests each: (300 - 100) / 50 = 4 s.
	if k := found["kubelet-node-1"]; k.Requests != 300 || k.FloorSeconds != 4 {
		t.Errorf("kubelet-node-1: %+v", k)
	}
}

func TestWithoutAuditAKubeletNeedsOneStatusWriteAPod(t *testing.T) {
	// 60 pods on each node: (2 * 60 - 100) / 50 = 0.4 s.
	if k := attribute(t, synthetic.Options{Pods: 120, Index: 1, NoAudit: true})["kubelet-node-1"]; k.FloorSeconds != 0.4 {
		t.Errorf("kubelet-node-1: %+v, want a floor of 0.4s", k)
	}
}

// exposed has counts cumulative to 5 ms, 100 ms, 1 s and beyond.
func exposed(sum float64, cumulative ...int) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# TYPE %s histogram\nother_metric 1\n", metric)
	for _, verb := range []string{"GET", "POST"} { // half the requests each
		for i, bound := range []string{"0.005", "0.1", "1", "+Inf"} {
			fmt.Fprintf(&out, "%s_bucket{verb=%q,le=%q} %d\n", metric, verb, bound, cumulative[i]/2)
		}
		fmt.Fprintf(&out, "%s_sum{verb=%q} %g\n%s_count{verb=%q} %d\n", metric, verb, sum/2, metric, verb, cumulative[3]/2)
	}
	return []byte(out.String())
}

func TestRegimes(t *testing.T) {
	limits := clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 10} // ten refills are 200 ms
	before := exposed(7, 10, 10, 10, 10)
	for name, c := range map[string]struct {
		after   []byte
		known   bool
		want    Regime
		longest time.Duration
		waited  int
	}{
		"no request":                       {before, true, Idle, 0, 0},
		"no request waited":                {exposed(7.1, 110, 110, 110, 110), true, Idle, 5 * time.Millisecond, 0},
		"a few waited a little":            {exposed(7.4, 100, 110, 110, 110), true, Bursty, 100 * time.Millisecond, 10},
		"most waited a little":             {exposed(9, 20, 110, 110, 110), true, Pacing, 100 * time.Millisecond, 90},
		"one waited long":                  {exposed(9, 108, 108, 110, 110), true, Queueing, time.Second, 2},
		"the longest is no more than all":  {exposed(7.3, 108, 108, 110, 110), true, Bursty, 200 * time.Millisecond, 2}, // two of at least 0.1 s
		"beyond the last bound":            {exposed(99, 108, 108, 108, 110), true, Queueing, 91 * time.Second, 2},      // 92 s of two
		"limits not known, waits of 0.3 s": {exposed(7.3, 108, 108, 110, 110), false, Bursty, 200 * time.Millisecond, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := between(before, c.after)
			if err != nil {
				t.Fatal(err)
			}
			if got := regime(w, limits, c.known); got != c.want {
				t.Errorf("regime is %s, want %s (%+v)", got, c.want, w)
			}
			if (w.longest-c.longest).Abs() > time.Microsecond || w.waited != c.waited {
				t.Errorf("longest %v, waited %d; want %v, %d", w.longest, w.waited, c.longest, c.waited)
			}
		})
	}
}

func TestWhatCannotBeComparedIsLeftOut(t *testing.T) {
	full := exposed(7, 10, 10, 10, 10)
	for name, pair := range map[string]recording.MetricsPair{
		"no metric":        {Before: []byte("a 1\n"), After: []byte("a 2\n")},
		"nothing after":    {Before: full},
		"another process":  {Before: full, After: exposed(1, 2, 2, 2, 2)},
		"no exposition":    {Before: full, After: []byte(metric + "{ <html>")},
		"another type":     {Before: full, After: []byte("# TYPE " + metric + " gauge\n" + metric + " 1\n")},
		"a sum of no size": {Before: full, After: []byte(strings.ReplaceAll(string(full), "3.5", "NaN"))},
	} {
		b := recording.Burst{Metrics: map[string]recording.MetricsPair{"kube-scheduler": pair}}
		if got := Attribute(b, timeline.Timeline{}, nil); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// A process that had made no request has no metric yet.
	b := recording.Burst{Metrics: map[string]recording.MetricsPair{"kube-scheduler": {Before: []byte("a 1\n"), After: full}}}
	if got := Attribute(b, timeline.Timeline{}, nil); len(got) != 1 || got[0].Requests != 10 {
		t.Errorf("first requests: %+v, want 10", got)
	}
}

func FuzzBetween(f *testing.F) {
	f.Add([]byte(""), exposed(1, 2, 4, 6, 8))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		if w, err := between(before, after); err == nil && (w.requests < 0 || w.sum < 0) {
			t.Errorf("negative: %+v", w)
		}
	})
}

func TestLoggedWaitsBoundTheLongestFromBelow(t *testing.T) {
	b := recording.Burst{
		Metrics: map[string]recording.MetricsPair{"kube-scheduler": {Before: exposed(7, 10, 10, 10, 10), After: exposed(9, 108, 108, 110, 110)}},
		Logs: []recording.LogLine{
			{Kind: recording.LogThrottled, Instance: "kube-scheduler", WaitSeconds: 0.75},
			{Kind: recording.LogThrottled, Instance: "kube-scheduler", WaitSeconds: 0.5},
			{Kind: recording.LogThrottled, Instance: "kubelet-a", WaitSeconds: 0.9},
			{Kind: recording.LogBound, Instance: "kube-scheduler"},
		},
	}
	l := Attribute(b, timeline.Timeline{}, nil)[0]
	// The bucket ends at 1 s, and client-go does not log every wait.
	if l.LoggedWaits != 2 || l.LongestLoggedSeconds != 0.75 || l.MaxWaitSeconds != 1 {
		t.Errorf("%+v", l)
	}
}
