package gate

import (
	"fmt"
	"math"
	"strconv"

	"github.com/podburst/podburst/framework/verdict"
)

// message is one sentence for people. r has all numbers and the verdict.
func (j *judgment) message(r Result) string {
	unit, units := "block", "blocks"
	if !j.paired {
		unit, units = "burst", "bursts of each arm"
	}
	if r.Verdict == verdict.Invalid {
		return fmt.Sprintf("%s: no valid %s to compare; see why bursts were invalid, and run again", j.name, unit)
	}
	of := fmt.Sprintf("%s became %s, %d %s", seconds(float64(*r.BaseSeconds)), seconds(float64(*r.HeadSeconds)), j.blocks, units)
	if !j.paired {
		of = fmt.Sprintf("%s became %s, %d and %d bursts", seconds(float64(*r.BaseSeconds)), seconds(float64(*r.HeadSeconds)), len(j.base), len(j.head))
	}
	margin := percent(j.margin)
	var text string
	switch r.Verdict {
	case verdict.Regressed:
		text = fmt.Sprintf("%s: head is %s (%s), with %s confidence at least %s and so beyond the margin of %s; "+
			"see which phases moved, for running again until it passes proves nothing",
			j.name, comparative(*r.Ratio), of, percent(r.LowConfidence), change(*r.Low), margin)
	case verdict.Improved:
		text = fmt.Sprintf("%s: head is %s (%s), with %s confidence %s",
			j.name, comparative(*r.Ratio), of, percent(r.HighConfidence), atMost(*r.High))
	case verdict.Pass:
		text = fmt.Sprintf("%s: head is %s (%s), with %s confidence ", j.name, comparative(*r.Ratio), of, percent(r.HighConfidence))
		switch {
		case j.below && j.changeHigh <= 0:
			text += fmt.Sprintf("no slower at all in seconds, and so within the floor of %s", seconds(j.floor))
		case j.below:
			text += fmt.Sprintf("at most %s slower, which is below the floor of %s and so not worth acting on, whatever the ratio", seconds(j.changeHigh), seconds(j.floor))
		default:
			text += fmt.Sprintf("%s and so within the margin of %s", atMost(*r.High), margin)
		}
	default:
		text = fmt.Sprintf("%s: not decided, head is estimated %s (%s); ", j.name, comparative(*r.Ratio), of)
		if j.blocks < j.options.MinBlocks {
			text += fmt.Sprintf("%d valid %s are too few, run at least %d", j.blocks, units, j.options.MinBlocks)
			break
		}
		if r.Low != nil && r.High != nil {
			text += fmt.Sprintf("it is between %s and %s, and the margin is %s; ", change(*r.Low), change(*r.High), margin)
		}
		text += j.hint(r, units)
	}
	if !j.paired {
		text += "; the recordings were not taken in blocks, so that a change of the machine between them looks the same: compare both in one run to be sure"
	}
	return text
}

// hint says what it would take to decide. It is no promise: a true change exactly at the
// margin stays undecided with any number of blocks.
func (j *judgment) hint(r Result, units string) string {
	if j.slower {
		return fmt.Sprintf("it is slower by more than the margin, but it is not certain that its change of %s is on one side of the floor of %s; run more %s",
			seconds(float64(*r.ChangeSeconds)), seconds(j.floor), units)
	}
	if r.BlocksNeeded == 0 || r.Noise == nil {
		return "run more " + units
	}
	most := maxBlocks
	if !j.paired {
		most = maxUnpaired
	}
	if r.BlocksNeeded > most {
		return fmt.Sprintf("at this noise (%s) no number of %s up to %d tells %s from none, so quiet the machine or widen the margin",
			percent(*r.Noise), units, most, percent(j.margin))
	}
	if r.BlocksNeeded <= j.blocks {
		return fmt.Sprintf("this noise (%s) is low enough for so many %s to tell %s from none, so the truth seems to be near the margin, where many more would be needed",
			percent(*r.Noise), units, percent(j.margin))
	}
	return fmt.Sprintf("it needs about %d %s for %s at this noise (%s)", r.BlocksNeeded, units, percent(j.margin), percent(*r.Noise))
}

// comparative puts a ratio into words: "12 % slower than base", "as fast as base".
func comparative(ratio float64) string {
	if text := change(ratio); text != unchanged {
		return text + " than base"
	}
	return "as fast as base"
}

const unchanged = "unchanged"

// atMost puts an upper bound of a ratio below the margin into words.
func atMost(ratio float64) string {
	switch text := change(ratio); {
	case text == unchanged:
		return "no slower"
	case ratio < 1:
		return "at least " + text
	default:
		return "at most " + text
	}
}

// change puts a ratio into words, without "than base": "12 % slower", "unchanged".
func change(ratio float64) string {
	switch part := ratio - 1; {
	case ratio >= 10:
		return significant(ratio) + " times slower"
	case math.Abs(part) < 0.0005: // a twentieth of a percent
		return unchanged
	case part > 0:
		return percent(part) + " slower"
	default:
		return percent(-part) + " faster"
	}
}

// percent prints a share with three digits, at most two of them after the point. Near 100 %
// it rounds down: a confidence of 99.6 % is not 100 %.
func percent(part float64) string {
	if part > 0.99 && part < 1 {
		return strconv.FormatFloat(math.Floor(part*1e4)/100, 'f', -1, 64) + " %"
	}
	return significant(math.Round(part*1e4)/100) + " %"
}

// seconds prints a time with three digits.
func seconds(value float64) string {
	switch size := math.Abs(value); {
	case size == 0:
		return "0 s"
	case size < 0.9995e-3:
		return significant(value*1e6) + " µs"
	case size < 0.9995:
		return significant(value*1e3) + " ms"
	}
	return significant(value) + " s"
}

// significant prints three digits, or all those before the point, without an exponent.
func significant(value float64) string {
	if value == 0 || math.IsNaN(value) || math.IsInf(value, 0) {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(value)))))
	scale := math.Pow(10, float64(min(decimals, 12)))
	return strconv.FormatFloat(math.Round(value*scale)/scale, 'f', -1, 64)
}
