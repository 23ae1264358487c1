package apicall

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/stats"
)

// Latencies are how long the requests of one kind took. The zero value has none.
type Latencies struct {
	// Seconds are exact, in any order.
	Seconds []float64
	// Buckets are known up to bounds, of requests that are not among Seconds.
	Buckets []Bucket
	// BucketSeconds is the time of all requests in Buckets together.
	BucketSeconds float64
}

// Bucket counts requests that took more than Low and at most High seconds.
type Bucket struct {
	Low, High float64
	Count     int
}

// Interval is where a statistic lies. Low and High are equal if it is exact.
type Interval struct {
	Low, High stats.Seconds
	// Open tells that the value is above Low and not at it.
	Open bool
}

// Exact tells whether the value is known exactly.
func (i Interval) Exact() bool { return i.Low == i.High && !i.Open }

// bucketed turns a histogram into latencies. No request took longer than all together,
// so that the last bucket has an end, too.
func bucketed(h exposition.Histogram) Latencies {
	l := Latencies{BucketSeconds: h.Sum}
	low, below := 0.0, 0.0
	add := func(high, count float64) {
		if n := int(math.Round(count)); n > 0 {
			l.Buckets = append(l.Buckets, Bucket{Low: low, High: max(low, min(high, h.Sum)), Count: n})
		}
	}
	for _, bound := range h.Bounds() {
		add(bound, h.Buckets[bound]-below)
		low, below = bound, h.Buckets[bound]
	}
	add(math.Inf(1), h.Count-below)
	return l
}

// With returns the latencies of both. It leaves l alone.
func (l Latencies) With(o Latencies) Latencies {
	return Latencies{
		Seconds: slices.Concat(l.Seconds, o.Seconds), Buckets: slices.Concat(l.Buckets, o.Buckets),
		BucketSeconds: l.BucketSeconds + o.BucketSeconds,
	}
}

// Count is how many requests there were.
func (l Latencies) Count() int {
	n := len(l.Seconds)
	for _, b := range l.Buckets {
		n += b.Count
	}
	return n
}

// Stat returns where the statistic of that name (stats.Names) lies. Quantiles are by
// nearest rank: the value of that rank is between the values of that rank of all lower
// and of all upper ends.
func (l Latencies) Stat(name string) (Interval, error) {
	if len(l.Buckets) == 0 {
		summary, err := stats.Summarize(l.Seconds, 0)
		if err != nil {
			return Interval{}, err
		}
		value, err := summary.Get(name)
		return Interval{Low: stats.Seconds(value), High: stats.Seconds(value)}, err
	}
	n := l.Count()
	var rank int
	switch name {
	case "mean":
		sum := l.BucketSeconds
		for _, s := range l.Seconds {
			sum += s
		}
		mean := stats.Seconds(sum / float64(n))
		return Interval{Low: mean, High: mean}, nil
	case "min":
		rank = 1
	case "max":
		rank = n
	default:
		q, ok := quantiles[name]
		if !ok {
			_, err := stats.Summary{Count: 1}.Get(name)
			return Interval{}, err
		}
		rank = stats.Rank(n, q)
	}
	low := l.ranked(rank, func(b Bucket) float64 { return b.Low })
	high := l.ranked(rank, func(b Bucket) float64 { return b.High })
	if math.IsInf(high, 0) || math.IsNaN(low) || math.IsNaN(high) {
		return Interval{}, fmt.Errorf("the bounds of %s are %v and %v", name, low, high)
	}
	return Interval{Low: stats.Seconds(low), High: stats.Seconds(high), Open: len(l.Seconds) == 0}, nil
}

var quantiles = map[string]float64{"p50": 0.50, "p90": 0.90, "p95": 0.95, "p99": 0.99}

// ranked returns the value of that rank, counted from 1, if each request took as long as
// end says of its bucket.
func (l Latencies) ranked(rank int, end func(Bucket) float64) float64 {
	type group struct {
		seconds float64
		count   int
	}
	groups := make([]group, 0, len(l.Seconds)+len(l.Buckets))
	for _, s := range l.Seconds {
		groups = append(groups, group{s, 1})
	}
	for _, b := range l.Buckets {
		groups = append(groups, group{end(b), b.Count})
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.seconds, b.seconds) })
	for _, g := range groups {
		if rank -= g.count; rank <= 0 {
			return g.seconds
		}
	}
	return math.NaN()
}
