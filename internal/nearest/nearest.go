// Package nearest finds the name that a person probably meant by a misspelled
// one, so that errors about fields, profiles, phases and flags can suggest it.
package nearest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// longest is the longest word that is compared: edit distance takes quadratic
// time, and nobody misspells a name of this length by two letters.
const longest = 64

// Match returns the candidate nearest to word. It ignores case and allows about one
// edit for every three letters; failing that, the only candidate that contains the
// word ("qps" for "kubeAPIQPS"). Of equally near candidates the first wins. ok is
// false when none is near.
func Match(word string, candidates []string) (match string, ok bool) {
	if word == "" || len(word) > longest {
		return "", false
	}
	lower := strings.ToLower(word)
	best := (len([]rune(word))+2)/3 + 1
	for _, candidate := range candidates {
		if d := levenshtein.ComputeDistance(lower, strings.ToLower(candidate)); d < best {
			best, match, ok = d, candidate, true
		}
	}
	if ok || len(word) < 3 {
		return match, ok
	}
	for _, candidate := range candidates {
		if strings.Contains(strings.ToLower(candidate), lower) {
			if ok {
				return "", false
			}
			match, ok = candidate, true
		}
	}
	return match, ok
}

// Hint is the end of an error message about an unknown word: "; did you mean
// X?" if a candidate is near, else the choices, introduced by kind (a plural).
func Hint(word, kind string, candidates []string) string {
	if match, ok := Match(word, candidates); ok {
		return "; did you mean " + match + "?"
	}
	if len(candidates) == 0 {
		return "; there are no " + kind
	}
	return "; the " + kind + " are " + strings.Join(candidates, ", ")
}
