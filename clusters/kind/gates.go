package kind

import (
	"maps"
	"slices"
	"strings"
)

// sameGates says whether every gate of wanted is set alike in got; kind adds
// gates of its own.
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
