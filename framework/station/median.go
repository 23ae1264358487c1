package station

import (
	"cmp"
	"slices"
)

// Median chooses for each instance, of its limiters in several bursts, the one
// of the median burst: by time held, then by phase and waits, the lower of two. Its
// numbers belong together, which medians of each number would not.
func Median(bursts [][]Limiter) []Limiter {
	by := map[string][]Limiter{}
	var names []string
	for _, limiters := range bursts {
		for _, l := range limiters {
			if _, known := by[l.Component]; !known {
				names = append(names, l.Component)
			}
			by[l.Component] = append(by[l.Component], l)
		}
	}
	slices.Sort(names)
	var medians []Limiter
	for _, name := range names {
		all := by[name]
		slices.SortStableFunc(all, func(a, b Limiter) int {
			return cmp.Or(cmp.Compare(a.HeldSeconds, b.HeldSeconds), cmp.Compare(a.PhaseP99Seconds, b.PhaseP99Seconds), cmp.Compare(a.MaxWaitSeconds, b.MaxWaitSeconds))
		})
		medians = append(medians, all[(len(all)-1)/2])
	}
	return medians
}
