package gate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// randomEndpoint draws n blocks around ratio, with the given noise of the log ratio.
func randomEndpoint(random *rand.Rand, n int, ratio, noise float64) Endpoint {
	e := Endpoint{Name: "e", Margin: 0.1, FloorSeconds: 0.05}
	for i := range n {
		base := 2 * math.Exp(0.1*random.NormFloat64())
		e.Pairs = append(e.Pairs, Pair{Block: i, BaseSeconds: stats.Seconds(base), HeadSeconds: stats.Seconds(base * ratio * math.Exp(noise*random.NormFloat64()))})
	}
	return e
}

func TestProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		e := randomEndpoint(random, 1+random.IntN(20), math.Exp(0.3*random.NormFloat64()), 0.1*random.Float64())
		got := judgeOne(t, e, Options{})

		// Swapped arms: the reciprocal ratio, the mirrored interval, the opposite change.
		swapped := e
		swapped.Pairs = slices.Clone(e.Pairs)
		for i, pair := range swapped.Pairs {
			swapped.Pairs[i].BaseSeconds, swapped.Pairs[i].HeadSeconds = pair.HeadSeconds, pair.BaseSeconds
		}
		mirror := judgeOne(t, swapped, Options{})
		near(t, "swapped ratio", *got.Ratio**mirror.Ratio, 1)
		near(t, "swapped change", float64(*got.ChangeSeconds+*mirror.ChangeSeconds), 0)
		if got.Low != nil {
			near(t, "swapped low", *got.Low**mirror.High, 1)
			near(t, "swapped high", *got.High**mirror.Low, 1)
		}
		if (got.Verdict == verdict.Regressed) != (mirror.Verdict == verdict.Improved) || (got.Verdict == verdict.Improved) != (mirror.Verdict == verdict.Regressed) {
			t.Errorf("%s, and swapped %s", got.Verdict, mirror.Verdict)
		}

		// The order of blocks and of endpoints does not matter.
		shuffled := e
		shuffled.Pairs = slices.Clone(e.Pairs)
		random.Shuffle(len(shuffled.Pairs), func(i, j int) {
			shuffled.Pairs[i], shuffled.Pairs[j] = shuffled.Pairs[j], shuffled.Pairs[i]
		})
		if again := judgeOne(t, shuffled, Options{}); again.Message != got.Message || *again.PValue != *got.PValue {
			t.Errorf("shuffled: %s\nbefore: %s", again.Message, got.Message)
		}

		// A machine twice as slow has the same ratios.
		scaled := e
		scaled.Pairs = slices.Clone(e.Pairs)
		for i := range scaled.Pairs {
			scaled.Pairs[i].BaseSeconds *= 1.7
			scaled.Pairs[i].HeadSeconds *= 1.7
		}
		again := judgeOne(t, scaled, Options{})
		near(t, "scaled ratio", *again.Ratio, *got.Ratio)
		near(t, "scaled p", *again.PValue, *got.PValue)

		// Identical arms never regress, and they pass from 8 blocks on.
		same := e
		same.Pairs = slices.Clone(e.Pairs)
		for i := range same.Pairs {
			same.Pairs[i].HeadSeconds = same.Pairs[i].BaseSeconds
		}
		identical := judgeOne(t, same, Options{})
		if want := map[bool]verdict.Verdict{true: verdict.Pass, false: verdict.Inconclusive}[len(same.Pairs) >= leastPaired]; identical.Verdict != want {
			t.Errorf("identical arms, %d blocks: %s", len(same.Pairs), identical.Message)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(uint64(1), 8, 1.2, 0.1, 0.05, 2.0, 0.05)
	f.Add(uint64(2), 0, 1.0, 1e-300, 0.0, 1e-9, 1e-300)
	f.Add(uint64(3), 64, 1e9, 10.0, 1e9, 1e-9, 0.49)
	f.Add(uint64(4), 7, math.Inf(1), math.NaN(), -1.0, 0.0, 1.0)
	f.Fuzz(func(t *testing.T, seed uint64, n int, ratio, margin, floor, base, alpha float64) {
		random := rand.New(rand.NewPCG(seed, 0))
		e := Endpoint{Name: "e", Margin: margin, FloorSeconds: floor}
		u := UnpairedEndpoint{Name: "e", Margin: margin, FloorSeconds: floor}
		for i := range min(max(n, 0), 24) {
			pair := Pair{Block: i, BaseSeconds: stats.Seconds(base * random.ExpFloat64()), HeadSeconds: stats.Seconds(base * ratio * random.ExpFloat64())}
			e.Pairs = append(e.Pairs, pair)
			u.Base, u.Head = append(u.Base, float64(pair.BaseSeconds)), append(u.Head, float64(pair.HeadSeconds))
		}
		if results, err := Judge([]Endpoint{e}, Options{Alpha: alpha}); err == nil {
			sane(t, results[0])
		}
		if results, err := JudgeUnpaired([]UnpairedEndpoint{u}, Options{Alpha: alpha}); err == nil {
			sane(t, results[0])
		}
		if suggestions, err := SuggestMargins([]Endpoint{e}, DefaultCriteria()); err == nil {
			if s := suggestions[0]; !(s.Margin >= MinMargin && s.Margin <= MaxMargin) || math.IsNaN(s.Evidence.Noise) || math.IsNaN(s.Evidence.CV) {
				t.Errorf("%+v", s)
			}
		}
	})
}
