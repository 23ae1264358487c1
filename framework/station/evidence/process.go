package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
)

// Process is what one component's process exposed before and after a burst.
type Process struct {
	// Instance is the process as clusters.Instance.String names it.
	Instance string
	pair     recording.MetricsPair
	err      error
}

// The metrics that every component has (Prometheus' process collector).
const (
	startTime  = "process_start_time_seconds"
	cpuSeconds = "process_cpu_seconds_total"
)

// ProcessOf finds the process of that name in the burst.
func ProcessOf(b *recording.Burst, instance string) Process {
	p := Process{Instance: instance}
	pair, recorded := b.Metrics[instance]
	switch {
	case b.MetricsErrors[instance] != "":
		p.err = fmt.Errorf("%w: %s", ErrUnreadable, b.MetricsErrors[instance])
	case !recorded && b.MetricsUnavailable[instance] != "":
		p.err = fmt.Errorf("%w: %s", ErrUnavailable, b.MetricsUnavailable[instance])
	case !recorded:
		p.err = fmt.Errorf("%w: no metrics of %s", ErrNotRecorded, instance)
	case len(pair.After) == 0:
		p.err = fmt.Errorf("%w: nothing was read after the burst", ErrUnreadable)
	case len(pair.Before) == 0:
		p.err = fmt.Errorf("%w: nothing was read before the burst", ErrUnreadable)
	case restarted(b, instance):
		p.err = ErrRestarted
	default:
		p.pair, p.err = pair, same(pair)
	}
	return p
}

// restarted tells whether the recorder saw another process of the component.
func restarted(b *recording.Burst, instance string) bool {
	return slices.ContainsFunc(b.Problems, func(p recording.Problem) bool {
		return (p.Code == recording.ProblemComponentRestarted || p.Code == recording.ProblemComponentExited) &&
			strings.HasPrefix(p.Detail, instance+":")
	})
}

// same checks that one process answered both times. Where neither exposition tells
// its start, a counter that fell is what gives a restart away.
func same(pair recording.MetricsPair) error {
	before, errBefore := exposition.Values(pair.Before, startTime, "")
	after, errAfter := exposition.Values(pair.After, startTime, "")
	switch {
	case errors.Is(errBefore, exposition.ErrNoMetric) && errors.Is(errAfter, exposition.ErrNoMetric):
		return nil
	case errBefore != nil || errAfter != nil:
		return because(startTime, errors.Join(errBefore, errAfter))
	case before[""] != after[""]:
		return ErrRestarted
	}
	return nil
}

// Err is nil if the process can be asked at all.
func (p Process) Err() error { return p.err }

// Histogram is by how much the histogram rose during the burst, over the series that
// have all of where.
func (p Process) Histogram(name string, where ...exposition.Label) (exposition.Histogram, error) {
	rose, err := p.Histograms(name, "", where...)
	return rose[""], err
}

// Histograms is Histogram for each value of label.
func (p Process) Histograms(name, label string, where ...exposition.Label) (map[string]exposition.Histogram, error) {
	if p.err != nil {
		return nil, p.err
	}
	rose, err := exposition.Rise(p.pair.Before, p.pair.After, name, label, where...)
	if err != nil {
		return nil, because(name, err)
	}
	return rose, nil
}

// HistogramsBy is Histograms for each key of the series for which key reports true.
func HistogramsBy[K comparable](p Process, name string, key func(exposition.Series) (K, bool)) (map[K]exposition.Histogram, error) {
	if p.err != nil {
		return nil, p.err
	}
	rose, err := exposition.RiseBy(p.pair.Before, p.pair.After, name, key)
	if err != nil {
		return nil, because(name, err)
	}
	return rose, nil
}

// Counter is by how much the counter rose.
func (p Process) Counter(name string, where ...exposition.Label) (float64, error) {
	if p.err != nil {
		return 0, p.err
	}
	rose, err := exposition.CounterRise(p.pair.Before, p.pair.After, name, "", where...)
	if err != nil {
		return 0, because(name, err)
	}
	if rose[""] > maxCount || math.IsNaN(rose[""]) {
		return 0, fmt.Errorf("%w: %s rose by %g", ErrTorn, name, rose[""])
	}
	return rose[""], nil
}

// CPUSeconds is the processor time that the process used.
func (p Process) CPUSeconds() (float64, error) {
	if err := p.Counted(cpuSeconds); err != nil {
		return 0, err
	}
	return p.Counter(cpuSeconds)
}

// samplesOf tells whether the exposition has samples of the metric.
func samplesOf(text []byte, name string) bool {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(name)); ok && len(rest) > 0 && (rest[0] == '{' || rest[0] == ' ' || rest[0] == '_') {
			return true
		}
	}
	return false
}

// Counted is nil if the metric was there before the burst: one of which the process had
// counted something by then, so that its absence is a gap and no zero.
func (p Process) Counted(name string) error {
	if p.err != nil {
		return p.err
	}
	if !samplesOf(p.pair.Before, name) && samplesOf(p.pair.After, name) {
		return fmt.Errorf("%w: %s is in the metrics after the burst only", ErrTorn, name)
	}
	return nil
}

// maxCount is more than anything counts up during a burst.
const maxCount = 1e12

// Gauge is the metric's value after the burst for each value of label; nil where it is not
// known.
func (p Process) Gauge(name, label string) map[string]float64 {
	if p.err != nil {
		return nil
	}
	values, err := exposition.Values(p.pair.After, name, label)
	if err != nil {
		return nil
	}
	return values
}
