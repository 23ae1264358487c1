package gate

import (
	"math"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// judgment is a comparison with the levels that it is judged at.
type judgment struct {
	comparison
	options Options
	// alpha is the look's, level the part of it that Holm's method leaves to this
	// endpoint's regression.
	alpha, level float64
	// slower: by more than the margin, at level; faster: by more than the margin, at
	// the level that Holm's method leaves to that.
	slower, faster bool
	// below tells which rule made a Pass of a head that may be slower than the margin.
	below bool
	// changeLow and changeHigh are bounds of the change in seconds, at alpha.
	changeLow, changeHigh float64
}

// result fills in all numbers but p-value, noise and hint.
func (j *judgment) result() Result {
	result := Result{
		Endpoint: j.name, Blocks: j.blocks, Paired: j.paired, Margin: j.margin, FloorSeconds: stats.Seconds(j.floor),
		HighConfidence: 1 - j.alpha, LowConfidence: 1 - j.level,
	}
	if j.blocks == 0 {
		return result
	}
	result.Ratio = pointer(math.Exp(j.ratio.center()))
	if low, _, ok := j.ratio.bounds(j.level); ok {
		result.Low = pointer(math.Exp(low))
	}
	if _, high, ok := j.ratio.bounds(j.alpha); ok {
		result.High = pointer(math.Exp(high))
	}
	result.BaseSeconds, result.HeadSeconds = pointer(stats.Seconds(medianOf(j.base))), pointer(stats.Seconds(medianOf(j.head)))
	result.ChangeSeconds = pointer(stats.Seconds(j.change.center()))
	return result
}

// verdict applies the rules, of which the first that holds decides:
//
//  1. Without a block: Invalid; with fewer than asked for: Inconclusive.
//  2. Slower by more than the margin at Holm's level, and the estimated change is above
//     the floor: Regressed.
//  3. The mirror of it: base is slower than head by more than the margin, and the
//     estimated gain is above the floor: Improved. So a profile that is compared with
//     itself is called better as rarely as worse, and swapped arms swap the words.
//  4. The ratio's upper bound is below the margin: Pass.
//  5. The change's upper bound in seconds is below the floor: Pass. The estimate alone
//     does not do: what is only not known to matter is not known to be harmless.
//  6. Inconclusive.
//
// Harm is a ratio above the margin and a change above the floor, so either bound rules
// it out; only where both thresholds meet, at a base of floor/margin seconds, could the
// two chances to pass wrongly add up, and there they rest on the same bursts.
func (j *judgment) verdict() verdict.Verdict {
	switch {
	case j.blocks == 0:
		return verdict.Invalid
	case j.blocks < j.options.MinBlocks:
		return verdict.Inconclusive
	}
	change := j.change.center()
	if j.slower && change > j.floor {
		return verdict.Regressed
	}
	if j.faster && change < -j.floor {
		return verdict.Improved
	}
	if _, high, ok := j.ratio.bounds(j.alpha); ok && high < math.Log1p(j.margin)-tolerance {
		return verdict.Pass
	}
	var ok bool
	if j.changeLow, j.changeHigh, ok = j.change.bounds(j.alpha); ok && j.changeHigh < j.floor {
		j.below = true
		return verdict.Pass
	}
	return verdict.Inconclusive
}

func pointer[T any](value T) *T { return &value }
