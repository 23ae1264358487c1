package station

import (
	"testing"
	"time"

	"k8s.io/client-go/util/flowcontrol"

	"github.com/podburst/podburst/clusters"
)

// steppingClock is a clock on which nothing takes time but sleeping.
type steppingClock struct{ now time.Time }

func (c *steppingClock) Now() time.Time                  { return c.now }
func (c *steppingClock) Since(t time.Time) time.Duration { return c.now.Sub(t) }
func (c *steppingClock) Sleep(d time.Duration)           { c.now = c.now.Add(d) }

// simulate sends so many requests through client-go's own limiter and returns
// when each passed, after the first was wanted.
func simulate(requests int, limits clusters.Limits) []time.Time {
	start := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	clock := &steppingClock{now: start}
	limiter := flowcontrol.NewTokenBucketRateLimiterWithClock(float32(limits.KubeAPIQPS), limits.KubeAPIBurst, clock)
	var passed []time.Time
	for range requests {
		limiter.Accept()
		passed = append(passed, clock.Now())
	}
	return passed
}

func TestTheModelIsClientGosLimiter(t *testing.T) {
	for name, c := range map[string]struct {
		requests int
		limits   clusters.Limits
		want     time.Duration
	}{
		// (100 - 30) / 20 and so on.
		"100 creations at the controller manager's default": {100, clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}, 3500 * time.Millisecond},
		"100 bindings at the scheduler's default":           {100, clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}, 0},
		"one more than the bucket holds":                    {101, clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}, 20 * time.Millisecond},
		"a kubelet at client-go's default":                  {300, clusters.Limits{KubeAPIQPS: 5, KubeAPIBurst: 10}, 58 * time.Second},
		"a rate that is no whole number":                    {50, clusters.Limits{KubeAPIQPS: 0.5, KubeAPIBurst: 1}, 98 * time.Second},
		"a bucket of one":                                   {11, clusters.Limits{KubeAPIQPS: 150, KubeAPIBurst: 1}, 66666667 * time.Nanosecond},
		"5,000 pods at the published settings":              {5000, clusters.Limits{KubeAPIQPS: 150, KubeAPIBurst: 200}, 32 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			predicted := Spread(c.requests, c.limits)
			if (predicted - c.want).Abs() > time.Microsecond {
				t.Errorf("predicted %v, want %v", predicted, c.want)
			}
			passed := simulate(c.requests, c.limits)
			measured := passed[len(passed)-1].Sub(passed[0])
			// The limiter counts in float64 and rounds each wait to a nanosecond.
			if (measured - predicted).Abs() > time.Millisecond {
				t.Errorf("client-go's limiter took %v, predicted were %v", measured, predicted)
			}
		})
	}
}

func TestWithoutALimiterThereIsNoFloor(t *testing.T) {
	if got := Spread(1e6, clusters.Limits{KubeAPIQPS: -1}); got != 0 {
		t.Errorf("predicted %v", got)
	}
}
