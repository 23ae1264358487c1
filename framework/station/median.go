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
			if _, known := by[l.Instance]; !known {
				names = append(names, l.Instance)
			}
			by[l.Instance] = append(by[l.Instance], l)
		}
	}
	slices.Sort(names)
	var medians []Limiter
	for _, name := range names {
		all := by[name]
		slices.SortStableFunc(all, func(a, b Limiter) int {
			return cmp.Or(cmp.Compare(a.Held, b.Held), cmp.Compare(a.PhaseP99, b.PhaseP99), cmp.Compare(a.MaxWait, b.MaxWait))
		})
		medians = append(medians, all[(len(all)-1)/2])
	}
	return medians
}
