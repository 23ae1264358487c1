// Package throttle says what the components' client-side limiters did during a
// burst: how many requests passed them, how long these waited, and how long the
// limiter had to take at least. It is a pure function of a recording.
//
// The waits are those of client-go's histogram
// rest_client_rate_limiter_duration_seconds, which is one per process: where a
// process has several limiters (one for each controller of
// kube-controller-manager, one for the kubelet's events) their waits are summed up.
package throttle

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
)

// Regime is how a limiter behaved.
type Regime string

// The regimes, by the waits of a burst's requests. A wait of at most 5 ms (the
// histogram's first bucket) is none.
const (
	// Idle: no request waited.
	Idle Regime = "idle"
	// Bursty: fewer than half the requests waited, none long: the bucket took in most.
	Bursty Regime = "bursty"
	// Pacing: at least half the requests waited, none long: requests come one
	// after the other, each as the bucket refills. Such waits look harmless and
	// cap the rate all the same.
	Pacing Regime = "pacing"
	// Queueing: a request waited longer than ten refills of one token (10/QPS;
	// 0.5 s where the limits are not known), so requests queued behind each other.
	Queueing Regime = "queueing"
)

// The thresholds of the regimes.
const (
	atOnce           = 5 * time.Millisecond
	longRefills      = 10
	longUnknownLimit = 500 * time.Millisecond
)

// Limiter is one process's limiters during a burst.
type Limiter struct {
	// Instance is the process as clusters.Instance.String names it.
	Instance string
	// Requests passed the limiters; Waited of them waited longer than 5 ms.
	Requests, Waited int
	// Wait is the sum of all waits: requests wait side by side, so it may
	// exceed the burst. MaxWait bounds the longest from above, as exactly as
	// the histogram's buckets tell.
	Wait, MaxWait time.Duration
	// Floor is the least time in which the limiter lets the burst's
	// indispensable requests through, (requests - burst) / QPS: a creation for
	// each pod (kube-controller-manager), a binding (kube-scheduler), or a GET
	// and a PATCH for each status write (a kubelet; one write for each of its
	// pods where the audit log tells no better). 0 where the limits are not
	// known or the bucket holds them all.
	Floor  time.Duration
	Regime Regime
}

// Attribute lists the limiters of every process whose metrics were recorded
// before and after the burst, by name. Processes without the metric, or whose
// metrics cannot be compared, are left out.
func Attribute(b recording.Burst, t timeline.Timeline, effective clusters.Effective) []Limiter {
	var limiters []Limiter
	for _, instance := range slices.Sorted(maps.Keys(b.Metrics)) {
		pair := b.Metrics[instance]
		w, err := between(pair.Before, pair.After)
		if err != nil {
			continue
		}
		limits, known := effective[instance]
		l := Limiter{Instance: instance, Requests: w.requests, Waited: w.waited, Wait: w.sum, MaxWait: w.longest}
		l.Regime = regime(w, limits, known)
		if known {
			l.Floor = floor(indispensable(b, t, instance), limits)
		}
		limiters = append(limiters, l)
	}
	return limiters
}

func regime(w waits, limits clusters.Limits, known bool) Regime {
	long := longUnknownLimit
	if known && limits.KubeAPIQPS > 0 {
		long = seconds(longRefills / limits.KubeAPIQPS)
	}
	switch {
	case w.waited == 0:
		return Idle
	case w.longest > long:
		return Queueing
	case 2*w.waited >= w.requests:
		return Pacing
	}
	return Bursty
}

func floor(requests int, limits clusters.Limits) time.Duration {
	if limits.KubeAPIQPS <= 0 || requests <= limits.KubeAPIBurst {
		return 0
	}
	return seconds(float64(requests-limits.KubeAPIBurst) / limits.KubeAPIQPS)
}

// indispensable counts the requests without which the burst's pods cannot be ready.
func indispensable(b recording.Burst, t timeline.Timeline, instance string) int {
	switch {
	case instance == string(clusters.KubeControllerManager), instance == string(clusters.KubeScheduler):
		return b.Pods
	case !strings.HasPrefix(instance, string(clusters.Kubelet)):
		return 0
	}
	nodeOf := map[string]bool{}
	pods := 0
	for i := range t.Pods {
		if p := &t.Pods[i]; instance == (clusters.Instance{Component: clusters.Kubelet, Node: p.Node}).String() {
			nodeOf[p.UID] = true
			pods++
		}
	}
	writes := 0
	for i := range b.Audit {
		if e := &b.Audit[i]; e.Resource == "pods" && e.Subresource == "status" && nodeOf[e.UID] {
			writes++
		}
	}
	const getAndPatch = 2
	return getAndPatch * max(pods, writes)
}
