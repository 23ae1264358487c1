package gate

import "slices"

// tolerance is the smallest difference between logarithms that counts. A billionth is below
// every clock's resolution, and for head = 1.1·base, rounding alone may make the log ratio
// larger than log(1.1).
const tolerance = 1e-9

// shift estimates how far head is above base, from sorted elementary estimates: Walsh
// averages of paired differences, or all differences between two samples. The number of
// them at or below the true shift has a known exact distribution (Wilcoxon's signed rank,
// Mann and Whitney's U), which gives the bounds and the p-value.
//
// Ties and zeros need no other distribution. An estimate that equals the tested shift
// counts against the claim. If ties were broken at random, the count would have the exact
// distribution of data without ties; the count used here is never more favorable, so levels
// hold, at the cost of a little power. It also keeps bounds and p-values consistent down to
// the last estimate, which midranks would not.
type shift struct {
	sorted []float64
	// tail returns the probability that at most k estimates lie below the true shift (by
	// symmetry, also above it), for k from 0 to the number of estimates.
	tail func(k int) float64
}

// center is the Hodges-Lehmann estimate, the median of the estimates.
func (s shift) center() float64 { return median(s.sorted) }

// p is the p-value of the claim that the shift is above threshold.
func (s shift) p(threshold float64) float64 {
	at, _ := slices.BinarySearchFunc(s.sorted, threshold+tolerance, func(value, limit float64) int {
		if value <= limit {
			return -1
		}
		return 1
	})
	return min(s.tail(at), 1)
}

// under is the p-value of the claim that the shift is below -threshold: p with the arms
// swapped.
func (s shift) under(threshold float64) float64 {
	first, _ := slices.BinarySearchFunc(s.sorted, -threshold-tolerance, func(value, limit float64) int {
		if value < limit {
			return -1
		}
		return 1
	})
	return min(s.tail(len(s.sorted)-first), 1)
}

// bounds returns the one-sided lower and upper bounds, each with error at most level. ok is
// false if there are too few estimates for that level.
func (s shift) bounds(level float64) (low, high float64, ok bool) {
	// The first k whose tail is too likely. All estimates before it can be left out.
	first, beyond := 0, len(s.sorted)
	for first < beyond {
		middle := first + (beyond-first)/2
		if s.tail(middle) <= level {
			first = middle + 1
		} else {
			beyond = middle
		}
	}
	if first == 0 || first > len(s.sorted) {
		return 0, 0, false
	}
	return s.sorted[first-1], s.sorted[len(s.sorted)-first], true
}

// median returns the median of sorted values; for an even number, the mean of the middle
// two.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1] + (sorted[n/2]-sorted[n/2-1])/2
}
