package gate

import (
	"fmt"
	"math"
	"slices"
)

// The accepted range of seconds: no clock here can resolve less than a nanosecond, and 1e9
// s are 30 years. They keep every ratio finite.
const (
	minSeconds = 1e-9
	maxSeconds = 1e9
	maxMargin  = 10
)

// Judge compares head with base, block by block. Results are in the order of endpoints. An
// endpoint with too few blocks still counts in Holm's method, as one that cannot reject.
//
// Judge returns an error if there are no endpoints or more than MaxEndpoints, if two have
// the same name, if a block occurs twice, if there are more than 256 blocks, or if a number
// or an option is out of range. Seconds of 0 or less are out of range: every endpoint takes
// time, and a clock error that large makes the burst invalid.
func Judge(endpoints []Endpoint, o Options) ([]Result, error) {
	if err := o.check(2, leastPaired); err != nil {
		return nil, err
	}
	tails := map[int][]float64{}
	comparisons := make([]comparison, 0, len(endpoints))
	for _, endpoint := range endpoints {
		c := comparison{name: endpoint.Name, margin: endpoint.Margin, floor: endpoint.FloorSeconds, paired: true, blocks: len(endpoint.Pairs)}
		var ratios, changes []float64
		seen := map[int]bool{}
		for _, pair := range endpoint.Pairs {
			if seen[pair.Block] {
				return nil, fmt.Errorf("judge %s: block %d is there twice; a block is one burst of each arm", endpoint.Name, pair.Block)
			}
			seen[pair.Block] = true
			base, head := float64(pair.BaseSeconds), float64(pair.HeadSeconds)
			c.base = append(c.base, base)
			c.head = append(c.head, head)
			ratios = append(ratios, math.Log(head)-math.Log(base))
			changes = append(changes, head-base)
		}
		if err := c.check(maxBlocks); err != nil {
			return nil, err
		}
		if c.blocks > 0 {
			tail, ok := tails[c.blocks]
			if !ok {
				tail = signedRankTail(c.blocks)
				tails[c.blocks] = tail
			}
			c.ratio, c.change = paired(ratios, tail), paired(changes, tail)
			c.noise, c.noisy = spread(ratios)
		}
		comparisons = append(comparisons, c)
	}
	return judge(comparisons, o)
}

// JudgeUnpaired compares two recordings of bursts that were not taken in blocks, by the
// rules of Judge. It uses all differences between the logarithms of head's and base's
// bursts and the exact distribution of Mann and Whitney's U. It is much weaker than Judge:
// every change between the recordings is attributed to head, and drift of the machine
// within them counts as noise. Recordings of two machines show a trend and must not fail
// anything.
//
// It needs at least 4 bursts of each arm: with fewer, no outcome is as unlikely as a third
// of alpha. More than 64 bursts of one arm are an error; other errors are those of Judge.
func JudgeUnpaired(endpoints []UnpairedEndpoint, o Options) ([]Result, error) {
	if err := o.check(1, leastUnpaired); err != nil {
		return nil, err
	}
	comparisons := make([]comparison, 0, len(endpoints))
	for _, endpoint := range endpoints {
		c := comparison{
			name: endpoint.Name, margin: endpoint.Margin, floor: endpoint.FloorSeconds,
			blocks: min(len(endpoint.Base), len(endpoint.Head)),
			base:   endpoint.Base, head: endpoint.Head,
		}
		if err := c.check(maxUnpaired); err != nil {
			return nil, err
		}
		if c.blocks > 0 {
			base, head := logarithms(c.base), logarithms(c.head)
			c.ratio, c.change = unpaired(base, head), unpaired(c.base, c.head)
			ofBase, ok := spread(base)
			ofHead, too := spread(head)
			c.noise, c.noisy = math.Hypot(ofBase, ofHead), ok && too
		}
		comparisons = append(comparisons, c)
	}
	return judge(comparisons, o)
}

// comparison is an endpoint of either kind. Without blocks, ratio and change are zero.
type comparison struct {
	name          string
	margin, floor float64
	paired        bool
	blocks        int
	base, head    []float64
	// ratio is in logarithms, change in seconds.
	ratio, change shift
	noise         float64
	noisy         bool // noise is known
}

func (c comparison) check(most int) error {
	switch {
	case c.name == "":
		return fmt.Errorf("judge: an endpoint has no name")
	case !(c.margin > 0 && c.margin <= maxMargin):
		return fmt.Errorf("judge %s: the margin is %v; choose a part of base above 0 and at most %d, such as 0.1", c.name, c.margin, maxMargin)
	case !(c.floor >= 0 && c.floor <= maxSeconds):
		return fmt.Errorf("judge %s: the floor is %v s; choose seconds of 0 or more", c.name, c.floor)
	case max(len(c.base), len(c.head)) > most:
		return fmt.Errorf("judge %s: %d blocks; give at most %d", c.name, max(len(c.base), len(c.head)), most)
	}
	for i, arm := range [][]float64{c.base, c.head} {
		for _, seconds := range arm {
			if !(seconds >= minSeconds && seconds <= maxSeconds) {
				return fmt.Errorf("judge %s: a burst of %s took %v s; leave out bursts that are not valid", c.name, [...]string{"base", "head"}[i], seconds)
			}
		}
	}
	return nil
}

func judge(comparisons []comparison, o Options) ([]Result, error) {
	if len(comparisons) == 0 || len(comparisons) > MaxEndpoints {
		return nil, fmt.Errorf("judge: %d endpoints; gate 1 to %d, for each one more makes all of them harder to decide", len(comparisons), MaxEndpoints)
	}
	p, gain := make([]float64, len(comparisons)), make([]float64, len(comparisons))
	names := map[string]bool{}
	for i, c := range comparisons {
		if names[c.name] {
			return nil, fmt.Errorf("judge: endpoint %s is there twice; leave one out", c.name)
		}
		names[c.name] = true
		p[i], gain[i] = 1, 1
		if c.blocks >= o.MinBlocks {
			p[i], gain[i] = c.ratio.p(math.Log1p(c.margin)), c.ratio.under(math.Log1p(c.margin))
		}
	}
	alpha := o.share(o.Look)
	adjusted, levels := holm(p, alpha)
	_, gains := holm(gain, alpha)
	strictest := o.share(1) / float64(len(comparisons))
	results := make([]Result, 0, len(comparisons))
	for i, c := range comparisons {
		j := judgment{comparison: c, options: o, alpha: alpha, level: levels[i]}
		result := j.result()
		if c.blocks > 0 {
			result.PValue = &adjusted[i]
		}
		if c.noisy {
			least := max(o.MinBlocks, leastBlocks(strictest, c.paired))
			result.Noise, result.BlocksNeeded = &c.noise, blocksNeeded(c.noise, c.margin, strictest, least)
		}
		j.slower, j.faster = p[i] <= levels[i], gain[i] <= gains[i]
		result.Verdict = j.verdict()
		result.Message = j.message(result)
		results = append(results, result)
	}
	return results, nil
}

func logarithms(values []float64) []float64 {
	logs := make([]float64, 0, len(values))
	for _, value := range values {
		logs = append(logs, math.Log(value))
	}
	return logs
}

func medianOf(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }
