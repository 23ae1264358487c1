package html

import (
	"math"
	"strconv"
)

// scale maps values from low to high to places from start to end.
type scale struct {
	low, high  float64
	start, end float64
	log        bool
}

// at is the place of a value; what lies outside is drawn at the edge.
func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if !(high > low) || math.IsNaN(v) {
		return s.start
	}
	share := min(max((v-low)/(high-low), 0), 1)
	return s.start + share*(s.end-s.start)
}

// ticks are about n round values (1, 2 or 5 times a power of ten) from low to high.
func ticks(low, high float64, n int) []float64 {
	if !finite(low) || !finite(high) || high <= low || n < 1 {
		return nil
	}
	rough := (high - low) / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := 10 * power
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough*0.999 {
			step = factor * power
			break
		}
	}
	if step <= 0 || !finite(step) {
		return nil
	}
	var all []float64
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step && len(all) < 3*n+3; k++ {
		all = append(all, k*step+0) // + 0: no minus zero
	}
	return all
}

// unit is a unit of time on an axis.
type unit struct {
	seconds float64
	name    string
}

// unitFor is the unit in which an axis up to so many seconds has short numbers.
func unitFor(seconds float64) unit {
	switch {
	case seconds < 0.8e-3:
		return unit{1e-6, "µs"}
	case seconds < 0.8:
		return unit{1e-3, "ms"}
	case seconds < 600:
		return unit{1, "s"}
	}
	return unit{60, "min"}
}

// ticks are about n values from low to high, in seconds, that are round in the unit.
func (u unit) ticks(low, high float64, n int) []float64 {
	all := ticks(low/u.seconds, high/u.seconds, n)
	for i := range all {
		all[i] *= u.seconds
	}
	return all
}

// label is a tick with its unit, so that it is understood away from the axis' name.
func (u unit) label(seconds float64) string {
	v := math.Round(seconds/u.seconds*1e6) / 1e6
	if v == 0 {
		return "0"
	}
	return minus(strconv.FormatFloat(v, 'f', -1, 64)) + nbsp + u.name
}
