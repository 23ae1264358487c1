package station

import (
	"time"

	"github.com/podburst/podburst/clusters"
)

// Spread is what a token bucket's arithmetic predicts: the time from the first
// to the last of so many requests when all are wanted at once and the bucket is
// full, (requests - burst) / QPS, and 0 where the bucket holds them all. No
// component can be faster; one that is only held up by its limiter takes just
// this long. 0 without a limiter.
//
// client-go's limiter (k8s.io/client-go/util/flowcontrol) is such a bucket:
// full when made, one token a request, refilled evenly at QPS, waits in the
// order of asking.
func Spread(requests int, limits clusters.Limits) time.Duration {
	if limits.KubeAPIQPS <= 0 || requests <= limits.KubeAPIBurst {
		return 0
	}
	return seconds(float64(requests-limits.KubeAPIBurst) / limits.KubeAPIQPS)
}

// replay sends requests through a bucket, full at first, at the times at which
// they were received, and tells for how long the bucket was what the next request
// waited for, and how many requests it held up. ok is false when more passed than
// the limiter lets through, so that it was not theirs.
type replay struct {
	held   time.Duration
	waited int
	ok     bool
}

// jitter is how much later a request may be received than its limiter let it
// go, against its neighbors, on a busy machine.
const jitter = 25 * time.Millisecond

// overrun is how many tokens of debt are more than jitter explains.
const overrun = 10

func replayed(at []time.Time, limits clusters.Limits) replay {
	r := replay{ok: true}
	if limits.KubeAPIQPS <= 0 {
		return r
	}
	slack := max(1, limits.KubeAPIQPS*jitter.Seconds())
	full := float64(limits.KubeAPIBurst)
	tokens := full
	for i, t := range at {
		if i > 0 {
			gap := t.Sub(at[i-1])
			tokens = min(full, tokens+gap.Seconds()*limits.KubeAPIQPS)
			// A request that comes just as the bucket has its token has waited for it.
			if tokens < 1+slack {
				r.held += gap
				r.waited++
			}
		}
		tokens--
		r.ok = r.ok && tokens > -overrun-2*slack
	}
	return r
}
