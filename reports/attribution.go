package reports

import (
	"slices"

	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
)

// attributionLines say why the profile took so long, what changed compared with the run's
// first profile, and how far the numbers can be trusted.
func attributionLines(r *Report, p *Profile) []string {
	lines := slices.Clone(p.Attribution)
	for _, m := range r.Moves {
		if m.Head == p.Name {
			lines = append(lines, m.Sentence)
		}
	}
	if s := truthLine(r, p.Name); s != "" {
		lines = append(lines, s)
	}
	return lines
}

// validOf returns the profile's valid bursts, without warm-ups.
func validOf(profile string, bursts []measuredBurst) []*measuredBurst {
	var valid []*measuredBurst
	for i := range bursts {
		if b := &bursts[i]; b.report.Profile == profile && !b.report.Warmup && b.report.Valid {
			valid = append(valid, b)
		}
	}
	return valid
}

// medianLimiters returns those of the profile's median burst.
func medianLimiters(valid []*measuredBurst) []station.Limiter {
	all := make([][]station.Limiter, 0, len(valid))
	for _, b := range valid {
		all = append(all, b.report.Throttle)
	}
	return station.Median(all)
}

// moves compares the run's first profile with every other one.
func moves(profiles []Profile, bursts []measuredBurst) []station.Move {
	all := []station.Move{}
	if len(profiles) == 0 {
		return all
	}
	base := moveArm(&profiles[0], bursts)
	for i := 1; i < len(profiles); i++ {
		if m, ok := station.Between(base, moveArm(&profiles[i], bursts)); ok {
			all = append(all, m)
		}
	}
	return all
}

func moveArm(p *Profile, bursts []measuredBurst) station.Arm {
	valid := validOf(p.Name, bursts)
	arm := station.Arm{Name: p.Name, Effective: p.Effective, Limiters: medianLimiters(valid), Phases: map[string]stats.Seconds{}}
	median := func(name string, of func(*Burst) (float64, bool)) {
		var all []float64
		for _, b := range valid {
			if v, ok := of(&b.report); ok {
				all = append(all, v)
			}
		}
		slices.Sort(all)
		if m, ok := stats.Quantile(all, 0.5); ok {
			arm.Phases[name] = stats.Seconds(m)
		}
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
