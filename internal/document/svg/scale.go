package svg

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Scale maps values from Low to High to places from Start to End.
type Scale struct {
	Low, High  float64
	Start, End float64
	Log        bool
}

// At is the place of a value; values outside are drawn at the edge.
func (s Scale) At(v float64) float64 {
	low, high := s.Low, s.High
	if s.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	if !(high > low) || math.IsNaN(v) {
		return s.Start
	}
	share := min(max((v-low)/(high-low), 0), 1)
	return s.Start + share*(s.End-s.Start)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Ticks are about n round values (1, 2 or 5 times a power of ten) from low to high.
func Ticks(low, high float64, n int) []float64 {
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
		all = append(all, k*step+0) // + 0: avoids minus zero
	}
	return all
}

// Counts are about n whole numbers from low to high.
func Counts(low, high float64, n int) []float64 {
	return slices.DeleteFunc(Ticks(low, high, n), func(x float64) bool { return x != math.Trunc(x) })
}

// Count is the label of a number.
func Count(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// LogTicks are the powers of ten from low to high, plus 2 and 5 times each if
// there are few.
func LogTicks(low, high float64) []float64 {
	if !(low > 0) || !(high > low) || !finite(high) {
		return nil
	}
	factors := []float64{1, 2, 5}
	if high/low > 300 {
		factors = factors[:1]
	}
	var all []float64
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high) && len(all) < 30; e++ {
		for _, factor := range factors {
			if t := factor * math.Pow(10, e); t >= low && t <= high {
				all = append(all, t)
			}
		}
	}
	return all
}

// Unit is a unit of time on an axis.
type Unit struct {
	seconds float64
	name    string
}

// UnitFor is the unit that gives an axis up to that many seconds short numbers.
func UnitFor(seconds float64) Unit {
	switch {
	case seconds < 0.8e-3:
		return Unit{1e-6, "µs"}
	case seconds < 0.8:
		return Unit{1e-3, "ms"}
	case seconds < 600:
		return Unit{1, "s"}
	}
	return Unit{60, "min"}
}

// Ticks are about n values from low to high, in seconds, that are round in the unit.
func (u Unit) Ticks(low, high float64, n int) []float64 {
	all := Ticks(low/u.seconds, high/u.seconds, n)
	for i := range all {
		all[i] *= u.seconds
	}
	return all
}

// Label is a tick with its unit, so that it can be read without the axis' name.
func (u Unit) Label(seconds float64) string {
	v := math.Round(seconds/u.seconds*1e6) / 1e6
	if v == 0 {
		return "0"
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), "-", "−", 1) + " " + u.name
}
