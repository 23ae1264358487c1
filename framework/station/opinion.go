package station

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/stats"
)

// Estimate is a quantile read from a histogram. The true one lies somewhere in a bucket.
type Estimate struct {
	// ValueSeconds is interpolated evenly within the bucket, as by Prometheus'
	// histogram_quantile. Beyond the last finite bound all three numbers are that bound.
	ValueSeconds stats.Seconds `json:"valueSeconds"`
	// LowSeconds is the lower bound of the bucket.
	LowSeconds stats.Seconds `json:"lowSeconds"`
	// HighSeconds is the upper bound of the bucket.
	HighSeconds stats.Seconds `json:"highSeconds"`
}

// Opinion is what components measured themselves during the burst, by one of their
// metrics.
type Opinion struct {
	// Metric is the name of the histogram.
	Metric string `json:"metric"`
	// Meaning says what the histogram measures.
	Meaning string `json:"meaning"`
	// Instances are the processes whose samples are in it, sorted.
	Instances []string `json:"instances"`
	// Count is the number of samples.
	Count int `json:"count"`
	// MeanSeconds is the mean. Unlike the quantiles it is exact.
	MeanSeconds stats.Seconds `json:"meanSeconds"`
	// P50 is an estimate of the median.
	P50 Estimate `json:"p50Estimate"`
	// P99 is an estimate of the 99 % quantile.
	P99 Estimate `json:"p99Estimate"`
}

// asked are the metrics (Kubernetes 1.27 to 1.37).
var asked = []struct {
	component       clusters.Component
	metric, meaning string
}{
	{clusters.Kubelet, "kubelet_pod_start_sli_duration_seconds", "the kubelet's own pod startup SLI: creationTimestamp (whole seconds) to all containers observed running, image pulls and init containers excluded"},
	{clusters.KubeScheduler, "scheduler_pod_scheduling_sli_duration_seconds", "from a pod's first entry into the scheduling queue until it is bound, gated and backed-off time excluded"},
	{clusters.KubeScheduler, "scheduler_scheduling_attempt_duration_seconds", "one attempt to schedule and bind a pod"},
}

// Opinions are what components measured themselves during a burst, as second
// opinions beside podburst's own numbers: the kubelet's pod start SLI and the
// scheduler's attempts. These are histograms, so that a quantile is only known to
// lie in a bucket: it is given with the bucket's bounds and called an estimate. Samples before the
// burst are subtracted; a process that restarted is left out.
func Opinions(b recording.Burst) []Opinion {
	opinions := []Opinion{}
	for _, ask := range asked {
		o := Opinion{Metric: ask.metric, Meaning: ask.meaning}
		sum := exposition.Histogram{Buckets: map[float64]float64{}}
		for _, instance := range slices.Sorted(maps.Keys(b.Metrics)) {
			if instance != string(ask.component) && !strings.HasPrefix(instance, string(ask.component)+"-") {
				continue
			}
			rose, err := evidence.ProcessOf(&b, instance).Histogram(ask.metric)
			if err != nil || rose.Count == 0 {
				continue
			}
			o.Instances = append(o.Instances, instance)
			sum.Count += rose.Count
			sum.Sum += rose.Sum
			for bound, n := range rose.Buckets {
				sum.Buckets[bound] += n
			}
		}
		if sum.Count == 0 || sum.Count > math.MaxInt32 {
			continue
		}
		o.Count, o.MeanSeconds = int(sum.Count), stats.Seconds(sum.Sum/sum.Count)
		o.P50, o.P99 = estimate(sum, 0.5), estimate(sum, 0.99)
		opinions = append(opinions, o)
	}
	return opinions
}

func estimate(h exposition.Histogram, q float64) Estimate {
	low, high, ok := h.Quantile(q)
	if !ok || math.IsInf(high, 1) {
		bound := stats.Seconds(low)
		return Estimate{bound, bound, bound}
	}
	below := h.Buckets[low] // 0 for the first bucket
	in := h.Buckets[high] - below
	value := high
	if in > 0 {
		value = low + (high-low)*min(1, max(0, (q*h.Count-below)/in))
	}
	return Estimate{ValueSeconds: stats.Seconds(value), LowSeconds: stats.Seconds(low), HighSeconds: stats.Seconds(high)}
}
