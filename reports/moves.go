package reports

import (
	"cmp"
	"slices"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
)

// valid returns the profile's valid bursts, without warm-ups, as indices of r.Bursts.
func (r *Report) valid(profile string) []int {
	var valid []int
	for i := range r.Bursts {
		if b := &r.Bursts[i]; b.Profile == profile && !b.Warmup && b.Valid {
			valid = append(valid, i)
		}
	}
	return valid
}

// MedianBurst returns that of the bursts (indices of r.Bursts) whose makespan is the median
// by nearest rank; -1 if there is none. Bursts that others sent have no makespan; for them
// the time from the first creation until the last pod was ready counts.
func (r *Report) MedianBurst(bursts []int) int {
	if len(bursts) == 0 {
		return -1
	}
	length := func(i int) stats.Seconds {
		for _, s := range []*stats.Seconds{r.Bursts[i].MakespanSeconds, r.Bursts[i].SpanSeconds} {
			if s != nil {
				return *s
			}
		}
		return 0
	}
	sorted := slices.Clone(bursts)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(length(a), length(b)) })
	return sorted[(len(sorted)-1)/2]
}

// moves compares the run's first profile with every other one.
func (r *Report) moves() []station.Move {
	all := []station.Move{}
	if len(r.Profiles) == 0 {
		return all
	}
	base := r.arm(&r.Profiles[0])
	for i := 1; i < len(r.Profiles); i++ {
		if m, ok := station.Between(base, r.arm(&r.Profiles[i])); ok {
			all = append(all, m)
		}
	}
	return all
}

func (r *Report) arm(p *Profile) station.Arm {
	valid := r.valid(p.Name)
	arm := station.Arm{Name: p.Name, Effective: p.Effective, Phases: map[string]stats.Seconds{}}
	if p.Explanation != nil {
		arm.First = p.Explanation.First
	}
	median := func(name string, of func(*Burst) (float64, bool)) {
		var all []float64
		for _, i := range valid {
			if v, ok := of(&r.Bursts[i]); ok {
				all = append(all, v)
			}
		}
		slices.Sort(all)
		if m, ok := stats.Quantile(all, 0.5); ok {
			arm.Phases[name] = stats.Seconds(m)
		}
	}
	for _, i := range valid {
		arm.Analyses = append(arm.Analyses, &r.Bursts[i].Analysis)
	}
	for _, name := range station.MovePhases() {
		median(name, func(b *Burst) (float64, bool) {
			if ph := b.Phases[name]; ph != nil && ph.Count > 0 {
				return ph.P99, true
			}
			return 0, false
		})
	}
	median(station.Makespan, func(b *Burst) (float64, bool) {
		if b.MakespanSeconds == nil {
			return 0, false
		}
		return float64(*b.MakespanSeconds), true
	})
	return arm
}
