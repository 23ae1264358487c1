//go:build integration

package limits_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/test/internal/suite"
)

// BenchmarkSampling sends pairs of bursts of 100 pods to one embedded cluster, one with
// samples of what the components use (framework/usage) and one without, each first in
// every second pair. It reports:
//
//	observer-ms   the observer's processor time in a burst without samples, as a mean
//	cost          the same with samples, as a ratio to that: the geometric mean over pairs
//	makespan      the makespan with samples, as such a ratio
//	±cost, ±makespan   one standard error of the ratio's logarithm
//	samples       of the machine, in a burst
func BenchmarkSampling(b *testing.B) {
	for _, name := range []string{"default", "tuned"} {
		b.Run(name, func(b *testing.B) {
			send := sender(b, name)
			send(false) // warms the cluster up
			var observer float64
			var cost, makespan []float64
			samples := 0
			for n := 0; b.Loop(); n++ {
				var one [2]sent
				for i := range one {
					k := (i + n) % 2
					one[k] = send(k == 1)
				}
				observer += one[0].observer
				cost = append(cost, math.Log(one[1].observer/one[0].observer))
				makespan = append(makespan, math.Log(one[1].took/one[0].took))
				samples += one[1].samples
			}
			n := float64(len(cost))
			b.ReportMetric(1000*observer/n, "observer-ms")
			b.ReportMetric(float64(samples)/n, "samples")
			for unit, logs := range map[string][]float64{"cost": cost, "makespan": makespan} {
				mean, deviation := meanAndError(logs)
				b.ReportMetric(math.Exp(mean), unit)
				b.ReportMetric(deviation, "±"+unit)
			}
		})
	}
}

// meanAndError returns the mean and its standard error, NaN for fewer than two values.
func meanAndError(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	var squares float64
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// sent is what one burst took, in seconds.
type sent struct {
	observer, took float64
	samples        int
}

// sender starts a cluster and returns what sends it a burst.
func sender(b *testing.B, profile string) func(sampled bool) sent {
	b.Helper()
	made := suite.StartCluster(b, embedded.ProviderName, profile)
	client, err := burst.NewClient(made.RESTConfig())
	suite.Must(b, err)
	settings, err := made.EffectiveConfig(b.Context())
	suite.Must(b, err)
	const runID = "sampling"
	namespace, err := burst.EnsureNamespace(b.Context(), client, runID)
	suite.Must(b, err)
	w, err := watch.New(made.RESTConfig(), watch.Options{Namespace: namespace})
	suite.Must(b, err)
	suite.Must(b, w.Start(b.Context()))
	b.Cleanup(w.Stop)
	cursor, index, job := audit.NewCursor(made.AuditLog), 0, load.Job{Pods: 100}
	return func(sampled bool) sent {
		b.Helper()
		index++
		o := burst.Options{
			Cluster: made, Client: client, Watcher: w, Audit: cursor, RunID: runID, Namespace: namespace, Index: index,
			Spec: burst.Spec{Load: job, Deadline: time.Minute},
		}
		if !sampled {
			o.NewUsage = func() usage.Reader { return nil }
		}
		recorded, err := burst.Run(b.Context(), o)
		suite.Must(b, err)
		if sampled == (len(recorded.Usage) == 0) {
			b.Fatalf("%d samples: %s %v", len(recorded.Usage), recorded.UsageUnavailable, recorded.UsageErrors)
		}
		// The benchmark's own context may have ended.
		suite.Must(b, burst.Cleanup(context.WithoutCancel(b.Context()), &recorded, burst.CleanupOptions{Load: job, Client: client, Watcher: w, Effective: settings}))
		accounts := map[string]bool{}
		for _, s := range recorded.Usage {
			accounts[s.Account] = true
		}
		return sent{recorded.Health.CPUSeconds, recorded.End.Sub(recorded.Submit).Seconds(), len(recorded.Usage) / max(1, len(accounts))}
	}
}
