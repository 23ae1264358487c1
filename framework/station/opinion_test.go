package station

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
)

// exposed has counts cumulative to 0.5, 1, 2 s and beyond.
func measured(metric string, sum float64, cumulative ...int) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# TYPE %s histogram\n", metric)
	for i, bound := range []string{"0.5", "1", "2", "+Inf"} {
		fmt.Fprintf(&out, "%s_bucket{le=%q} %d\n", metric, bound, cumulative[i])
	}
	fmt.Fprintf(&out, "%s_sum %g\n%s_count %d\n", metric, sum, metric, cumulative[3])
	return []byte(out.String())
}

const kubeletSLI = "kubelet_pod_start_sli_duration_seconds"

func TestKubeletsAreOneOpinionOverTheBurstAlone(t *testing.T) {
	got := Opinions(recording.Burst{Metrics: map[string]recording.MetricsPair{
		"kubelet-a":      {Before: measured(kubeletSLI, 1, 1, 1, 1, 1), After: measured(kubeletSLI, 31, 1, 21, 31, 31)},
		"kubelet-b":      {Before: []byte("up 1\n"), After: measured(kubeletSLI, 30, 0, 10, 20, 20)},
		"kubelet-c":      {Before: measured(kubeletSLI, 9, 9, 9, 9, 9), After: measured(kubeletSLI, 1, 1, 1, 1, 1)}, // restarted
		"kube-apiserver": {After: measured(kubeletSLI, 99, 99, 99, 99, 99)},
	}})
	if len(got) != 1 {
		t.Fatalf("%+v", got)
	}
	o := got[0]
	// 30 of a and 20 of b: none up to 0.5 s, 30 up to 1 s, 50 up to 2 s.
	if o.Metric != kubeletSLI || o.Count != 50 || fmt.Sprint(o.Instances) != "[kubelet-a kubelet-b]" || math.Abs(float64(o.MeanSeconds)-60.0/50) > 1e-9 {
		t.Errorf("%+v", o)
	}
	// The 25th of 30 between 0.5 and 1 s; the 49.5th is the 19.5th of 20 between 1 and 2 s.
	for got, want := range map[Estimate]Estimate{o.P50: {0.5 + 0.5*25/30, 0.5, 1}, o.P99: {1 + 19.5/20, 1, 2}} {
		if math.Abs(float64(got.ValueSeconds-want.ValueSeconds)) > 1e-9 || got.LowSeconds != want.LowSeconds || got.HighSeconds != want.HighSeconds {
			t.Errorf("estimate %+v, want %+v", got, want)
		}
	}
}

func TestBeyondTheLastBoundAnEstimateIsThatBound(t *testing.T) {
	got := Opinions(recording.Burst{Metrics: map[string]recording.MetricsPair{
		"kube-scheduler": {Before: []byte("up 1\n"), After: measured("scheduler_scheduling_attempt_duration_seconds", 99, 0, 0, 1, 10)},
	}})
	if len(got) != 1 || got[0].P99 != (Estimate{2, 2, 2}) {
		t.Errorf("%+v", got)
	}
}
