package station

import (
	"time"

	"github.com/podburst/podburst/clusters"
)

// Regime is how a limiter behaved.
type Regime string

// The regimes, by the waits of a burst's requests. A wait of at most 5 ms (the
// histogram's first bucket) is none. Where the audit log tells how many requests
// passed the limiter that did the burst's work, shares are of these, else of all
// that the process sent.
const (
	// Idle: no request waited.
	Idle Regime = "idle"
	// Bursty: fewer than half the requests waited, none long: the bucket took in most.
	Bursty Regime = "bursty"
	// Pacing: at least half the requests waited, none long: requests come one
	// after the other, each as the bucket refills. Such waits look harmless and
	// cap the rate all the same.
	Pacing Regime = "pacing"
	// Queueing: a request certainly waited longer than ten refills of one token (10/QPS;
	// 0.5 s where the limits are not known), so requests queued behind each other.
	Queueing Regime = "queueing"
)

// The thresholds of the regimes.
const (
	atOnce           = 5 * time.Millisecond
	longRefills      = 10
	longUnknownLimit = 500 * time.Millisecond
)

func regime(w waits, limits clusters.Limits, known bool) Regime {
	long := longUnknownLimit
	if known && limits.KubeAPIQPS > 0 {
		long = seconds(longRefills / limits.KubeAPIQPS)
	}
	switch {
	case w.waited == 0:
		return Idle
	case w.atLeast >= long:
		return Queueing
	case 2*w.waited >= w.requests:
		return Pacing
	}
	return Bursty
}
