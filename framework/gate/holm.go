package gate

import "slices"

// holm adjusts the p-values of endpoints that are judged together (Holm 1979). level is
// what an endpoint's own p-value is compared with: alpha/m for the smallest of m,
// alpha/(m-1) for the next once that was small enough, and so on; an endpoint after the
// first that was not small enough keeps that one's level, and misses it, too. adjusted
// says the same as a p-value that is compared with alpha.
//
// A bound at level lies above the threshold exactly where the p-value is at most level.
// It speaks for its endpoint; but for that decision, it is no simultaneous bound of all.
func holm(p []float64, alpha float64) (adjusted, level []float64) {
	m := len(p)
	order := make([]int, m)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	adjusted, level = make([]float64, m), make([]float64, m)
	largest, left := 0.0, m
	for i, endpoint := range order {
		largest = max(largest, min(1, float64(m-i)*p[endpoint]))
		adjusted[endpoint] = largest
		level[endpoint] = alpha / float64(left)
		if p[endpoint] <= level[endpoint] && left > 1 {
			left--
		}
	}
	return adjusted, level
}
