// Package verdict is the one word that a run, a burst, a check or a comparison amounts
// to. Everything that judges shares it, and it decides the exit code of every command.
package verdict

import (
	"cmp"
	"slices"
)

// Verdict is that word, as report.json spells it.
type Verdict string

// The verdicts.
const (
	// Pass: what was measured is good enough.
	Pass Verdict = "pass"
	// Improved: the head is faster by more than the margin. Only comparisons are
	// improved; a run with one passes.
	Improved Verdict = "improved"
	// Inconclusive: the numbers are good and decide nothing.
	Inconclusive Verdict = "inconclusive"
	// Regressed: the head is slower by more than the margin.
	Regressed Verdict = "regressed"
	// Fail: an objective was missed.
	Fail Verdict = "fail"
	// Invalid: the measurement cannot be trusted, whatever it says.
	Invalid Verdict = "invalid"
)

// gravest lists the verdicts, the gravest first.
var gravest = []Verdict{Invalid, Fail, Regressed, Inconclusive, Improved, Pass}

// Known is v, or Invalid if v is not one of the verdicts: a word from a file that
// means nothing never passes.
func (v Verdict) Known() Verdict {
	if !slices.Contains(gravest, v) {
		return Invalid
	}
	return v
}

// Compare orders verdicts for sorting, the gravest first.
func Compare(a, b Verdict) int {
	return cmp.Compare(slices.Index(gravest, a.Known()), slices.Index(gravest, b.Known()))
}

// Gravest is the gravest of all. Nothing at all is Invalid.
func Gravest(all ...Verdict) Verdict {
	if len(all) == 0 {
		return Invalid
	}
	return slices.MinFunc(all, Compare).Known()
}
