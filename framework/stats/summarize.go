package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/internal/nearest"
)

// Summarize describes samples, in any order; missing is how many more samples there should
// have been. Without samples it returns a Summary of zeros with Count 0, and Get returns an
// error. A NaN, an infinity or a negative missing is an error: skipping such a sample would
// make the rest look complete.
func Summarize(samples []float64, missing int) (Summary, error) {
	if missing < 0 {
		return Summary{}, fmt.Errorf("summarize: %d missing samples", missing)
	}
	for i, sample := range samples {
		if math.IsNaN(sample) || math.IsInf(sample, 0) {
			return Summary{}, fmt.Errorf("summarize: sample %d of %d is %v", i+1, len(samples), sample)
		}
	}
	summary := Summary{Count: len(samples), Missing: missing}
	if len(samples) == 0 {
		return summary, nil
	}
	sorted := slices.Sorted(slices.Values(samples))
	summary.Min, summary.Max = sorted[0], sorted[len(sorted)-1]
	summary.Mean = mean(sorted)
	summary.P50 = sorted[Rank(len(sorted), 0.50)-1]
	summary.P90 = sorted[Rank(len(sorted), 0.90)-1]
	summary.P95 = sorted[Rank(len(sorted), 0.95)-1]
	summary.P99 = sorted[Rank(len(sorted), 0.99)-1]
	return summary, nil
}

// mean returns the mean of sorted finite samples. Rounding must not push it out of their
// range.
func mean(sorted []float64) float64 {
	n := float64(len(sorted))
	var sum, scaled float64
	for _, sample := range sorted {
		sum += sample
		scaled += sample / n
	}
	mean := sum / n
	if math.IsInf(sum, 0) { // the scaled sum loses digits but cannot overflow
		mean = scaled
	}
	return min(max(mean, sorted[0]), sorted[len(sorted)-1])
}

// Names lists the statistics that Get knows, spelled as in files and reports.
func Names() []string { return []string{"min", "mean", "p50", "p90", "p95", "p99", "max"} }

// Get returns the statistic of that name. An unknown name is an error that suggests the
// nearest one. A Summary without samples has no statistics, so it is an error, too.
func (s Summary) Get(stat string) (float64, error) {
	var value float64
	switch stat {
	case "min":
		value = s.Min
	case "mean":
		value = s.Mean
	case "p50":
		value = s.P50
	case "p90":
		value = s.P90
	case "p95":
		value = s.P95
	case "p99":
		value = s.P99
	case "max":
		value = s.Max
	default:
		hint := ""
		if match, ok := nearest.Match(stat, Names()); ok {
			hint = "did you mean " + match + "? "
		}
		// List the names as well: the nearest to "median" is mean, but p50 is meant.
		return 0, fmt.Errorf("unknown statistic %q: %sknown are %s", stat, hint, strings.Join(Names(), ", "))
	}
	if s.Count == 0 {
		return 0, fmt.Errorf("no samples, so no %s", stat)
	}
	return value, nil
}
