package gate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// Arm is one side of a comparison: a profile and its bursts that count (valid, not
// warm-ups).
type Arm struct {
	Name   string
	Bursts []Burst
}

// Burst is what a comparison needs of a recorded burst.
type Burst struct {
	// Block is 0 for a burst that was not taken in blocks.
	Block int
	// MakespanSeconds is nil unless every pod was ready.
	MakespanSeconds *stats.Seconds
	// Phases holds the statistics of the burst's pods by phase. A phase that the provider
	// cannot give is nil or absent.
	Phases map[string]*stats.Summary
	// Profiled is set if the components were profiled during the burst, which slows them.
	Profiled bool
}

// Compare compares head with base block by block: the gated endpoints together, each
// watched one by itself. It leaves out blocks that lack a burst of either arm. Profiled
// bursts are never compared: with one of them in an arm, every result is Invalid. Its
// errors are those of Judge.
func (c Criteria) Compare(base, head Arm, o Options) ([]Result, error) {
	if who := profiled(base, head); who != "" {
		return c.refuse(base, head, true, who), nil
	}
	all := []Result{}
	for _, family := range c.families() {
		var endpoints []Endpoint
		for _, criterion := range family.criteria {
			endpoints = append(endpoints, criterion.Endpoint(criterion.pairs(base, head)))
		}
		results, err := Judge(endpoints, o)
		if err != nil {
			return nil, fmt.Errorf("compare %s with %s: %w", head.Name, base.Name, err)
		}
		for i, result := range results {
			result.Pairs = endpoints[i].Pairs
			all = append(all, result.of(base, head, family.gated))
		}
	}
	return all, nil
}

// CompareUnpaired compares arms whose bursts were not taken in blocks; see JudgeUnpaired.
func (c Criteria) CompareUnpaired(base, head Arm) ([]Result, error) {
	if who := profiled(base, head); who != "" {
		return c.refuse(base, head, false, who), nil
	}
	all := []Result{}
	for _, family := range c.families() {
		var endpoints []UnpairedEndpoint
		for _, criterion := range family.criteria {
			endpoints = append(endpoints, criterion.Unpaired(criterion.values(base), criterion.values(head)))
		}
		results, err := JudgeUnpaired(endpoints, Options{Alpha: c.Spec.Alpha})
		if err != nil {
			return nil, fmt.Errorf("compare %s with %s: %w", head.Name, base.Name, err)
		}
		for _, result := range results {
			all = append(all, result.of(base, head, family.gated))
		}
	}
	return all, nil
}

// Suggest is SuggestMargins for the criteria's endpoints, from the blocks of two arms with
// the same configuration.
func (c Criteria) Suggest(base, head Arm) ([]Suggestion, error) {
	if who := profiled(base, head); who != "" {
		return nil, fmt.Errorf("suggest margins: %s; run again without profiling", who)
	}
	var endpoints []Endpoint
	for _, criterion := range c.Spec.Endpoints {
		endpoints = append(endpoints, criterion.Endpoint(criterion.pairs(base, head)))
	}
	return SuggestMargins(endpoints, c)
}

// Trend marks r as a trend, which fails nothing, and gives the reason. Comparing unlike
// things can neither show a regression nor an improvement.
func (r Result) Trend(reason string) Result {
	r.Message = fmt.Sprintf("a trend only, which fails nothing (%s): %s", reason, r.Message)
	if r.Verdict == verdict.Regressed || r.Verdict == verdict.Improved {
		r.Verdict = verdict.Inconclusive
	}
	return r
}

func (r Result) of(base, head Arm, gated bool) Result {
	r.Base, r.Head, r.Gated = base.Name, head.Name, gated
	if r.Pairs == nil {
		r.Pairs = []Pair{}
	}
	return r
}

// family is a set of endpoints whose verdicts are adjusted for one another.
type family struct {
	criteria []Criterion
	gated    bool
}

// families returns the gated endpoints as one family, and each watched one as its own.
func (c Criteria) families() []family {
	all := []family{{c.Spec.Endpoints, true}}
	for i := range c.Spec.Watched {
		all = append(all, family{c.Spec.Watched[i : i+1], false})
	}
	return all
}

// pairs returns the blocks in which both arms have the endpoint, in order.
func (c Criterion) pairs(base, head Arm) []Pair {
	first := map[int]stats.Seconds{}
	for i := range base.Bursts {
		if value, ok := c.value(&base.Bursts[i]); ok {
			first[base.Bursts[i].Block] = value
		}
	}
	second := map[int]stats.Seconds{}
	for i := range head.Bursts {
		if value, ok := c.value(&head.Bursts[i]); ok {
			second[head.Bursts[i].Block] = value
		}
	}
	var all []Pair
	for block, value := range first {
		if other, ok := second[block]; ok {
			all = append(all, Pair{Block: block, BaseSeconds: value, HeadSeconds: other})
		}
	}
	slices.SortFunc(all, func(a, b Pair) int { return cmp.Compare(a.Block, b.Block) })
	return all
}

func (c Criterion) values(a Arm) []float64 {
	var all []float64
	for i := range a.Bursts {
		if value, ok := c.value(&a.Bursts[i]); ok {
			all = append(all, float64(value))
		}
	}
	return all
}

// value is the number of a burst that is compared. A burst whose value is zero has none: a
// ratio to zero does not exist.
func (c Criterion) value(b *Burst) (value stats.Seconds, ok bool) {
	if c.Phase == slo.Makespan {
		if b.MakespanSeconds == nil {
			return 0, false
		}
		return *b.MakespanSeconds, *b.MakespanSeconds > 0
	}
	phase := b.Phases[c.Phase]
	if phase == nil {
		return 0, false
	}
	number, err := phase.Get(c.Stat) // an error means: no samples
	return stats.Seconds(number), err == nil && number > 0
}
