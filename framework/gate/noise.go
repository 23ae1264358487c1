package gate

import (
	"math"
	"slices"
)

const (
	// power is the chance of a verdict that the hint aims at.
	power = 0.9
	// shamos scales the median distance of two normal values to their standard deviation.
	shamos = 1.0483583
	// mostBlocks caps the number in a hopeless hint, so that people can read it.
	mostBlocks = 9999
)

// spread is a standard deviation that a few outliers hardly move: the median distance
// between two values, scaled to the normal distribution (Shamos 1976; as efficient for
// spread as Hodges and Lehmann's estimate is for shift). If more than half of the distances
// are 0, it is the ordinary standard deviation, because 0 would claim that there is no
// noise. ok is false for fewer than two values.
func spread(values []float64) (deviation float64, ok bool) {
	n := len(values)
	if n < 2 {
		return 0, false
	}
	var distances []float64
	mean := 0.0
	for i, a := range values {
		mean += a / float64(n)
		for _, b := range values[i+1:] {
			distances = append(distances, math.Abs(a-b))
		}
	}
	slices.Sort(distances)
	if middle := median(distances); middle > tolerance {
		return shamos * middle, true
	}
	squares := 0.0
	for _, a := range values {
		squares += (a - mean) * (a - mean)
	}
	return math.Sqrt(squares / float64(n-1)), true
}

// blocksNeeded is roughly how many blocks are needed to tell a change by the margin from no
// change, with error level and chance power. It means both that an unchanged head passes
// and that a head slower by twice the margin is found. It is the usual formula for a normal
// mean, plus Guenther's term for few samples, the signed rank's efficiency of 3/π (rank
// tests of two samples have the same) and one block because levels come in steps.
func blocksNeeded(noise, margin, level float64, least int) int {
	z := normalQuantile(1 - level)
	perBlock := math.Log1p(margin) / noise
	n := (z+normalQuantile(power))*(z+normalQuantile(power))/(perBlock*perBlock)*math.Pi/3 + z*z/2 + 1
	if !(n < mostBlocks) { // also infinite or NaN
		return mostBlocks
	}
	return max(least, int(math.Ceil(n)))
}

// leastBlocks is the least number of blocks (or of bursts of each arm) with which any
// outcome can be as unlikely as level.
func leastBlocks(level float64, isPaired bool) int {
	chance := 1.0
	for n := 1; ; n++ {
		if isPaired {
			chance /= 2
		} else { // 1/C(2n, n), from that of n - 1
			chance *= float64(n) / float64(2*(2*n-1))
		}
		if chance <= level {
			return n
		}
	}
}

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
