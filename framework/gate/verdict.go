package gate

import (
	"math"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// judgment is a comparison and the levels at which it is judged.
type judgment struct {
	comparison
	options Options
	// alpha is the look's; level is the part of it that Holm's method leaves to this
	// endpoint's regression.
	alpha, level float64
	// slower: by more than the margin, at level. faster: by more than the margin, at the
	// level that Holm's method leaves to an improvement.
	slower, faster bool
	// below tells which rule passed a head that may be slower than the margin.
	below bool
	// changeLow and changeHigh are bounds of the change in seconds, at alpha.
	changeLow, changeHigh float64
}

// result fills in all numbers except p-value, noise and hint.
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

// verdict applies these rules; the first that holds decides:
//
//  1. Without blocks: Invalid. With fewer than required: Inconclusive.
//  2. Slower by more than the margin at Holm's level, and the estimated change is above
//     the floor: Regressed.
//  3. The mirror image: base is slower than head by more than the margin, and the
//     estimated gain is above the floor: Improved. So a profile compared with itself is
//     called better as rarely as worse, and swapping the arms swaps the two verdicts.
//  4. The ratio's upper bound is below the margin: Pass.
//  5. The upper bound of the change in seconds is below the floor: Pass. An estimate
//     below the floor is not enough: it does not show that the change is harmless.
//  6. Otherwise: Inconclusive.
//
// Harm means a ratio above the margin and a change above the floor, so either upper bound
// rules it out. Only where both thresholds meet, at a base of floor/margin seconds, could
// the two chances of a wrong pass add up, and there they rest on the same bursts.
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
