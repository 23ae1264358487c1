package exposition

import (
	"errors"
	"fmt"
	"math"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// ErrTorn says that a histogram's numbers contradict each other.
var ErrTorn = errors.New("the metric's numbers contradict each other")

// Rise is how much the histogram name rose between two expositions of one process,
// summed for each value of label over the series that have all of the labels in
// where. A series that the first exposition does not have began at 0.
//
// It compares series by series and bucket by bucket, since a sum over series can hide
// that one of them fell: ErrFell. ErrTorn is for a rise that no samples can produce:
// a bucket with more than the next one, or a sum below what the buckets require.
func Rise(before, after []byte, name, label string, where ...Label) (map[string]Histogram, error) {
	return RiseBy(before, after, name, func(series Series) (string, bool) {
		return value(series.metric, label), has(series.metric, where)
	})
}

// Series is one series of a metric, as a key of RiseBy sees it.
type Series struct{ metric *dto.Metric }

// Label is the value of the label of that name; empty if the series does not have it.
func (s Series) Label(name string) string { return value(s.metric, name) }

// RiseBy is Rise, summed for each key over the series for which key reports true.
func RiseBy[K comparable](before, after []byte, name string, key func(Series) (K, bool)) (map[K]Histogram, error) {
	first, err := family(before, name, dto.MetricType_HISTOGRAM)
	if err != nil && !errors.Is(err, ErrNoMetric) {
		return nil, fmt.Errorf("before: %w", err)
	}
	second, err := family(after, name, dto.MetricType_HISTOGRAM)
	if err != nil {
		return nil, fmt.Errorf("after: %w", err)
	}
	earlier := map[string]*dto.Metric{}
	for _, m := range first.GetMetric() {
		if _, ok := key(Series{m}); ok {
			earlier[series(m)] = m
		}
	}
	rose := map[K]Histogram{}
	for _, m := range second.GetMetric() {
		k, ok := key(Series{m})
		if !ok {
			continue
		}
		id := series(m)
		one, err := histogramOf(m).Since(histogramOf(earlier[id]))
		if err == nil {
			err = one.consistent()
		}
		if err != nil {
			return nil, fmt.Errorf("%s{%s}: %w", name, id, err)
		}
		delete(earlier, id)
		rose[k] = rose[k].Plus(one)
	}
	for id := range earlier {
		return nil, fmt.Errorf("%s{%s} is gone: %w", name, id, ErrFell)
	}
	return rose, nil
}

// CounterRise is Rise for a counter.
func CounterRise(before, after []byte, name, label string, where ...Label) (map[string]float64, error) {
	first, err := family(before, name, dto.MetricType_COUNTER)
	if err != nil && !errors.Is(err, ErrNoMetric) {
		return nil, fmt.Errorf("before: %w", err)
	}
	second, err := family(after, name, dto.MetricType_COUNTER)
	if err != nil {
		return nil, fmt.Errorf("after: %w", err)
	}
	earlier := map[string]float64{}
	for _, m := range first.GetMetric() {
		if has(m, where) {
			earlier[series(m)] = m.GetCounter().GetValue()
		}
	}
	rose := map[string]float64{}
	for _, m := range second.GetMetric() {
		if !has(m, where) {
			continue
		}
		key := series(m)
		d := m.GetCounter().GetValue() - earlier[key]
		if !finite(d) || d < 0 {
			return nil, fmt.Errorf("%s{%s}: %w", name, key, ErrFell)
		}
		delete(earlier, key)
		rose[value(m, label)] += d
	}
	for key := range earlier {
		return nil, fmt.Errorf("%s{%s} is gone: %w", name, key, ErrFell)
	}
	return rose, nil
}

// series names a series by its labels, which the parser keeps sorted.
func series(m *dto.Metric) string {
	var key strings.Builder
	for _, pair := range m.GetLabel() {
		fmt.Fprintf(&key, "%s=%q,", pair.GetName(), pair.GetValue())
	}
	return strings.TrimSuffix(key.String(), ",")
}

// histogramOf is the histogram of one series; nil gives one without samples.
func histogramOf(m *dto.Metric) Histogram {
	one := m.GetHistogram()
	h := Histogram{Count: float64(one.GetSampleCount()), Sum: one.GetSampleSum(), Buckets: map[float64]float64{}}
	for _, b := range one.GetBucket() {
		h.Buckets[b.GetUpperBound()] = float64(b.GetCumulativeCount())
	}
	return h
}

// Plus is the histogram of the samples of both.
func (h Histogram) Plus(o Histogram) Histogram {
	sum := Histogram{Count: h.Count + o.Count, Sum: h.Sum + o.Sum, Buckets: make(map[float64]float64, len(o.Buckets))}
	for bound, n := range h.Buckets {
		sum.Buckets[bound] = n
	}
	for bound, n := range o.Buckets {
		sum.Buckets[bound] += n
	}
	return sum
}

// consistent tells whether samples can produce the histogram: every bucket holds at
// least as many as the one below it and at most Count, and Sum is at least what the
// samples above each bound require. Sums of floats lose digits, so a millionth is
// allowed.
func (h Histogram) consistent() error {
	if !finite(h.Sum) || h.Sum < 0 || h.Count < 0 {
		return ErrTorn
	}
	below, last, least := 0.0, 0.0, 0.0
	for _, bound := range h.Bounds() {
		n := h.Buckets[bound]
		switch {
		case n < 0:
			return ErrFell
		case n < below || n > h.Count:
			return ErrTorn
		}
		least += (n - below) * max(0, last)
		below, last = n, bound
	}
	if math.IsInf(last, 1) && below != h.Count {
		return ErrTorn // the last bucket holds all there are
	}
	if n := h.Count - below; n > 0 { // beyond the last bound
		least += n * max(0, last)
	}
	if least > h.Sum*(1+1e-6)+1e-6 {
		return ErrTorn
	}
	return nil
}
