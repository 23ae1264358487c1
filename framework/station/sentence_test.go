package station

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// of are the limiters of a burst of 100 pods with these limits.
func of(controller, kubelet clusters.Limits) []Limiter {
	b := synthetic.Burst(synthetic.Options{Pods: 100, Index: 1, JobController: controller, Kubelet: kubelet})
	return Attribute(b, timeline.Build(b), clusters.Effective{
		"kube-controller-manager": controller, "kube-scheduler": {KubeAPIQPS: 50, KubeAPIBurst: 100},
		"kubelet-node-1": kubelet, "kubelet-node-2": kubelet,
	})
}

var (
	slow = clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}
	wide = clusters.Limits{KubeAPIQPS: 500, KubeAPIBurst: 1000}
)

func TestTheSentenceNamesComponentPhaseLossFloorAndSetting(t *testing.T) {
	sentences := Explain(of(slow, wide))
	if len(sentences) != 2 {
		t.Fatalf("%q", sentences)
	}
	for _, want := range []string{
		"submit_to_create p99 3.4", ": kube-controller-manager held its requests up for 3.", "in its own 20/30 limiter", "queueing: 70 of 100 requests waited, up to 4.00 s each",
		"floor for 100 requests, 100 of them pod creations, is 3.50 s and they took 3.5", "Raise spec.kubeControllerManager.kubeAPIQPS and kubeAPIBurst.",
	} {
		if !strings.Contains(sentences[0], want) {
			t.Errorf("%q does not say %q", sentences[0], want)
		}
	}
	want := "No other limiter held a phase up: kube-scheduler 50/100 sent 100 requests and none waited, the busiest of 2 kubelets 500/1000 sent 300 requests and none waited."
	if sentences[1] != want {
		t.Errorf("%q, want %q", sentences[1], want)
	}
}

func TestTheNegativeControlBlamesNobody(t *testing.T) {
	sentences := Explain(of(wide, wide))
	if len(sentences) != 1 || !strings.HasPrefix(sentences[0], "No client-side limiter held a phase up: kube-controller-manager 500/1000 sent 100 requests and none waited") {
		t.Errorf("%q", sentences)
	}
}

func TestOfKubeletsTheWorstIsNamed(t *testing.T) {
	sentences := Explain(of(wide, clusters.Limits{KubeAPIQPS: 5, KubeAPIBurst: 10}))
	// 50 pods with 3 status writes of 2 requests each: (300 - 10) / 5 = 58 s.
	for _, want := range []string{"schedule_to_run p99 5", "(and 1 more like it) held its requests up for 5", "5/10 limiter", "300 of them for pod status, is 58.00 s", "Raise spec.kubelet.kubeAPIQPS"} {
		if !strings.Contains(sentences[0], want) {
			t.Errorf("%q does not say %q", sentences[0], want)
		}
	}
}

func TestWithoutMetricsNothingIsClaimed(t *testing.T) {
	if got := Explain(nil); len(got) != 1 || !strings.HasPrefix(got[0], "No component's limiter metrics could be read") {
		t.Errorf("%q", got)
	}
}

func TestAWaitThatCostsThePhaseLittleIsNoReason(t *testing.T) {
	for name, c := range map[string]struct {
		l    Limiter
		want bool
	}{
		"half the phase":                {Limiter{Regime: Queueing, HeldSeconds: 1, PhaseP99Seconds: 2}, true},
		"a twentieth of the phase":      {Limiter{Regime: Queueing, HeldSeconds: 1, PhaseP99Seconds: 20}, false},
		"90 ms of 100 ms":               {Limiter{Regime: Pacing, HeldSeconds: 0.09, PhaseP99Seconds: 0.1}, false},
		"the metric knows of no waits":  {Limiter{Regime: Idle, HeldSeconds: 1, PhaseP99Seconds: 2}, false},
		"even waits that cap the rate":  {Limiter{Regime: Pacing, HeldSeconds: 1, PhaseP99Seconds: 1}, true},
		"waits side by side with work":  {Limiter{Regime: Bursty, HeldSeconds: 0, PhaseP99Seconds: 1}, false},
		"most of a phase of 0.2 second": {Limiter{Regime: Bursty, HeldSeconds: 0.15, PhaseP99Seconds: 0.2}, true},
	} {
		if got := c.l.heldUp(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestTheMedianBurstSpeaksForItsProfile(t *testing.T) {
	burst := func(held stats.Seconds, requests int) []Limiter {
		return []Limiter{{Component: "kube-scheduler", HeldSeconds: held, Requests: requests}}
	}
	m := Median([][]Limiter{burst(5, 50), burst(1, 10), burst(3, 30), burst(4, 40)})
	if len(m) != 1 || m[0].HeldSeconds != 3 || m[0].Requests != 30 {
		t.Errorf("%+v, want the lower median of four", m)
	}
	if len(Median(nil)) != 0 {
		t.Error("no bursts have a median")
	}
}
