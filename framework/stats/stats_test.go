package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func upTo(n int) []float64 {
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = float64(i + 1)
	}
	return samples
}

func TestSummarize(t *testing.T) {
	for _, test := range []struct {
		name    string
		samples []float64
		missing int
		want    Summary
	}{
		{"none", nil, 3, Summary{Missing: 3}},
		{"one sample is every statistic", []float64{2}, 0, Summary{1, 0, 2, 2, 2, 2, 2, 2, 2, ""}},
		// n = 4: ranks ceil(2) = 2, ceil(3.6) = 4, ceil(3.8) = 4, ceil(3.96) = 4; mean 10/4.
		{"unsorted", []float64{4, 1, 3, 2}, 1, Summary{4, 1, 1, 2.5, 2, 4, 4, 4, 4, ""}},
		// n = 100: p99 is the 99th value, the second largest. Mean 5050/100.
		{"a hundred", upTo(100), 0, Summary{100, 0, 1, 50.5, 50, 90, 95, 99, 100, ""}},
		// n = 101: ceil(50.5) = 51, ceil(90.9) = 91, ceil(95.95) = 96, ceil(99.99) = 100.
		{"a hundred and one", upTo(101), 0, Summary{101, 0, 1, 51, 51, 91, 96, 100, 101, ""}},
		{"negative", []float64{-1, 1}, 0, Summary{2, 0, -1, 0, -1, 1, 1, 1, 1, ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := slices.Clone(test.samples)
			got, err := Summarize(test.samples, test.missing)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v\nwant %+v", got, err, test.want)
			}
			if !slices.Equal(test.samples, before) {
				t.Error("the samples were reordered")
			}
		})
	}
}

func TestSummarizeRefuses(t *testing.T) {
	for _, test := range []struct {
		name    string
		samples []float64
		missing int
		want    string
	}{
		{"NaN", []float64{1, math.NaN()}, 0, "summarize: sample 2 of 2 is NaN"},
		{"infinity", []float64{math.Inf(-1)}, 0, "summarize: sample 1 of 1 is -Inf"},
		{"negative missing", nil, -1, "summarize: -1 missing samples"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Summarize(test.samples, test.missing); err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// FuzzSummarize checks that statistics are finite and in order for all samples, and that
// adding the same amount to every sample changes no order.
func FuzzSummarize(f *testing.F) {
	f.Add(uint64(1), uint16(100), 1.0)
	f.Add(uint64(2), uint16(1), math.MaxFloat64)
	f.Add(uint64(3), uint16(7), 5e-324)
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, scale float64) {
		random := rand.New(rand.NewPCG(seed, 0))
		samples := make([]float64, n%1000)
		for i := range samples {
			samples[i] = (random.Float64()*2 - 1) * scale
		}
		s, err := Summarize(samples, 0)
		if err != nil || len(samples) == 0 {
			return
		}
		if order := []float64{s.Min, s.P50, s.P90, s.P95, s.P99, s.Max}; !slices.IsSorted(order) {
			t.Errorf("not in order: %v", order)
		}
		if !(s.Min <= s.Mean && s.Mean <= s.Max) {
			t.Errorf("mean %v outside [%v, %v]", s.Mean, s.Min, s.Max)
		}
		for _, quantile := range []float64{s.P50, s.P90, s.P95, s.P99} {
			if !slices.Contains(samples, quantile) {
				t.Errorf("%v is no sample", quantile)
			}
		}
	})
}

func TestQuantile(t *testing.T) {
	for _, test := range []struct {
		name   string
		n      int
		q      float64
		want   float64
		wantOK bool
	}{
		{"median of two is the lower", 2, 0.5, 1, true},
		{"floating point just above a rank", 100, 0.07, 7, true}, // 0.07·100 = 7.000000000000001
		{"floating point just below a rank", 1000, 0.29, 290, true},
		{"zero is the smallest", 10, 0, 1, true},
		{"one is the largest", 10, 1, 10, true},
		{"just above a rank", 100, 0.501, 51, true},
		{"no samples", 0, 0.5, 0, false},
		{"below zero", 10, -0.1, 0, false},
		{"above one", 10, 1.1, 0, false},
		{"NaN", 10, math.NaN(), 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, ok := Quantile(upTo(test.n), test.q); got != test.want || ok != test.wantOK {
				t.Errorf("got %v, %v; want %v, %v", got, ok, test.want, test.wantOK)
			}
		})
	}
}

// Nearest rank by its definition, in exact arithmetic, for every n and percentile.
func TestQuantileIsTheSmallestSampleThatEnoughSamplesReach(t *testing.T) {
	for n := 1; n <= 300; n++ {
		samples := upTo(n)
		for percent := 1; percent <= 100; percent++ {
			want := (percent*n + 99) / 100 // ceil(percent·n/100)
			if got, ok := Quantile(samples, float64(percent)/100); !ok || got != float64(want) {
				t.Fatalf("p%d of %d samples: got rank %v, want %d", percent, n, got, want)
			}
		}
	}
}

func TestGet(t *testing.T) {
	s := Summary{Count: 9, Min: 1, Mean: 2, P50: 3, P90: 4, P95: 5, P99: 6, Max: 7}
	want := map[string]float64{"min": 1, "mean": 2, "p50": 3, "p90": 4, "p95": 5, "p99": 6, "max": 7}
	for _, name := range Names() {
		if got, err := s.Get(name); err != nil || got != want[name] {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
		if _, err := (Summary{Missing: 5}).Get(name); err == nil || !strings.Contains(err.Error(), "no samples") {
			t.Errorf("%s of no samples: got %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"P99":    `unknown statistic "P99": did you mean p99? known are min, mean, p50, p90, p95, p99, max`,
		"avg":    `unknown statistic "avg": known are min, mean, p50, p90, p95, p99, max`,
		"median": `unknown statistic "median": did you mean mean? known are min, mean, p50, p90, p95, p99, max`,
		"":       `unknown statistic "": known are min, mean, p50, p90, p95, p99, max`,
	} {
		if _, err := s.Get(name); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestQuantileInterval(t *testing.T) {
	for _, test := range []struct {
		name          string
		n             int
		q, confidence float64
		low, high     int
		coverage      float64
	}{
		// P(B ≤ 0) = 1/64 = 0.0156 ≤ 0.025 < P(B ≤ 1) = 7/64.
		{"median of six", 6, 0.5, 0.95, 1, 6, 1 - 2.0/64},
		// P(B ≤ 0) = 1/32 = 0.031 > 0.025.
		{"median of five", 5, 0.5, 0.95, 0, 0, 0},
		// P(B ≤ 1) = 11/1024 = 0.0107 ≤ 0.025 < P(B ≤ 2) = 56/1024.
		{"median of ten", 10, 0.5, 0.95, 2, 9, 1 - 22.0/1024},
		// Above the largest with probability 0.99^100 = 0.37.
		{"p99 of a hundred", 100, 0.99, 0.95, 0, 0, 0},
		// 0.99^367 = 0.02500882 > 0.025, 0.99^368 = 0.02475874.
		{"p99, one sample short", 367, 0.99, 0.95, 0, 0, 0},
		{"q of one", 100, 1, 0.95, 0, 0, 0},
		{"confidence of one", 100, 0.5, 1, 0, 0, 0},
		{"NaN", 100, math.NaN(), 0.95, 0, 0, 0},
		{"no samples", 0, 0.5, 0.95, 0, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, ok := QuantileInterval(upTo(test.n), test.q, test.confidence)
			want := Interval{float64(test.low), float64(test.high), test.low, test.high, got.Coverage}
			if got != want || ok != (test.low > 0) || math.Abs(got.Coverage-test.coverage) > 1e-12 {
				t.Errorf("got %+v, %v; want %+v with coverage %v", got, ok, want, test.coverage)
			}
		})
	}
	t.Run("p99 at its least n ends at the largest sample", func(t *testing.T) {
		if got, ok := QuantileInterval(upTo(368), 0.99, 0.95); !ok || got.HighRank != 368 {
			t.Errorf("got %+v, %v", got, ok)
		}
	})
}

func TestMinSamples(t *testing.T) {
	for _, test := range []struct {
		q, confidence float64
		want          int
	}{
		{0.5, 0.95, 6},         // ln 0.025 / ln 0.5 = 5.3
		{0.9, 0.95, 36},        // ln 0.025 / ln 0.9 = 35.01
		{0.1, 0.95, 36},        // the same from below
		{0.95, 0.95, 72},       // 71.9
		{0.99, 0.95, 368},      // 367.04
		{0, 0.95, math.MaxInt}, // never
		{0.5, 2, math.MaxInt},  // never
		{0.5, 0.01, 2},         // two ends are two samples
		{1 - 1e-15, 0.95, math.MaxInt},
	} {
		if got := MinSamples(test.q, test.confidence); got != test.want {
			t.Errorf("MinSamples(%v, %v) = %d, want %d", test.q, test.confidence, got, test.want)
		}
	}
}

// The interval, checked against exact rational arithmetic: it has the requested coverage,
// and moving either end one rank further in would leave too heavy a tail.
func TestQuantileIntervalAgainstExactBinomials(t *testing.T) {
	const confidence = 0.95
	tail := new(big.Rat).SetFloat64((1 - confidence) / 2)
	for _, q := range []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(9, 10), big.NewRat(19, 20)} {
		asFloat, _ := q.Float64()
		for n := 1; n <= 120; n += 7 {
			below := exactBelow(n, q)
			got, ok := QuantileInterval(upTo(n), asFloat, confidence)
			if ok != (n >= MinSamples(asFloat, confidence)) {
				t.Fatalf("n %d q %v: ok %v", n, q, ok)
			}
			if !ok {
				continue
			}
			miss := new(big.Rat).Add(below[got.LowRank], new(big.Rat).Sub(big.NewRat(1, 1), below[got.HighRank]))
			exact, _ := new(big.Rat).Sub(big.NewRat(1, 1), miss).Float64()
			if math.Abs(exact-got.Coverage) > 1e-10 || exact < confidence {
				t.Errorf("n %d q %v: coverage %v, exactly %v", n, q, got.Coverage, exact)
			}
			if below[got.LowRank+1].Cmp(tail) <= 0 {
				t.Errorf("n %d q %v: the low rank %d could be higher", n, q, got.LowRank)
			}
			if above := new(big.Rat).Sub(big.NewRat(1, 1), below[got.HighRank-1]); above.Cmp(tail) <= 0 {
				t.Errorf("n %d q %v: the high rank %d could be lower", n, q, got.HighRank)
			}
		}
	}
}

// exactBelow returns at [k] P(B < k), for B binomial with n trials of chance q.
func exactBelow(n int, q *big.Rat) []*big.Rat {
	power := func(base *big.Rat, k int) *big.Rat {
		result := big.NewRat(1, 1)
		for range k {
			result.Mul(result, base)
		}
		return result
	}
	below := []*big.Rat{new(big.Rat)}
	for k := 0; k <= n; k++ {
		chance := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
		chance.Mul(chance, power(q, k))
		chance.Mul(chance, power(new(big.Rat).Sub(big.NewRat(1, 1), q), n-k))
		below = append(below, new(big.Rat).Add(below[k], chance))
	}
	return below
}

func TestBinomialSumsToOneForManyTrials(t *testing.T) {
	sum := 0.0
	for _, chance := range binomial(100_000, 0.99) {
		sum += chance
	}
	if math.Abs(sum-1) > 1e-8 {
		t.Errorf("the probabilities sum to %v", sum)
	}
}
