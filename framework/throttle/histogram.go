package throttle

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// metric is client-go's: how long each request waited in the client's limiter.
const metric = "rest_client_rate_limiter_duration_seconds"

// waits is what a process's limiters did between two expositions.
type waits struct {
	requests int
	// waited are the requests that did not pass at once.
	waited int
	sum    time.Duration
	// longest is an upper bound of the longest wait: the bound of the highest
	// bucket that grew, and no more than the sum. Beyond the last finite
	// bound it is that bound, and then a lower one.
	longest time.Duration
}

// errNoMetric: the exposition has no limiter's histogram (a client without a
// limiter, or a component that does not register it).
var errNoMetric = errors.New("no metric " + metric)

// between reads both expositions. The histogram has a label for each verb and
// host; all are summed up, for they share the process.
func between(before, after []byte) (waits, error) {
	first, err := parse(before)
	if err != nil && !errors.Is(err, errNoMetric) { // a process that made no request yet has none
		return waits{}, fmt.Errorf("before the burst: %w", err)
	}
	second, err := parse(after)
	if err != nil {
		return waits{}, fmt.Errorf("after the burst: %w", err)
	}
	var w waits
	requests, sum := second.count-first.count, second.sum-first.sum
	if requests < 0 || sum < -1e-9 {
		return waits{}, errors.New("the metric fell: another process answers")
	}
	if requests > maxRequests {
		return waits{}, fmt.Errorf("the metric rose by %g requests", requests)
	}
	w.requests, w.sum = int(requests), seconds(max(0, sum))
	finite := 0.0
	bounds := make([]float64, 0, len(second.buckets))
	for bound := range second.buckets {
		bounds = append(bounds, bound)
	}
	slices.Sort(bounds)
	below := 0.0
	for i, bound := range bounds {
		if !math.IsInf(bound, 1) {
			finite = bound
		}
		upTo := second.buckets[bound] - first.buckets[bound]
		if upTo > below {
			w.longest = seconds(finite)
			below = upTo
		}
		if i == 0 || bound <= atOnce.Seconds() {
			w.waited = int(requests - upTo)
		}
	}
	w.longest = min(w.longest, w.sum)
	return w, nil
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

// histogram is cumulative by upper bound, as exposed.
type histogram struct {
	count, sum float64
	buckets    map[float64]float64
}

func parse(exposition []byte) (histogram, error) {
	// Only the metric's own lines: an exposition has thousands of others.
	var own bytes.Buffer
	for line := range bytes.Lines(exposition) {
		if bytes.HasPrefix(line, []byte(metric)) || bytes.HasPrefix(line, []byte("# TYPE "+metric+" ")) {
			own.Write(line)
		}
	}
	h := histogram{buckets: map[float64]float64{}}
	if own.Len() == 0 {
		return h, errNoMetric
	}
	if !bytes.HasSuffix(own.Bytes(), []byte("\n")) {
		own.WriteByte('\n')
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&own)
	if err != nil {
		return h, fmt.Errorf("parse metrics: %w", err)
	}
	family := families[metric]
	if family == nil || family.GetType() != dto.MetricType_HISTOGRAM {
		return h, errNoMetric
	}
	for _, m := range family.GetMetric() {
		one := m.GetHistogram()
		h.count += float64(one.GetSampleCount())
		h.sum += one.GetSampleSum()
		for _, b := range one.GetBucket() {
			h.buckets[b.GetUpperBound()] += float64(b.GetCumulativeCount())
		}
	}
	if math.IsNaN(h.sum) || math.IsInf(h.sum, 0) || h.sum < 0 {
		return h, fmt.Errorf("parse metrics: %s_sum is %v", metric, h.sum)
	}
	return h, nil
}
