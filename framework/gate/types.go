package gate

import (
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// Pair is one block: a burst of each arm, both valid, neither a warm-up.
type Pair struct {
	// Block is the block's number; each occurs once.
	Block int `json:"block"`
	// BaseSeconds is the value of the base's burst, from a nanosecond to 1e9 s.
	BaseSeconds stats.Seconds `json:"baseSeconds"`
	// HeadSeconds is the value of the head's burst, from a nanosecond to 1e9 s.
	HeadSeconds stats.Seconds `json:"headSeconds"`
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
	// Pairs are in any order. Without any, the endpoint is Invalid.
	Pairs []Pair
}

// UnpairedEndpoint is an Endpoint whose arms come from two recordings.
type UnpairedEndpoint struct {
	Name         string
	Margin       float64
	FloorSeconds float64
	// Base and Head are seconds, one for each valid burst, in any order. If either is
	// empty, the endpoint is Invalid.
	Base, Head []float64
}

// Options say how sure a verdict must be.
type Options struct {
	// Alpha bounds two risks over all looks: that an endpoint is called regressed although
	// it is not slower by more than its margin, and that the gate passes although an
	// endpoint is. Above 0 and below 0.5; default 0.05.
	Alpha float64
	// Look is the number of this look, counted from 1; default 1.
	Look int
	// Looks is how many looks were planned beforehand: 1 or 2. Default 2 for Judge (see
	// Criteria.Options) and 1 for JudgeUnpaired, whose recordings do not grow.
	Looks int
	// MinBlocks is the least number of blocks (unpaired: of bursts of each arm) that is
	// judged; with fewer, the result is Inconclusive. The minimum and default is 6
	// (unpaired: 4).
	MinBlocks int
}

// Result is one endpoint of the head profile compared with the base profile's. Every
// number is finite; one that does not exist is null.
type Result struct {
	// Base is the name of the profile that is compared with.
	Base string `json:"base"`
	// Head is the name of the profile that is judged.
	Head string `json:"head"`
	// Endpoint is what was compared, one number for each burst: "makespan",
	// "pod_startup/p50".
	Endpoint string `json:"endpoint"`
	// Gated tells whether the verdict counts. Otherwise the endpoint is only watched.
	Gated bool `json:"gated"`
	// Paired tells whether the two bursts of a block were compared with one another.
	// Otherwise the bursts of two recordings were, in no order.
	Paired bool `json:"paired"`
	// Blocks is how many valid blocks the numbers rest on; if unpaired, how many bursts
	// the arm has that has fewer.
	Blocks int `json:"blocks"`
	// Ratio is the Hodges-Lehmann estimate of head/base: 1.1 is 10 % slower. Null without
	// a block.
	Ratio *float64 `json:"ratio"`
	// Low is the lower bound of the ratio: it is above this with LowConfidence. Null with
	// too few blocks for that level.
	Low *float64 `json:"low"`
	// High is the upper bound of the ratio: it is below this with HighConfidence. Null
	// with too few blocks for that level.
	High *float64 `json:"high"`
	// LowConfidence is the confidence of Low, at least that of High. Holm's method raises
	// it, because a regression of any one endpoint fails the gate and a pass takes all of
	// them.
	LowConfidence float64 `json:"lowConfidence" jsonschema:"minimum=0,maximum=1"`
	// HighConfidence is the confidence of High: 1 - alpha.
	HighConfidence float64 `json:"highConfidence" jsonschema:"minimum=0,maximum=1"`
	// Margin is the slowdown that is tolerated, as a part of base: 0.1 is 10 %.
	Margin float64 `json:"margin" jsonschema:"minimum=0"`
	// FloorSeconds is the least slowdown that counts as a regression, whatever its ratio.
	FloorSeconds stats.Seconds `json:"floorSeconds" jsonschema:"minimum=0"`
	// BaseSeconds is the median over the base's bursts. Null without a block.
	BaseSeconds *stats.Seconds `json:"baseSeconds"`
	// HeadSeconds is the median over the head's bursts. Null without a block.
	HeadSeconds *stats.Seconds `json:"headSeconds"`
	// ChangeSeconds is the Hodges-Lehmann estimate of head - base. Null without a block.
	ChangeSeconds *stats.Seconds `json:"changeSeconds"`
	// PValue is the p-value of "slower by more than the margin": one-sided, exact, and
	// adjusted by Holm's method. Null without a block.
	PValue *float64 `json:"pValue"`
	// Noise is the robust standard deviation of a block's log ratio: 0.07 is about 7 %.
	// Null with fewer than two blocks.
	Noise *float64 `json:"noise"`
	// BlocksNeeded is about how many blocks (if unpaired: bursts of each arm) it takes at
	// this noise to tell a change by the margin from none, nine times out of ten. Absent
	// where that is not known.
	BlocksNeeded int `json:"blocksNeeded,omitempty"`
	// Pairs are the values of the blocks, in their order. Empty if unpaired.
	Pairs []Pair `json:"pairs"`
	// Verdict is what the endpoint amounts to.
	Verdict verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=regressed,enum=improved,enum=inconclusive,enum=invalid"`
	// Message is one sentence with the numbers and what to do.
	Message string `json:"message"`
}
