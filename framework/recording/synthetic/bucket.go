package synthetic

import (
	"fmt"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

// bucket is a client-side limiter: each request takes a token or waits for one.
type bucket struct {
	limits clusters.Limits
	tokens float64
	at     time.Time
	waits  []time.Duration
}

func newBucket(limits clusters.Limits, start time.Time) *bucket {
	return &bucket{limits: limits, tokens: float64(limits.KubeAPIBurst), at: start}
}

// take returns when a request that is due at t may be sent.
func (b *bucket) take(t time.Time) time.Time {
	if b.limits.KubeAPIQPS <= 0 {
		b.waits = append(b.waits, 0)
		return t
	}
	if t.After(b.at) {
		b.tokens = min(float64(b.limits.KubeAPIBurst), b.tokens+t.Sub(b.at).Seconds()*b.limits.KubeAPIQPS)
		b.at = t
	}
	// A negative count is the debt of waiting requests.
	b.tokens--
	wait := time.Duration(0)
	if b.tokens < 0 {
		wait = time.Duration(-b.tokens / b.limits.KubeAPIQPS * float64(time.Second))
	}
	sent := b.at.Add(wait)
	b.waits = append(b.waits, sent.Sub(t))
	return sent
}

// bounds are the upper bounds, in seconds, of client-go's histogram.
var bounds = []float64{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60}

// exposition is the limiter's histogram before and after, with a few requests
// from before the burst.
func (b *bucket) exposition(verb string) recording.MetricsPair {
	const earlier = 7
	before := make([]time.Duration, earlier)
	return recording.MetricsPair{
		Before: histogram(verb, before),
		After:  histogram(verb, append(before, b.waits...)),
	}
}

func histogram(verb string, waits []time.Duration) []byte {
	const name = "rest_client_rate_limiter_duration_seconds"
	labels := fmt.Sprintf(`host="127.0.0.1:6443",verb=%q`, verb)
	var out strings.Builder
	fmt.Fprintf(&out, "# HELP %s Client side rate limiter latency in seconds.\n# TYPE %s histogram\n", name, name)
	var sum float64
	counts := make([]int, len(bounds))
	for _, w := range waits {
		sum += w.Seconds()
		for i, bound := range bounds {
			if w.Seconds() <= bound {
				counts[i]++
			}
		}
	}
	for i, bound := range bounds {
		fmt.Fprintf(&out, "%s_bucket{%s,le=\"%g\"} %d\n", name, labels, bound, counts[i])
	}
	fmt.Fprintf(&out, "%s_bucket{%s,le=\"+Inf\"} %d\n", name, labels, len(waits))
	fmt.Fprintf(&out, "%s_sum{%s} %g\n%s_count{%s} %d\n", name, labels, sum, name, labels, len(waits))
	return []byte(out.String())
}
