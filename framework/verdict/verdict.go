// Package verdict is the single word that a run, a burst, a check or a comparison comes to.
// Everything that judges uses it, and it decides the exit code of every command.
package verdict

import (
	"cmp"
	"slices"
)

// Verdict is that word, spelled as in report.json.
type Verdict string

// The verdicts.
const (
	// Pass: what was measured is good enough.
	Pass Verdict = "pass"
	// Improved: the head is faster by more than the margin. Only comparisons can be
	// improved; a run with an improved comparison passes.
	Improved Verdict = "improved"
	// Inconclusive: the numbers are good but decide nothing.
	Inconclusive Verdict = "inconclusive"
	// Regressed: the head is slower by more than the margin.
	Regressed Verdict = "regressed"
	// Fail: an objective was missed.
	Fail Verdict = "fail"
	// Invalid: the measurement cannot be trusted, whatever it says.
	Invalid Verdict = "invalid"
)

// gravest lists the verdicts, gravest first.
var gravest = []Verdict{Invalid, Fail, Regressed, Inconclusive, Improved, Pass}

// Known returns v, or Invalid if v is not one of the verdicts: an unknown word from a file
// must never pass.
func (v Verdict) Known() Verdict {
	if !slices.Contains(gravest, v) {
		return Invalid
	}
	return v
}

// Compare orders verdicts for sorting, gravest first.
func Compare(a, b Verdict) int {
	return cmp.Compare(slices.Index(gravest, a.Known()), slices.Index(gravest, b.Known()))
}

// Gravest returns the gravest of all; without any it returns Invalid.
func Gravest(all ...Verdict) Verdict {
	if len(all) == 0 {
		return Invalid
	}
	return slices.MinFunc(all, Compare).Known()
}
