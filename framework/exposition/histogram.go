package exposition

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Histogram is cumulative, as exposed: Buckets[bound] counts the samples that are at
// most bound. The zero Histogram has no samples.
type Histogram struct {
	Count, Sum float64
	Buckets    map[float64]float64
}

// ErrFell says that a counter is lower than before: another process answers.
var ErrFell = errors.New("the metric fell: another process answers")

// Since is what was added after an earlier reading of the same histogram.
func (h Histogram) Since(before Histogram) (Histogram, error) {
	d := Histogram{Count: h.Count - before.Count, Sum: max(0, h.Sum-before.Sum), Buckets: make(map[float64]float64, len(h.Buckets))}
	if d.Count < 0 || h.Sum-before.Sum < -1e-9 {
		return Histogram{}, ErrFell
	}
	for bound, n := range h.Buckets {
		d.Buckets[bound] = n - before.Buckets[bound]
	}
	return d, nil
}

// Bounds are the buckets' upper bounds, ascending; the last is usually infinite.
func (h Histogram) Bounds() []float64 {
	bounds := make([]float64, 0, len(h.Buckets))
	for bound := range h.Buckets {
		bounds = append(bounds, bound)
	}
	slices.Sort(bounds)
	return bounds
}

// Quantile bounds the q-quantile by nearest rank: it is above low and at most high.
// high is infinite if the quantile is beyond the last finite bound; ok is false
// without samples.
func (h Histogram) Quantile(q float64) (low, high float64, ok bool) {
	if !(h.Count > 0) || !(q >= 0 && q <= 1) {
		return 0, 0, false
	}
	rank := max(1, math.Ceil(q*h.Count))
	for _, bound := range h.Bounds() {
		if h.Buckets[bound] >= rank {
			return low, bound, true
		}
		low = bound
	}
	return low, math.Inf(1), true
}

// Longest bounds the largest sample from above: by the bound of the highest bucket
// that has one, and by the sum, which is all that is known beyond the last finite
// bound.
func (h Histogram) Longest() float64 {
	longest, below := 0.0, 0.0
	for _, bound := range h.Bounds() {
		if h.Buckets[bound] > below {
			longest, below = bound, h.Buckets[bound]
		}
	}
	return min(longest, h.Sum)
}

func (h Histogram) check(name string) error {
	if !finite(h.Sum) || h.Sum < 0 {
		return fmt.Errorf("parse metrics: %s_sum is %v", name, h.Sum)
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
