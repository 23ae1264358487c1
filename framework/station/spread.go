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
	return toDuration(float64(requests-limits.KubeAPIBurst) / limits.KubeAPIQPS)
}
