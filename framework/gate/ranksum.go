package gate

import (
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// maxUnpaired is the largest number of bursts of an arm that is judged: computing the exact
// distribution of U takes time with the fourth power of that number.
const maxUnpaired = 64

// unpaired returns the shift of head against base: all differences between a value of head
// and a value of base.
func unpaired(base, head []float64) shift {
	differences := make([]float64, 0, len(base)*len(head))
	for _, b := range base {
		for _, h := range head {
			differences = append(differences, h-b)
		}
	}
	slices.Sort(differences)
	distribution := stats.UDist{N1: len(base), N2: len(head)}
	return shift{sorted: differences, tail: func(k int) float64 { return distribution.CDF(float64(k)) }}
}
