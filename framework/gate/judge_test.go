package gate

import (
	"math"
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// pairs returns pairs with a base of one second (or of base seconds) and the given ratios.
func pairs(base float64, ratios ...float64) []Pair {
	var list []Pair
	for i, ratio := range ratios {
		list = append(list, Pair{Block: i + 1, BaseSeconds: stats.Seconds(base), HeadSeconds: stats.Seconds(base * ratio)})
	}
	return list
}

// around returns n ratios spread evenly from ratio - width to ratio + width.
func around(n int, ratio, width float64) []float64 {
	var list []float64
	for i := range n {
		list = append(list, ratio+width*(2*float64(i)/float64(n-1)-1))
	}
	return list
}

func judgeOne(t *testing.T, e Endpoint, o Options) Result {
	t.Helper()
	results, err := Judge([]Endpoint{e}, o)
	if err != nil {
		t.Fatal(err)
	}
	sane(t, results[0])
	return results[0]
}

// sane checks that no result has NaN or infinite numbers, that bounds enclose the estimate,
// and that the message is one sentence of words.
func sane(t *testing.T, r Result) {
	t.Helper()
	for _, value := range []*float64{r.Ratio, r.Low, r.High, (*float64)(r.BaseSeconds), (*float64)(r.HeadSeconds), (*float64)(r.ChangeSeconds), r.PValue, r.Noise, &r.HighConfidence, &r.LowConfidence} {
		if value != nil && (math.IsNaN(*value) || math.IsInf(*value, 0)) {
			t.Errorf("%+v has the number %v", r, *value)
		}
	}
	if r.Low != nil && *r.Low > *r.Ratio || r.High != nil && *r.High < *r.Ratio {
		t.Errorf("the ratio %v is not between %v and %v", *r.Ratio, *r.Low, *r.High)
	}
	if r.HighConfidence > r.LowConfidence {
		t.Errorf("confidence %v is above that of Low, %v", r.HighConfidence, r.LowConfidence)
	}
	if r.Message == "" || strings.Contains(r.Message, "NaN") || strings.Contains(r.Message, "%!") {
		t.Errorf("message %q", r.Message)
	}
	if (r.Ratio == nil) != (r.Verdict == verdict.Invalid) {
		t.Errorf("verdict %s with ratio %v", r.Verdict, r.Ratio)
	}
}

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		name    string
		pairs   []Pair
		margin  float64
		floor   float64
		options Options
		want    verdict.Verdict
		message string // part of the message
	}{
		{"nothing changed", pairs(1, around(8, 1, 0.02)...), 0.1, 0.05, Options{}, verdict.Pass, "within the margin of 10 %"},
		{"identical", pairs(1, around(8, 1, 0)...), 0.1, 0.05, Options{}, verdict.Pass, "as fast as base"},
		{"slower within the margin", pairs(1, around(8, 1.05, 0.02)...), 0.1, 0.01, Options{}, verdict.Pass, "within the margin of 10 %"},
		{"slower beyond it", pairs(1, around(8, 1.2, 0.02)...), 0.1, 0.05, Options{}, verdict.Regressed, "20 % slower than base (1 s became 1.2 s, 8 blocks)"},
		{"exactly at the margin", pairs(1.3, around(8, 1.1, 0)...), 0.1, 0.01, Options{}, verdict.Inconclusive, "not decided"},
		{"faster", pairs(1, around(8, 0.8, 0.02)...), 0.1, 0.05, Options{}, verdict.Improved, "20 % faster"},
		{"faster by less than the floor", pairs(1, around(8, 0.97, 0.01)...), 0.1, 0.05, Options{}, verdict.Pass, "3 % faster"},
		{"noise", pairs(1, 0.7, 1.3, 0.8, 1.25, 0.9, 1.1, 0.75, 1.4), 0.1, 0.05, Options{}, verdict.Inconclusive, "blocks for 10 % at this noise"},
		{"beyond the margin and surely below the floor", pairs(0.1, around(8, 1.2, 0.02)...), 0.1, 0.05, Options{}, verdict.Pass, "below the floor of 50 ms"},
		{"beyond the margin and not surely on either side of the floor", pairs(0.1, 1.2, 1.3, 1.4, 1.45, 1.5, 1.55, 1.6, 1.7), 0.1, 0.05, Options{}, verdict.Inconclusive, "one side of the floor"},
		{"around the margin and surely below the floor", pairs(0.1, around(8, 1.1, 0.1)...), 0.1, 0.05, Options{}, verdict.Pass, "below the floor"},
		{"five blocks however clear", pairs(1, around(5, 3, 0.01)...), 0.1, 0.05, Options{}, verdict.Inconclusive, "5 valid blocks are too few, run at least 6"},
		// 1/64 is below half of alpha, which each look has, but above a third of that half.
		{"six clear blocks", pairs(1, around(6, 3, 0.01)...), 0.1, 0.05, Options{}, verdict.Regressed, "200 % slower"},
		{"as many as asked for", pairs(1, around(8, 3, 0.01)...), 0.1, 0.05, Options{MinBlocks: 10}, verdict.Inconclusive, "run at least 10"},
		{"six blocks and a stricter alpha", pairs(1, around(6, 3, 0.01)...), 0.1, 0.05, Options{Alpha: 0.03}, verdict.Inconclusive, "not decided"},
		{"the same in one look", pairs(1, around(6, 3, 0.01)...), 0.1, 0.05, Options{Alpha: 0.03, Looks: 1}, verdict.Regressed, "with 97 % confidence"},
		{"no block", nil, 0.1, 0.05, Options{}, verdict.Invalid, "no valid block"},
		{"one outlier among eight", pairs(1, 1, 1.01, 0.99, 1.02, 0.98, 1, 1.01, 2), 0.1, 0.05, Options{}, verdict.Inconclusive, ""},
		{"one outlier among sixteen", append(pairs(1, around(15, 1, 0.02)...), Pair{Block: 16, BaseSeconds: 1, HeadSeconds: 2}), 0.1, 0.05, Options{Look: 2}, verdict.Pass, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := judgeOne(t, Endpoint{Name: "makespan", Margin: test.margin, FloorSeconds: test.floor, Pairs: test.pairs}, test.options)
			if got.Verdict != test.want || !strings.Contains(got.Message, test.message) {
				t.Errorf("got %s: %s\nwant %s with %q", got.Verdict, got.Message, test.want, test.message)
			}
		})
	}
}

// At an alpha of 0.04, an endpoint that is slower at p = 3/256 trips a gate of three
// endpoints but not one of four (0.01 is below 3/256). Once it is rejected, the others need
// less.
func TestHolmOverEndpoints(t *testing.T) {
	// The Walsh averages not above the margin are 1.05 with itself and with 1.101 (the
	// square root of 1.05·1.16 is 1.104), so P(W <= 2) = 3/256.
	third := pairs(10, 1.05, 1.101, 1.16, 1.3, 1.4, 1.5, 1.6, 1.7)
	once := Options{Alpha: 0.04, Looks: 1}
	endpoint := func(name string, list []Pair) Endpoint {
		return Endpoint{Name: name, Margin: 0.1, Pairs: list}
	}
	calm := pairs(10, around(8, 1, 0.01)...)
	alone := judgeOne(t, endpoint("a", third), once)
	near(t, "p", *alone.PValue, 3.0/256)
	for _, test := range []struct {
		others int
		want   verdict.Verdict
	}{{0, verdict.Regressed}, {1, verdict.Regressed}, {2, verdict.Regressed}, {3, verdict.Inconclusive}} {
		list := []Endpoint{endpoint("a", third)}
		for i := range test.others {
			list = append(list, endpoint(string(rune('b'+i)), calm))
		}
		results, err := Judge(list, once)
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0]; got.Verdict != test.want || math.Abs(*got.PValue-float64(1+test.others)*3/256) > 1e-12 {
			t.Errorf("with %d others: %s with p = %v, want %s", test.others, got.Verdict, *got.PValue, test.want)
		}
		if test.want == verdict.Regressed && *results[0].Low <= 1.1 {
			t.Errorf("regressed with the lower bound %v", *results[0].Low)
		}
		for _, other := range results[1:] {
			if other.Verdict != verdict.Pass {
				t.Errorf("%s: %s", other.Endpoint, other.Message)
			}
		}
	}
	// P(W <= 4) = 7/256, from 1.02 with itself and with the next three, is too much for a
	// third and for a half of 0.04, but enough for the last of three.
	weak := pairs(10, 1.02, 1.101, 1.12, 1.13, 1.2, 1.5, 1.6, 1.7)
	last := judgeOne(t, endpoint("weak", weak), once)
	if *last.PValue <= 0.02 || *last.PValue > 0.04 {
		t.Fatalf("p is %v", *last.PValue)
	}
	results, err := Judge([]Endpoint{endpoint("a", third), endpoint("weak", weak), endpoint("c", pairs(10, around(8, 2, 0.1)...))}, once)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		if result.Verdict != verdict.Regressed {
			t.Errorf("%s: %s, %s", result.Endpoint, result.Verdict, result.Message)
		}
	}
}

func TestUnpairedVerdicts(t *testing.T) {
	for _, test := range []struct {
		name       string
		base, head []float64
		want       verdict.Verdict
		message    string
	}{
		{"nothing changed", around(8, 1, 0.03), around(8, 1.001, 0.03), verdict.Pass, "compare both in one run"},
		{"slower", around(8, 1, 0.03), around(8, 1.3, 0.03), verdict.Regressed, "8 and 8 bursts"},
		{"four of each arm, apart", around(4, 1, 0.03), around(4, 1.5, 0.03), verdict.Regressed, "4 and 4 bursts"},
		{"three of one arm", around(3, 1, 0.03), around(9, 1.5, 0.03), verdict.Inconclusive, "too few, run at least 4"},
		{"faster", around(8, 1, 0.03), around(9, 0.7, 0.03), verdict.Improved, "8 and 9 bursts"},
		{"an arm without a burst", around(8, 1, 0.03), nil, verdict.Invalid, "no valid burst"},
		{"noise", around(5, 1, 0.15), around(5, 1.02, 0.15), verdict.Inconclusive, "bursts of each arm for 10 %"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results, err := JudgeUnpaired([]UnpairedEndpoint{{Name: "makespan", Margin: 0.1, FloorSeconds: 0.05, Base: test.base, Head: test.head}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			sane(t, results[0])
			if got := results[0]; got.Verdict != test.want || !strings.Contains(got.Message, test.message) || got.Paired {
				t.Errorf("got %s: %s\nwant %s with %q", got.Verdict, got.Message, test.want, test.message)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	good := func() Endpoint { return Endpoint{Name: "a", Margin: 0.1, Pairs: pairs(1, around(8, 1, 0.01)...)} }
	with := func(change func(*Endpoint)) []Endpoint {
		e := good()
		change(&e)
		return []Endpoint{e}
	}
	seconds := func(value float64) []Endpoint {
		return with(func(e *Endpoint) { e.Pairs[3].HeadSeconds = stats.Seconds(value) })
	}
	for _, test := range []struct {
		name      string
		endpoints []Endpoint
		options   Options
		want      string
	}{
		{"no endpoint", nil, Options{}, "0 endpoints"},
		{"five endpoints", make([]Endpoint, 5), Options{}, "an endpoint has no name"},
		{"five named endpoints", func() (five []Endpoint) {
			for _, name := range []string{"a", "b", "c", "d", "e"} {
				five = append(five, Endpoint{Name: name, Margin: 0.1})
			}
			return five
		}(), Options{}, "5 endpoints; gate 1 to 4"},
		{"one name twice", []Endpoint{good(), good()}, Options{}, "a is there twice"},
		{"a block twice", with(func(e *Endpoint) { e.Pairs[1].Block = 1 }), Options{}, "block 1 is there twice"},
		{"zero seconds", seconds(0), Options{}, "a burst of head took 0 s"},
		{"negative seconds", seconds(-1), Options{}, "took -1 s"},
		{"NaN", seconds(math.NaN()), Options{}, "took NaN s"},
		{"infinity", seconds(math.Inf(1)), Options{}, "took +Inf s"},
		{"a denormal", seconds(5e-324), Options{}, "took 5e-324 s"},
		{"no margin", with(func(e *Endpoint) { e.Margin = 0 }), Options{}, "the margin is 0"},
		{"NaN as margin", with(func(e *Endpoint) { e.Margin = math.NaN() }), Options{}, "the margin is NaN"},
		{"negative floor", with(func(e *Endpoint) { e.FloorSeconds = -1 }), Options{}, "the floor is -1 s"},
		{"too many blocks", with(func(e *Endpoint) { e.Pairs = pairs(1, around(257, 1, 0.1)...) }), Options{}, "257 blocks; give at most 256"},
		{"alpha", []Endpoint{good()}, Options{Alpha: 0.5}, "alpha is 0.5"},
		{"three looks", []Endpoint{good()}, Options{Looks: 3}, "3 looks"},
		{"a look that was not planned", []Endpoint{good()}, Options{Look: 2, Looks: 1}, "look 2 of 1"},
		{"too few blocks asked for", []Endpoint{good()}, Options{MinBlocks: 5}, "fewer than 6 cannot be judged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			results, err := Judge(test.endpoints, test.options)
			if err == nil || results != nil || !strings.HasPrefix(err.Error(), "judge") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v; want %q", results, err, test.want)
			}
		})
	}
}

// overall is the gravest verdict of the endpoints.
func overall(results []Result) verdict.Verdict {
	var all []verdict.Verdict
	for _, r := range results {
		all = append(all, r.Verdict)
	}
	return verdict.Gravest(all...)
}
