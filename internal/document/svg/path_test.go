package svg

import (
	"math"
	"strings"
	"testing"
)

func TestPathsAreShortAndDoNotDrift(t *testing.T) {
	var d Path
	d.Move(0, 0.04)
	for i := 1; i <= 1000; i++ { // each step, a third of a tenth, would round to nothing
		d.Line(float64(i)/30, 0)
	}
	if d.x != 333 || d.y != 0 {
		t.Errorf("the pen is at %d, %d tenths, want 333, 0", d.x, d.y)
	}
	if n := strings.Count(d.String(), "h"); n != 333 {
		t.Errorf("%d steps were written, want one for each tenth", n)
	}
	for v, want := range map[float64]string{0: "0", 0.5: ".5", -0.5: "-.5", 12: "12", 12.34: "12.3", -7.06: "-7.1", math.NaN(): "0", math.Inf(1): "0"} {
		if got := place(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
}

func TestStepsKeepTheFirstAndTheLastOfManyValues(t *testing.T) {
	sorted := make([]float64, 5000)
	for i := range sorted {
		sorted[i] = float64(i)
	}
	var d Path
	var heights []int
	d.Steps(sorted, 0, func(x float64) float64 { return x / 10 }, func(k int) float64 { heights = append(heights, k); return float64(k) / 10 })
	if len(heights) != MaxSteps+1 || heights[1] != 1 || heights[MaxSteps] != 5000 {
		t.Errorf("%d heights from %d to %d", len(heights), heights[1], heights[len(heights)-1])
	}
	if d.x != 4999 || d.y != 5000 {
		t.Errorf("the curve ends at %d, %d tenths", d.x, d.y)
	}
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         int
		want      string
	}{
		{0, 3.86, 4, "0 1 s 2 s 3 s"},
		{0, 0.13, 4, "0 50 ms 100 ms"},
		{0, 0.0004, 4, "0 100 µs 200 µs 300 µs 400 µs"},
		{-0.6, 0.99, 4, "−0.5 s 0 0.5 s"},
		{0, 1800, 4, "0 10 min 20 min 30 min"},
	} {
		u := UnitFor(c.high)
		var labels []string
		for _, tick := range u.Ticks(c.low, c.high, c.n) {
			labels = append(labels, u.Label(tick))
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
	for _, bad := range [][2]float64{{1, 1}, {2, 1}, {0, math.Inf(1)}, {math.NaN(), 1}} {
		if got := Ticks(bad[0], bad[1], 4); got != nil {
			t.Errorf("%v has ticks %v", bad, got)
		}
	}
}

func TestScalesNeverLeaveThePlot(t *testing.T) {
	s := Scale{Low: 0, High: 10, Start: 40, End: 330}
	for v, want := range map[float64]float64{0: 40, 10: 330, 5: 185, -3: 40, 99: 330, math.NaN(): 40, math.Inf(1): 330} {
		if got := s.At(v); got != want {
			t.Errorf("%g is at %g, want %g", v, got, want)
		}
	}
	if got := (Scale{Low: 3, High: 3, Start: 1, End: 9}).At(3); got != 1 {
		t.Errorf("an empty range is at %g", got)
	}
}
