package listcost

import (
	"math"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/verdict"
)

// around makes tries of a quantity at one size: value times each factor.
func around(value float64, factors ...float64) []float64 {
	out := make([]float64, 0, len(factors))
	for _, f := range factors {
		out = append(out, value*f)
	}
	return out
}

// powers makes exact tries of a·n^b.
func powers(a, b float64, factors []float64, sizes ...int) map[int][]float64 {
	out := map[int][]float64{}
	for _, n := range sizes {
		out[n] = around(a*math.Pow(float64(n), b), factors...)
	}
	return out
}

func TestGrowthIsJudgedByItsExponentAndItsError(t *testing.T) {
	quiet, noisy := []float64{0.99, 1, 1.01}, []float64{0.2, 0.5, 1, 2, 5}
	sizes := []int{100, 500, 1000}
	for name, c := range map[string]struct {
		by       map[int][]float64
		exponent float64
		verdict  verdict.Verdict
	}{
		"linear":    {powers(3, 1, quiet, sizes...), 1, verdict.Pass},
		"at 1.15":   {powers(3, 1.15, []float64{1}, sizes...), 1.15, verdict.Pass},
		"quadratic": {powers(1e-6, 2, quiet, sizes...), 2, verdict.Fail},
		"constant":  {powers(3, 0, quiet, sizes...), 0, verdict.Pass},
		// The deviations from the median are ln 2, and twice that at the ends; their
		// median is ln 2, so σ = 1.03 and a median of 5 is off by 0.58. The exponent
		// is then off by 0.58·√(Σdx²)/Σdx² with Σdx² = 2.88: by 0.34. 1.1 ± 0.56
		// includes 1.2.
		"linear in noise":    {powers(3, 1.1, noisy, sizes...), 1.1, verdict.Inconclusive},
		"quadratic in noise": {powers(3, 2, noisy, sizes...), 2, verdict.Fail},
		// A fixed cost of 500 plus 1 per pod: sublinear, and not a power law.
		"a fixed cost": {map[int][]float64{100: {600}, 500: {1000}, 1000: {1500}}, 0.38, verdict.Pass},
		// One slow try in five moves neither the median nor the deviation.
		"one slow try": {map[int][]float64{100: around(100, 1, 1, 1, 1, 50), 500: around(500, 1, 1, 1, 1, 90), 1000: around(1000, 1, 1, 1, 1, 70)}, 1, verdict.Pass},
		// Three points that no line fits.
		"erratic": {map[int][]float64{100: {1}, 500: {100}, 1000: {5}}, 1.04, verdict.Inconclusive},
	} {
		g := grow("seconds", sizes, c.by)
		if g.Exponent == nil || math.Abs(*g.Exponent-c.exponent) > 0.06 || g.Verdict != c.verdict || g.Sizes != 3 || *g.StandardError < 0 {
			t.Errorf("%s: %+v (exponent %v ± %v), want %v and %s", name, g, value(g.Exponent), value(g.StandardError), c.exponent, c.verdict)
		}
	}
}

func value(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

func TestAFitNeedsWhatItCannotDoWithout(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []int
		by    map[int][]float64
		says  string
	}{
		"two sizes":           {[]int{100, 500}, powers(1, 1, []float64{1}, 100, 500), "at least 3"},
		"no size":             {nil, nil, "at least 3"},
		"one size, thrice":    {[]int{100, 100, 100}, powers(1, 1, []float64{1}, 100), "at least 3"},
		"nothing measured":    {[]int{1, 2, 3}, map[int][]float64{1: {1}, 2: {1}}, "nothing was measured with 3 pods"},
		"a time of 0":         {[]int{1, 2, 3}, map[int][]float64{1: {1}, 2: {0}, 3: {1}}, "with 2 pods is 0"},
		"a negative time":     {[]int{1, 2, 3}, map[int][]float64{1: {-1}, 2: {1}, 3: {1}}, "with 1 pods is -1"},
		"not a number":        {[]int{1, 2, 3}, map[int][]float64{1: {math.NaN()}, 2: {1}, 3: {1}}, "NaN"},
		"infinite":            {[]int{1, 2, 3}, map[int][]float64{1: {math.Inf(1)}, 2: {1}, 3: {1}}, "Inf"},
		"a negative size":     {[]int{-1, 2, 3}, map[int][]float64{-1: {1}, 2: {1}, 3: {1}}, "-1 pods"},
		"no pods":             {[]int{0, 2, 3}, map[int][]float64{0: {1}, 2: {1}, 3: {1}}, "0 pods"},
		"the smallest number": {[]int{1, 2, 3}, map[int][]float64{1: {math.SmallestNonzeroFloat64}, 2: {math.MaxFloat64}, 3: {math.SmallestNonzeroFloat64}}, ""},
	} {
		g := grow("bytes", c.sizes, c.by)
		if c.says == "" {
			if g.Exponent != nil && (math.IsNaN(*g.Exponent) || math.IsInf(*g.StandardError, 0)) {
				t.Errorf("%s: %+v", name, g)
			}
			continue
		}
		if g.Exponent != nil || g.Verdict != verdict.Inconclusive || !strings.Contains(g.Message, c.says) {
			t.Errorf("%s: %+v, want that it says %q", name, g, c.says)
		}
	}
}

func FuzzGrowth(f *testing.F) {
	f.Add(100, 1.0, 500, 2.0, 1000, 3.0)
	f.Add(1, 1e-308, 2, 1e308, 3, 0.0)
	f.Fuzz(func(t *testing.T, n1 int, v1 float64, n2 int, v2 float64, n3 int, v3 float64) {
		g := grow("seconds", []int{n1, n2, n3}, map[int][]float64{n1: {v1, v2}, n2: {v2}, n3: {v3, v1, v2}})
		if (g.Exponent == nil) != (g.StandardError == nil) {
			t.Fatalf("%+v", g)
		}
		if g.Exponent == nil {
			if g.Verdict != verdict.Inconclusive {
				t.Fatalf("%+v", g)
			}
			return
		}
		if math.IsNaN(*g.Exponent) || math.IsInf(*g.Exponent, 0) || !(*g.StandardError >= 0) || math.IsInf(*g.StandardError, 0) {
			t.Fatalf("%v ± %v", *g.Exponent, *g.StandardError)
		}
	})
}
