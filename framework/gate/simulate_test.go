package gate

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// To print the table of docs/statistics.md: go test ./framework/gate -run Simulation -v
// -simulate 4000
var simulate = flag.Int("simulate", 0, "print the simulation's table, of so many runs a line")

// world is a machine that runs bursts of base and head one after the other. Its standard
// deviations are of logarithms.
type world struct {
	// ratio is the true head/base of every endpoint.
	ratio float64
	// cv is the bursts' own noise.
	cv float64
	// trend is a drift of the machine, linear over 8 blocks and continuing after them; wave
	// is a periodic one of the same length, from trough to crest.
	trend, wave float64
	// outliers is the share of bursts that take 1.5 times as long.
	outliers float64
	// persistence is how much of a burst's noise carries over to the next one (an
	// autoregressive process of order 1).
	persistence float64
}

// shared is the share of its variance that a burst's noise has in common across endpoints.
const shared = 0.8

// ordinary is a machine with everything that a gate meets in practice.
var ordinary = world{ratio: 1, cv: 0.05, trend: 0.08, outliers: 0.05, persistence: 0.3}

// run returns the default criteria's endpoints with the given number of blocks.
func (w world) run(random *rand.Rand, blocks int) []Endpoint {
	var endpoints []Endpoint
	base := []float64{4, 3.5}
	for _, criterion := range DefaultCriteria().Spec.Endpoints {
		endpoints = append(endpoints, criterion.Endpoint(nil))
	}
	common := random.NormFloat64()
	burst := func(at int, ratio float64) (seconds []float64) {
		part := float64(at) / 16 // of 8 blocks
		log := w.trend*part + w.wave/2*math.Sin(2*math.Pi*part)
		if random.Float64() < w.outliers {
			log += math.Log(1.5)
		}
		common = w.persistence*common + math.Sqrt(1-w.persistence*w.persistence)*random.NormFloat64()
		for i := range endpoints {
			noise := math.Sqrt(shared)*common + math.Sqrt(1-shared)*random.NormFloat64()
			seconds = append(seconds, base[i]*ratio*math.Exp(log+w.cv*noise))
		}
		return seconds
	}
	for block := range blocks {
		var arms [2][]float64
		first := random.IntN(2)
		for turn := range 2 {
			arm := (first + turn) % 2
			arms[arm] = burst(2*block+turn, []float64{1, w.ratio}[arm])
		}
		for i := range endpoints {
			endpoints[i].Pairs = append(endpoints[i].Pairs, Pair{Block: block + 1, BaseSeconds: stats.Seconds(arms[0][i]), HeadSeconds: stats.Seconds(arms[1][i])})
		}
	}
	return endpoints
}

// design says how the bursts of a run are judged.
type design struct {
	name  string
	judge func(run []Endpoint) ([]Result, error)
}

func first(run []Endpoint, blocks int) []Endpoint {
	var cut []Endpoint
	for _, endpoint := range run {
		endpoint.Pairs = endpoint.Pairs[:blocks]
		cut = append(cut, endpoint)
	}
	return cut
}

var designs = []design{
	{"one endpoint, 8 blocks", func(run []Endpoint) ([]Result, error) {
		return Judge(first(run[:1], 8), Options{Looks: 1})
	}},
	{"gate of 2, 8 blocks", func(run []Endpoint) ([]Result, error) {
		return Judge(first(run, 8), Options{Looks: 1})
	}},
	{"gate as shipped, 8 or 16", func(run []Endpoint) ([]Result, error) {
		criteria := DefaultCriteria()
		results, err := Judge(first(run, 8), criteria.Options(1))
		if err != nil || overall(results) != verdict.Inconclusive {
			return results, err
		}
		return Judge(run, criteria.Options(2))
	}},
	{"one endpoint, unpaired 8 + 8", func(run []Endpoint) ([]Result, error) {
		u := UnpairedEndpoint{Name: run[0].Name, Margin: run[0].Margin, FloorSeconds: run[0].FloorSeconds}
		for i, pair := range run[0].Pairs {
			if i < 8 {
				u.Base = append(u.Base, float64(pair.BaseSeconds))
			} else {
				u.Head = append(u.Head, float64(pair.HeadSeconds))
			}
		}
		return JudgeUnpaired([]UnpairedEndpoint{u}, Options{})
	}},
}

// rates are the shares of Regressed, of Pass or Improved, of Inconclusive, and of Improved
// alone.
type rates struct{ regressed, pass, inconclusive, improved float64 }

func (w world) rates(t *testing.T, judge func([]Endpoint) ([]Result, error), runs int) (r rates) {
	t.Helper()
	random := rand.New(rand.NewPCG(20261129, uint64(runs)))
	for range runs {
		results, err := judge(w.run(random, 16))
		if err != nil {
			t.Fatal(err)
		}
		if overall(results) == verdict.Improved {
			r.improved += 1 / float64(runs)
		}
		switch overall(results) {
		case verdict.Regressed:
			r.regressed += 1 / float64(runs)
		case verdict.Pass, verdict.Improved:
			r.pass += 1 / float64(runs)
		case verdict.Inconclusive:
			r.inconclusive += 1 / float64(runs)
		}
	}
	return r
}

func (w world) slower(percent float64) world {
	w.ratio = 1 + percent/100
	return w
}

// The quick version of the table, with tolerances of several standard errors.
func TestSimulatedRates(t *testing.T) {
	const runs = 400
	clean := ordinary
	clean.outliers = 0
	for _, test := range []struct {
		name                 string
		w                    world
		design               int
		regressed, atMost    float64
		passes, passesAtMost float64
	}{
		{"no change, one endpoint", ordinary.slower(0), 0, 0, 0.01, 0.6, 1},
		{"no change, 8 blocks", ordinary.slower(0), 1, 0, 0.01, 0.6, 1},
		{"no change, as shipped", ordinary.slower(0), 2, 0, 0.01, 0.8, 1},
		{"no change nor outliers, as shipped", clean.slower(0), 2, 0, 0.01, 0.98, 1},
		// Exactly at the margin, alpha bounds both errors.
		{"+10 %, one endpoint", ordinary.slower(10), 0, 0, 0.07, 0, 0.07},
		{"+10 %, as shipped", ordinary.slower(10), 2, 0, 0.07, 0, 0.07},
		{"+10 % without outliers, as shipped", clean.slower(10), 2, 0, 0.07, 0, 0.07},
		{"+20 %, as shipped", ordinary.slower(20), 2, 0.77, 1, 0, 0.01},
		{"+20 % without outliers, one endpoint", clean.slower(20), 0, 0.9, 1, 0, 0.01},
		{"+20 % without outliers, 8 blocks", clean.slower(20), 1, 0.85, 1, 0, 0.01},
		{"+20 % without outliers, as shipped", clean.slower(20), 2, 0.97, 1, 0, 0.01},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := test.w.rates(t, designs[test.design].judge, runs)
			if test.w.ratio >= 1 && r.improved > 0.01 {
				t.Errorf("%v of heads that are no faster are called improved", r.improved)
			}
			if r.regressed < test.regressed || r.regressed > test.atMost || r.pass < test.passes || r.pass > test.passesAtMost {
				t.Errorf("%+v of runs; want %v to %v regressed, %v to %v pass", r, test.regressed, test.atMost, test.passes, test.passesAtMost)
			}
		})
	}
}

// With as many blocks as the hint says, nine of ten unchanged heads pass.
func TestTheHintHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, cv := range []float64{0.03, 0.05, 0.07, 0.1} {
		w := world{ratio: 1, cv: cv}
		// The noise of a pair comes from two bursts.
		n := blocksNeeded(cv*math.Sqrt2, 0.1, 0.025, leastPaired)
		passes := 0.0
		const runs = 1000
		for range runs {
			results, err := Judge(w.run(random, n)[:1], Options{})
			if err != nil {
				t.Fatal(err)
			}
			if results[0].Verdict == verdict.Pass {
				passes += 1.0 / runs
			}
		}
		t.Logf("CV %v: %.3f pass with %d blocks", cv, passes, n)
		if passes < 0.85 || passes > 0.97 {
			t.Errorf("CV %v: %.3f of unchanged heads pass with %d blocks", cv, passes, n)
		}
	}
}

// A gate with calibrated margins reaches a decision, both if nothing changed and if an
// endpoint is slower by twice its margin.
func TestSuggestedMarginsDecide(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	const runs = 300
	w := world{cv: 0.08}
	passed, found := 0.0, 0.0
	for range runs {
		plan := DefaultCriteria()
		suggestions, err := SuggestMargins(w.slower(0).run(random, 12), plan)
		if err != nil {
			t.Fatal(err)
		}
		plan = plan.Calibrated(suggestions, Evidence{Provider: "simulated"})
		decide := func(percent float64) verdict.Verdict {
			run := w.slower(percent).run(random, plan.Spec.MaxBlocks)
			for i := range run {
				run[i].Margin = plan.Spec.Endpoints[i].Margin
			}
			results, err := Judge(first(run, plan.Spec.Blocks), plan.Options(1))
			if err == nil && overall(results) == verdict.Inconclusive {
				results, err = Judge(run, plan.Options(2))
			}
			if err != nil {
				t.Fatal(err)
			}
			return overall(results)
		}
		largest := 0.0
		for _, s := range suggestions {
			largest = max(largest, s.Margin)
		}
		if decide(0) == verdict.Pass {
			passed += 1.0 / runs
		}
		if decide(200*largest) == verdict.Regressed {
			found += 1.0 / runs
		}
	}
	if passed < 0.9 || found < 0.9 {
		t.Errorf("%.3f of unchanged heads pass, %.3f of those slower by twice the margin are found", passed, found)
	}
	t.Logf("%.3f pass, %.3f are found", passed, found)
}

func TestSimulationTable(t *testing.T) {
	if *simulate == 0 {
		t.Skip("takes a minute; see the flag -simulate")
	}
	line := func(name string, w world) {
		text := fmt.Sprintf("| %-42s |", name)
		for _, d := range designs {
			r := w.rates(t, d.judge, *simulate)
			text += fmt.Sprintf(" %5.1f / %5.1f |", 100*r.regressed, 100*r.pass)
		}
		t.Log(text)
	}
	for _, d := range designs {
		t.Log(d.name)
	}
	plain := world{cv: 0.05, trend: 0.08}
	for _, percent := range []float64{0, 10, 20} {
		line(fmt.Sprintf("plain, %+.0f %%", percent), plain.slower(percent))
	}
	for _, percent := range []float64{-20, 0, 5, 10, 15, 20, 30} {
		line(fmt.Sprintf("ordinary, %+.0f %%", percent), ordinary.slower(percent))
	}
	change := func(edit func(*world)) world { w := ordinary; edit(&w); return w }
	for _, v := range []struct {
		name string
		w    world
	}{
		{"no outliers", change(func(w *world) { w.outliers = 0 })},
		{"10 % outliers", change(func(w *world) { w.outliers = 0.1 })},
		{"wave of 8 % instead of the trend", change(func(w *world) { w.trend, w.wave = 0, 0.08 })},
		{"persistence 0.7", change(func(w *world) { w.persistence = 0.7 })},
		{"CV 3 %", change(func(w *world) { w.cv = 0.03 })},
		{"CV 10 %", change(func(w *world) { w.cv = 0.1 })},
	} {
		line(v.name+", 0 %", v.w.slower(0))
		line(v.name+", +20 %", v.w.slower(20))
	}
}
