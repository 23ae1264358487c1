package station

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/station/evidence"
)

// metric is client-go's: how long each request waited in the client's limiter.
const metric = "rest_client_rate_limiter_duration_seconds"

// waits is what a process's limiters did between two expositions.
type waits struct {
	requests int
	// waited are the requests that did not pass at once.
	waited int
	sum    time.Duration
	// atLeast and longest bound the longest wait.
	atLeast, longest time.Duration
}

// between reads both expositions. The histogram has a label for each verb and
// host; all are summed up, for they share the process.
func between(before, after []byte) (waits, error) {
	rose, err := rise(before, after, metric, "")
	if err != nil {
		return waits{}, err
	}
	h := rose[""]
	if h.Count > maxRequests {
		return waits{}, fmt.Errorf("the metric rose by %g requests", h.Count)
	}
	bounds, err := evidence.WaitsOf(h)
	if err != nil {
		return waits{}, err
	}
	low, high := bounds.Longest()
	return waits{
		requests: int(h.Count), waited: int(h.Above(atOnce.Seconds())),
		sum: seconds(h.Sum), atLeast: seconds(low), longest: seconds(high),
	}, nil
}

// rise is by how much a histogram rose between two expositions, for each value
// of label. What the first does not have began at 0.
func rise(before, after []byte, name, label string) (map[string]exposition.Histogram, error) {
	first, err := exposition.Histograms(before, name, label)
	if err != nil && !errors.Is(err, exposition.ErrNoMetric) { // a process that made no request yet has none
		return nil, fmt.Errorf("before the burst: %w", err)
	}
	second, err := exposition.Histograms(after, name, label)
	if err != nil {
		return nil, fmt.Errorf("after the burst: %w", err)
	}
	rose := make(map[string]exposition.Histogram, len(second))
	for key, h := range second {
		if rose[key], err = h.Since(first[key]); err != nil {
			return nil, err
		}
	}
	return rose, nil
}

// maxRequests is more than any process sends during a burst.
const maxRequests = 1e12

// seconds is s as a Duration, at most the longest one: a file may say anything.
func seconds(s float64) time.Duration {
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(s * float64(time.Second))
}
