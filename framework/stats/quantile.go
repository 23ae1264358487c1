package stats

import "math"

// Quantile returns the q-quantile of samples sorted in ascending order, by nearest rank:
// the smallest sample such that at least the share q of all samples is at or below it. It
// is always a measured sample (R's type 1; q = 0 gives the smallest). ok is false without
// samples and for q outside [0, 1].
func Quantile(sorted []float64, q float64) (value float64, ok bool) {
	if len(sorted) == 0 || !(q >= 0 && q <= 1) {
		return 0, false
	}
	return sorted[Rank(len(sorted), q)-1], true
}

// Rank is ceil(q·n), at least 1: the nearest rank of the q-quantile of n samples, counted
// from 1.
func Rank(n int, q float64) int {
	exact := q * float64(n)
	// 0.07 · 100 is 7.000000000000001 in floating point, but its rank is 7.
	if whole := math.Round(exact); math.Abs(exact-whole) < 1e-9*max(1, whole) {
		exact = whole
	}
	return min(max(int(math.Ceil(exact)), 1), n)
}
