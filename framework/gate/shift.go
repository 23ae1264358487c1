package gate

import "slices"

// tolerance is by how much logarithms must differ to differ: a billionth part is below
// every clock's resolution, and head = 1.1·base computes to a log ratio that may be
// above log(1.1) by rounding alone.
const tolerance = 1e-9

// shift estimates by how much head is above base, from the sorted estimates that single
// data or pairs of data give: Walsh averages of paired differences, or all differences
// of two samples. How many of them lie at or below the true shift has a known exact
// distribution (of Wilcoxon's signed rank, of Mann and Whitney's U), from which the
// bounds and the p-value follow.
//
// Ties and zeros need no other distribution. An estimate that equals the tested shift
// counts against the claim. Were ties broken at random, the count would have the exact
// distribution of data without ties, and the count used here is never more favorable,
// so levels hold, at the price of a little power. It also keeps bounds and p-values
// agreed to the last estimate, which midranks would not.
type shift struct {
	sorted []float64
	// tail returns the probability that at most k estimates lie below the true shift
	// (and, by symmetry, above it), for k from 0 up to the number of estimates.
	tail func(k int) float64
}

// center is the Hodges-Lehmann estimate, the median of the estimates.
func (s shift) center() float64 { return median(s.sorted) }

// p is the p-value of "the shift is above threshold".
func (s shift) p(threshold float64) float64 {
	at, _ := slices.BinarySearchFunc(s.sorted, threshold+tolerance, func(value, limit float64) int {
		if value <= limit {
			return -1
		}
		return 1
	})
	return min(s.tail(at), 1)
}

// under is the p-value of "the shift is below -threshold": p of the arms swapped.
func (s shift) under(threshold float64) float64 {
	first, _ := slices.BinarySearchFunc(s.sorted, -threshold-tolerance, func(value, limit float64) int {
		if value < limit {
			return -1
		}
		return 1
	})
	return min(s.tail(len(s.sorted)-first), 1)
}

// bounds are the one-sided lower and upper bound with error at most level each; ok is
// false where no estimates lie far enough out.
func (s shift) bounds(level float64) (low, high float64, ok bool) {
	// The first k whose tail is too likely; all before it can be given away.
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

// median of sorted values; the mean of the middle two of an even number.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1] + (sorted[n/2]-sorted[n/2-1])/2
}
