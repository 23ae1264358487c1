package gate

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/aclements/go-moremath/stats"
)

// The largest sum of ranks that is significant at 5 %, one-sided, as printed in statistics
// textbooks (Hollander, Wolfe and Chicken, table A.4; Wilcoxon and Wilcox 1964).
func TestSignedRankAgreesWithPublishedCriticalValues(t *testing.T) {
	for n, critical := range map[int]int{
		5: 0, 6: 2, 7: 3, 8: 5, 9: 8, 10: 10, 11: 13, 12: 17, 13: 21, 14: 25, 15: 30, 16: 35,
		17: 41, 18: 47, 19: 53, 20: 60, 21: 67, 22: 75, 23: 83, 24: 91, 25: 100, 30: 151,
	} {
		tail := signedRankTail(n)
		if !(tail[critical] <= 0.05 && tail[critical+1] > 0.05) {
			t.Errorf("n = %d: P(W <= %d) is %v and P(W <= %d) %v", n, critical, tail[critical], critical+1, tail[critical+1])
		}
	}
}

func TestSignedRankAgreesWithCounting(t *testing.T) {
	for n := range 13 {
		count := make([]float64, n*(n+1)/2+1)
		for signs := range 1 << n {
			sum := 0
			for left := uint(signs); left != 0; left &= left - 1 {
				sum += bits.TrailingZeros(left) + 1
			}
			count[sum]++
		}
		tail, below := signedRankTail(n), 0.0
		for k, of := range count {
			below += of / math.Exp2(float64(n))
			if math.Abs(tail[k]-below) > 1e-13 {
				t.Errorf("n = %d: P(W <= %d) is %v, want %v", n, k, tail[k], below)
			}
		}
	}
}

// At 64 blocks and at the maximum number of blocks, the smallest probability is still 2^-n
// and the distribution is symmetric.
func TestSignedRankOfManyBlocks(t *testing.T) {
	for _, n := range []int{64, maxBlocks} {
		tail := signedRankTail(n)
		if want := math.Exp2(-float64(n)); tail[0] != want {
			t.Errorf("n = %d: P(W = 0) is %v, want %v", n, tail[0], want)
		}
		total := len(tail) - 1
		if middle := tail[(total-1)/2] + tail[total-(total-1)/2-1]; math.Abs(middle-1) > 1e-9 || math.Abs(tail[total]-1) > 1e-9 {
			t.Errorf("n = %d: the halves sum to %v, all to %v", n, middle, tail[total])
		}
	}
}

// Depression scores at two visits (Hollander and Wolfe 1973, p. 29; the first example of
// R's wilcox.test). There: V = 40, p = 0.01953 = 10/512 one-sided, pseudomedian 0.46, and
// the 96.1 % interval (which leaves 10/512 on each side) 0.010 to 0.786.
func TestPairedShiftAgreesWithR(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	var differences []float64
	for i := range x {
		differences = append(differences, x[i]-y[i])
	}
	s := paired(differences, signedRankTail(len(x)))
	near(t, "estimate", s.center(), 0.46)
	near(t, "p", s.p(0), 10.0/512)
	low, high, ok := s.bounds(10.0 / 512)
	if !ok {
		t.Fatal("no bounds")
	}
	near(t, "low", low, 0.010)
	near(t, "high", high, 0.786)
	// One step stricter gives the next Walsh average.
	if lower, higher, ok := s.bounds(10.0/512 - 1e-9); !ok || lower >= low || higher <= high {
		t.Errorf("at a stricter level: %v to %v, %v", lower, higher, ok)
	}
	if _, _, ok := s.bounds(1.0/512 - 1e-9); ok {
		t.Error("bounds at a level that nine differences cannot reach")
	}
}

// Permeability of membranes (Hollander and Wolfe 1973, p. 69; the second example of R's
// wilcox.test). There: W = 35, p = 0.1272 one-sided, difference 0.305; the book's
// interval -0.15 to 0.76 leaves P(U <= 8) = 60/3003, just below 2 %, on each side.
func TestUnpairedShiftAgreesWithR(t *testing.T) {
	x := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	y := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	s := unpaired(y, x)
	near(t, "estimate", s.center(), 0.305)
	if p := s.p(0); math.Abs(p-0.1272) > 0.00005 {
		t.Errorf("p is %v, want 0.1272", p)
	}
	low, high, ok := s.bounds(0.02)
	if !ok {
		t.Fatal("no bounds")
	}
	near(t, "low", low, -0.15)
	near(t, "high", high, 0.76)
	other, err := stats.MannWhitneyUTest(x, y, stats.LocationGreater)
	if err != nil || other.U != 35 || math.Abs(other.P-s.p(0)) > 1e-12 {
		t.Errorf("the test of moremath says %+v, %v", other, err)
	}
}

// The dependency's distribution, checked against all C(7, 3) and C(9, 4) ways to choose
// ranks.
func TestUnpairedTailAgreesWithCounting(t *testing.T) {
	for _, size := range [][2]int{{3, 4}, {4, 4}, {5, 4}, {1, 6}} {
		base, head := size[0], size[1]
		count, all := make([]float64, base*head+1), 0.0
		for chosen := range uint(1) << (base + head) {
			if bits.OnesCount(chosen) != head {
				continue
			}
			u := 0
			for left := chosen; left != 0; left &= left - 1 {
				rank := bits.TrailingZeros(left)
				u += rank - bits.OnesCount(chosen&(1<<rank-1))
			}
			count[u]++
			all++
		}
		s, below := unpaired(make([]float64, base), make([]float64, head)), 0.0
		for u, of := range count {
			below += of / all
			if math.Abs(s.tail(u)-below) > 1e-12 {
				t.Errorf("%v: P(U <= %d) is %v, want %v", size, u, s.tail(u), below)
			}
		}
	}
}

// Ties and zeros only weaken a claim: the level always holds.
func TestTiesAndZerosCountAgainstTheClaim(t *testing.T) {
	of := func(values ...float64) shift { return paired(values, signedRankTail(len(values))) }
	for _, test := range []struct {
		name string
		s    shift
		want float64
	}{
		{"all above and tied", of(1, 1, 1, 1, 1, 1), 1.0 / 64},
		{"all zero", of(0, 0, 0, 0, 0, 0), 1},
		// The zero's own average counts; the other 20 of 21 are above it: P(W <= 1) = 2/64.
		{"one zero", of(0, 1, 1, 1, 1, 1), 2.0 / 64},
		// -1 itself and its five averages with a 1, which are 0, count: P(W <= 6) = 14/64,
		// from the sums 0, 1, 2, 3 (2), 4 (2), 5 (3) and 6 (4) of ranks up to 6.
		{"a tie across zero", of(-1, 1, 1, 1, 1, 1), 14.0 / 64},
		{"above by rounding only", of(1e-12, 1e-12, 1e-12, 1e-12, 1e-12, 1e-12), 1},
	} {
		t.Run(test.name, func(t *testing.T) { near(t, "p", test.s.p(0), test.want) })
	}
}

func TestSpreadIgnoresAnOutlier(t *testing.T) {
	// The normal distribution's quantiles at (i - 0.5)/100.
	var values []float64
	for i := range 100 {
		values = append(values, normalQuantile((float64(i)+0.5)/100))
	}
	got, ok := spread(values)
	if !ok || math.Abs(got-1) > 0.03 {
		t.Errorf("the spread of a normal sample is %v, want about 1", got)
	}
	if with, _ := spread(append(slices.Clone(values), 1e6)); math.Abs(with-got) > 0.05 {
		t.Errorf("an outlier moves the spread from %v to %v", got, with)
	}
	// Six of ten distances are 0. The ordinary deviation is sqrt((4·0.2² + 0.8²)/4).
	if got, _ := spread([]float64{0, 0, 0, 0, 1}); math.Abs(got-math.Sqrt(0.2)) > 1e-12 {
		t.Errorf("got %v, want %v", got, math.Sqrt(0.2))
	}
	if _, ok := spread([]float64{1}); ok {
		t.Error("one value has no spread")
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
