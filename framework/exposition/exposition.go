// Package exposition reads the few metrics that explain a burst from a Prometheus
// text exposition: sums over label values, differences between two expositions, and
// quantiles bounded by a histogram's buckets. It knows no metric's name; the packages
// that use a metric name it.
package exposition

import (
	"bytes"
	"errors"
	"fmt"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// ErrNoMetric says that the exposition does not have the metric, or has it with
// another type.
var ErrNoMetric = errors.New("no such metric")

// Label is a label's name and value.
type Label struct{ Name, Value string }

// Histograms returns the histogram name, summed for each value of label over the
// series that have all of the labels in where. An empty label sums over all.
func Histograms(text []byte, name, label string, where ...Label) (map[string]Histogram, error) {
	found, err := family(text, name, dto.MetricType_HISTOGRAM)
	if err != nil {
		return nil, err
	}
	sums := map[string]Histogram{}
	for _, m := range found.GetMetric() {
		if !has(m, where) {
			continue
		}
		key := value(m, label)
		h, known := sums[key]
		if !known {
			h.Buckets = map[float64]float64{}
		}
		one := m.GetHistogram()
		h.Count += float64(one.GetSampleCount())
		h.Sum += one.GetSampleSum()
		for _, b := range one.GetBucket() {
			h.Buckets[b.GetUpperBound()] += float64(b.GetCumulativeCount())
		}
		sums[key] = h
	}
	for _, h := range sums {
		if err := h.check(name); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// Values returns the counter or gauge name, summed for each value of label over the
// series that have all of the labels in where.
func Values(text []byte, name, label string, where ...Label) (map[string]float64, error) {
	found, err := family(text, name, dto.MetricType_COUNTER, dto.MetricType_GAUGE)
	if err != nil {
		return nil, err
	}
	sums := map[string]float64{}
	for _, m := range found.GetMetric() {
		if !has(m, where) {
			continue
		}
		if found.GetType() == dto.MetricType_COUNTER {
			sums[value(m, label)] += m.GetCounter().GetValue()
		} else {
			sums[value(m, label)] += m.GetGauge().GetValue()
		}
	}
	for _, v := range sums {
		if !finite(v) {
			return nil, fmt.Errorf("parse metrics: %s is %v", name, v)
		}
	}
	return sums, nil
}

func has(m *dto.Metric, where []Label) bool {
	for _, w := range where {
		if value(m, w.Name) != w.Value {
			return false
		}
	}
	return true
}

func value(m *dto.Metric, label string) string {
	for _, pair := range m.GetLabel() {
		if label != "" && pair.GetName() == label {
			return pair.GetValue()
		}
	}
	return ""
}

// family parses only the metric's own lines: an exposition has thousands of others.
func family(text []byte, name string, types ...dto.MetricType) (*dto.MetricFamily, error) {
	var own bytes.Buffer
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(name)) || bytes.HasPrefix(line, []byte("# TYPE "+name+" ")) {
			own.Write(line)
		}
	}
	if own.Len() == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoMetric, name)
	}
	if !bytes.HasSuffix(own.Bytes(), []byte("\n")) {
		own.WriteByte('\n')
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&own)
	if err != nil {
		return nil, fmt.Errorf("parse metrics: %w", err)
	}
	found := families[name]
	for _, t := range types {
		if found != nil && found.GetType() == t {
			return found, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrNoMetric, name)
}
