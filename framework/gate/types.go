package gate

import (
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// Pair is one block: a burst of each arm, both valid, neither a warm-up.
type Pair struct {
	// Block tells blocks apart; each number occurs once.
	Block int `json:"block"`
	// BaseSeconds and HeadSeconds are from a nanosecond to 1e9.
	BaseSeconds stats.Seconds `json:"baseSeconds"`
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

// Result is one endpoint of the head profile against the base profile's. Every number is
// finite; numbers that do not exist are null.
type Result struct {
	Base string `json:"base"`
	Head string `json:"head"`
	// Endpoint is what was compared, one number a burst: "makespan", "pod_startup/p50".
	Endpoint string `json:"endpoint"`
	// Gated: the endpoint's verdict counts. Otherwise it is only watched.
	Gated bool `json:"gated"`
	// Paired: the bursts of a block are compared with one another; otherwise those of
	// two runs as they come.
	Paired bool `json:"paired"`
	// Blocks is how many valid blocks the numbers rest on; of an unpaired comparison,
	// the bursts of the arm that has fewer.
	Blocks int `json:"blocks"`
	// Ratio is the Hodges-Lehmann estimate of head/base: 1.1 is 10 % slower. null
	// without a block.
	Ratio *float64 `json:"ratio"`
	// Low and High are its one-sided bounds: it is above Low with LowConfidence, and
	// below High with HighConfidence. null with too few blocks for the level.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
	// LowConfidence is at least HighConfidence, 1 - Alpha. Holm's method raises it: a
	// regression of any endpoint trips the gate, a pass takes all of them.
	LowConfidence  float64 `json:"lowConfidence" jsonschema:"minimum=0,maximum=1"`
	HighConfidence float64 `json:"highConfidence" jsonschema:"minimum=0,maximum=1"`
	// Margin is by which part the head may be slower, and FloorSeconds by how much it
	// must be slower in any case to count as regressed.
	Margin       float64       `json:"margin" jsonschema:"minimum=0"`
	FloorSeconds stats.Seconds `json:"floorSeconds" jsonschema:"minimum=0"`
	// BaseSeconds and HeadSeconds are the arms' medians, ChangeSeconds the
	// Hodges-Lehmann estimate of head - base. null without a block.
	BaseSeconds   *stats.Seconds `json:"baseSeconds"`
	HeadSeconds   *stats.Seconds `json:"headSeconds"`
	ChangeSeconds *stats.Seconds `json:"changeSeconds"`
	// PValue is that of "slower by more than the margin", one-sided, exact and adjusted
	// by Holm's method. null without a block.
	PValue *float64 `json:"pValue"`
	// Noise is the robust standard deviation of a block's log ratio: 0.07 is about 7 %.
	// null below two blocks.
	Noise *float64 `json:"noise"`
	// BlocksNeeded is about how many blocks tell a change by the margin from none, at
	// this noise, nine times out of ten (unpaired: bursts of each arm). Absent where it
	// is not known.
	BlocksNeeded int `json:"blocksNeeded,omitempty"`
	// Pairs are the blocks' values, in the order of the blocks; empty where unpaired.
	Pairs   []Pair          `json:"pairs"`
	Verdict verdict.Verdict `json:"verdict" jsonschema:"enum=pass,enum=regressed,enum=improved,enum=inconclusive,enum=invalid"`
	// Message is one sentence with the numbers and what to do.
	Message string `json:"message"`
}
