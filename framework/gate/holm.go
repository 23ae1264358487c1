package gate

import "slices"

// holm adjusts the p-values of endpoints that are judged together (Holm 1979). level is
// what an endpoint's own p-value is compared with: alpha/m for the smallest of m,
// alpha/(m-1) for the next if the first was small enough, and so on. After the first
// p-value that is too large, all further endpoints keep that one's level and miss it, too.
// adjusted expresses the same as a p-value to compare with alpha.
//
// A bound at level lies above the threshold exactly where the p-value is at most level.
// Apart from that decision it holds for its endpoint alone: it is not a simultaneous bound
// for all endpoints.
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
