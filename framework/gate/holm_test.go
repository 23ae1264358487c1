package gate

import "testing"

func TestHolm(t *testing.T) {
	const alpha = 0.05
	for _, test := range []struct {
		name               string
		p, adjusted, level []float64
	}{
		{"one endpoint has all of alpha", []float64{0.04}, []float64{0.04}, []float64{0.05}},
		// 3·0.01, 2·0.02, 1·0.03, but never less than the one before.
		{"each rejection frees its part for the others", []float64{0.03, 0.01, 0.02},
			[]float64{0.04, 0.03, 0.04}, []float64{0.05, 0.05 / 3, 0.025}},
		// 0.03 > 0.025 stops. 0.04 would be small enough alone but does not count.
		{"the first miss stops the rest", []float64{0.01, 0.03, 0.04},
			[]float64{0.03, 0.06, 0.06}, []float64{0.05 / 3, 0.025, 0.025}},
		{"none", []float64{0.02, 0.5, 1}, []float64{0.06, 1, 1}, []float64{0.05 / 3, 0.05 / 3, 0.05 / 3}},
		{"equal ones", []float64{0.015, 0.015, 0.015}, []float64{0.045, 0.045, 0.045}, []float64{0.05 / 3, 0.025, 0.05}},
	} {
		t.Run(test.name, func(t *testing.T) {
			adjusted, level := holm(test.p, alpha)
			for i := range test.p {
				near(t, "adjusted", adjusted[i], test.adjusted[i])
				near(t, "level", level[i], test.level[i])
				if (test.p[i] <= level[i]) != (adjusted[i] <= alpha) {
					t.Errorf("p %v at level %v and adjusted %v at alpha disagree", test.p[i], level[i], adjusted[i])
				}
			}
		})
	}
}

// The least number of blocks depends on the level: half of alpha over three endpoints is
// 0.0083, between 1/128 and 1/64. Comparing bursts of two recordings has all of alpha: C(8,
// 4) is 70 and C(6, 3) is 20.
func TestLeastBlocks(t *testing.T) {
	if got := leastBlocks(0.025/3, true); got != 7 {
		t.Errorf("the gate of three needs %d blocks to call anything regressed, want 7", got)
	}
	if got := leastBlocks(0.05/3, false); got != 4 {
		t.Errorf("unpaired it needs %d bursts of each arm, want 4", got)
	}
}
