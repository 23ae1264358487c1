package gate

import "slices"

// maxBlocks is the largest number of blocks that is judged. Up to it the exact distribution
// takes milliseconds to compute, and running more bursts than that takes days.
const maxBlocks = 256

// paired returns the shift of paired differences.
func paired(differences []float64, tail []float64) shift {
	return shift{sorted: walsh(differences), tail: func(k int) float64 { return tail[k] }}
}

// walsh returns the sorted averages of all pairs of values, including each value with
// itself.
func walsh(values []float64) []float64 {
	averages := make([]float64, 0, len(values)*(len(values)+1)/2)
	for i, a := range values {
		for _, b := range values[i:] {
			averages = append(averages, a/2+b/2)
		}
	}
	slices.Sort(averages)
	return averages
}

// signedRankTail returns, for k from 0 to n(n+1)/2, the probability that Wilcoxon's signed
// rank of n differences without ties is at most k. Under a symmetric distribution each rank
// is in the sum with a chance of one half, so the distribution is built one rank at a time.
// n is at least 0. Halving probabilities instead of counting the 2^n signs stays within
// floating point's range for every n.
func signedRankTail(n int) []float64 {
	total := n * (n + 1) / 2
	chance := make([]float64, total+1)
	chance[0] = 1
	for rank := 1; rank <= n; rank++ {
		for k := rank * (rank + 1) / 2; k >= 0; k-- {
			with := 0.0
			if k >= rank {
				with = chance[k-rank]
			}
			chance[k] = (chance[k] + with) / 2
		}
	}
	for k := 1; k <= total; k++ {
		chance[k] += chance[k-1]
	}
	return chance
}
