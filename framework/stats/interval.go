package stats

import "math"

// Interval is a confidence interval for a quantile whose ends are two of the samples.
type Interval struct {
	// Low and High are samples, in the samples' unit.
	Low, High float64
	// LowRank and HighRank are their ranks, from 1.
	LowRank, HighRank int
	// Coverage is the exact probability that such an interval holds the true quantile if
	// samples are independent and continuous. It is at least the requested confidence; ties
	// only raise it.
	Coverage float64
}

// QuantileInterval returns the equal-tailed confidence interval for the q-quantile between
// two order statistics of samples sorted in ascending order. It assumes nothing about their
// distribution: the number of samples below the true quantile is binomial (Hahn and Meeker,
// Statistical Intervals, §5.2). It does assume independence. Pods of one burst are not
// independent, so their interval is too narrow; compare bursts instead.
//
// ok is false where n is too small for any two samples to enclose the quantile with this
// confidence (see MinSamples), and for q or confidence outside (0, 1).
func QuantileInterval(sorted []float64, q, confidence float64) (interval Interval, ok bool) {
	n := len(sorted)
	if !inside(q) || !inside(confidence) || n < MinSamples(q, confidence) {
		return Interval{}, false
	}
	tail := (1 - confidence) / 2
	chance := binomial(n, q)
	// The interval misses at low rank l when fewer than l samples lie below the quantile.
	// Take the largest l for which that is unlikely enough.
	low, below := 0, 0.0
	for low < n && below+chance[low] <= tail {
		below += chance[low]
		low++
	}
	// It misses at high rank u when u or more lie below. Take the smallest such u.
	high, above := n+1, 0.0
	for high > 1 && above+chance[high-1] <= tail {
		above += chance[high-1]
		high--
	}
	if low < 1 || high > n || low >= high {
		return Interval{}, false
	}
	return Interval{
		Low: sorted[low-1], High: sorted[high-1],
		LowRank: low, HighRank: high, Coverage: 1 - below - above,
	}, true
}

// MinSamples is the smallest number of samples for which QuantileInterval exists, so that
// all of them lie on the same side of the quantile rarely enough: 6 for a median at 95 %,
// 368 for a p99. It is math.MaxInt for q or confidence outside (0, 1).
func MinSamples(q, confidence float64) int {
	if !inside(q) || !inside(confidence) {
		return math.MaxInt
	}
	tail := (1 - confidence) / 2
	n := math.Ceil(math.Log(tail) / math.Log(max(q, 1-q)))
	if !(n < math.MaxInt32) {
		return math.MaxInt
	}
	return max(int(n), 2)
}

func inside(p float64) bool { return p > 0 && p < 1 }

// binomial returns the probabilities of 0 to n successes in n trials. It uses logarithms
// because factorials overflow from n = 171 on.
func binomial(n int, p float64) []float64 {
	logFactorial := func(k int) float64 {
		value, _ := math.Lgamma(float64(k) + 1)
		return value
	}
	all := logFactorial(n)
	chance := make([]float64, n+1)
	for k := range chance {
		chance[k] = math.Exp(all - logFactorial(k) - logFactorial(n-k) +
			float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	return chance
}
