package gate

import (
	"github.com/podburst/podburst/framework/verdict"
)

// Pair is one block: a burst of each arm, both valid, neither a warm-up.
type Pair struct {
	// Block tells blocks apart; each number occurs once.
	Block int
	// Base and Head are seconds, from a nanosecond to 1e9.
	Base, Head float64
}

// Endpoint is a quantity that is gated, with one value for each burst.
type Endpoint struct {
	// Name is unique, "submit_to_ready/p50" or "makespan"; see Criterion.Name.
	Name string
	// Margin is the slowdown that is tolerated, as a part of base: 0.1 is 10 %.
	// Above 0, at most 10.
	Margin float64
	// FloorSeconds is the change that is too small to act on, whatever its ratio.
	// 0 or more.
	FloorSeconds float64
	// Pairs are in any order. None makes the endpoint Invalid.
	Pairs []Pair
}

// UnpairedEndpoint is an Endpoint whose arms come from two recordings.
type UnpairedEndpoint struct {
	Name         string
	Margin       float64
	FloorSeconds float64
	// Base and Head are seconds, one for each valid burst, in any order. An empty one
	// makes the endpoint Invalid.
	Base, Head []float64
}

// Options say how sure a verdict must be.
type Options struct {
	// Alpha is the risk that any endpoint is called regressed that is not slower by
	// more than its margin, over all looks, and the risk that the gate passes where
	// one is. Above 0 and below 0.5; default 0.05.
	Alpha float64
	// Look counts from 1 how often the data were judged, growing; default 1.
	Look int
	// Looks is how often they may be, and was decided beforehand: 1 or 2. Default 2
	// for Judge (see Criteria.Options) and 1 for JudgeUnpaired, whose recordings do
	// not grow.
	Looks int
	// MinBlocks is the least number of blocks (unpaired: of bursts of each arm) that is
	// judged; fewer are Inconclusive. At least, and by default, 6 (unpaired: 4).
	MinBlocks int
}

// Result is the judgment of one endpoint. Every number is finite; numbers that do not
// exist are nil.
type Result struct {
	Endpoint string
	// Blocks counts the pairs; of an unpaired comparison, the bursts of the arm that
	// has fewer.
	Blocks int
	// Paired tells Judge's results from JudgeUnpaired's.
	Paired bool
	// Ratio is the Hodges-Lehmann estimate of head/base: 1.1 is 10 % slower. nil
	// without a block.
	Ratio *float64
	// Low and High are one-sided bounds of the ratio: it is above Low with
	// LowConfidence, and below High with Confidence. nil where there are too few
	// blocks for the level.
	Low, High *float64
	// Confidence is 1 - Alpha: that of High, and at least that of Low.
	Confidence float64
	// LowConfidence is that of Low, which Holm's method raises: a regression of any
	// endpoint trips the gate, a pass takes all of them.
	LowConfidence float64
	// Alpha is this look's part of Options.Alpha, which PValue is compared with.
	Alpha float64
	// BaseSeconds and HeadSeconds are the arms' medians, ChangeSeconds the
	// Hodges-Lehmann estimate of head - base. nil without a block.
	BaseSeconds, HeadSeconds, ChangeSeconds *float64
	// PValue is that of "slower by more than the margin", one-sided, exact and
	// adjusted by Holm's method. nil without a block.
	PValue *float64
	// Margin and FloorSeconds are the endpoint's.
	Margin, FloorSeconds float64
	// Noise is the robust standard deviation of a block's log ratio: 0.07 is about
	// 7 %. nil below two blocks.
	Noise *float64
	// BlocksNeeded is about how many blocks tell a change by the margin from none, at
	// this noise, nine times out of ten (unpaired: bursts of each arm). 0: unknown.
	BlocksNeeded int
	Verdict      verdict.Verdict
	// Message is one sentence with the numbers and what to do.
	Message string
}
