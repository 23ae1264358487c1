package kind

import (
	"maps"
	"slices"
	"strings"
)

// sameGates reports whether got sets every gate of wanted to the same value;
// kind adds gates of its own.
func sameGates(wanted, got string) bool {
	has := strings.Split(got, ",")
	for gate := range strings.SplitSeq(wanted, ",") {
		if !slices.Contains(has, gate) {
			return false
		}
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
