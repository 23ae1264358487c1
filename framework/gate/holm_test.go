package gate

import (
	"math"
	"testing"
)

func TestHolm(t *testing.T) {
	const alpha = 0.05
	for _, test := range []struct {
		name               string
		p, adjusted, level []float64
	}{
		{"one endpoint has all of alpha", []float64{0.04}, []float64{0.04}, []float64{0.05}},
		// 3·0.01, 2·0.02, 1·0.03 but no less than the one before.
		{"each rejection frees its part for the others", []float64{0.03, 0.01, 0.02},
			[]float64{0.04, 0.03, 0.04}, []float64{0.05, 0.05 / 3, 0.025}},
		// 0.03 > 0.025 stops; 0.04 would do alone and does not count.
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

// The claims in the comment of firstShare.
func TestTheFirstLookCostsNothingAtEightBlocks(t *testing.T) {
	tail := signedRankTail(8)
	largest := func(level float64) (k int) {
		for tail[k] <= level {
			k++
		}
		return k - 1
	}
	for divisor := 1.0; divisor <= 3; divisor++ {
		if first, only := largest(DefaultAlpha*firstShare/divisor), largest(DefaultAlpha/divisor); first != only {
			t.Errorf("alpha/%v: the first of two looks allows %d, a single look %d", divisor, first, only)
		}
	}
	if k := largest(DefaultAlpha * firstShare / 3); math.Abs(tail[k]-3.0/256) > 1e-15 {
		t.Errorf("a third of the first look's alpha allows %v, want 3/256", tail[k])
	}
}
