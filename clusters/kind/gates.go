package kind

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// gatesText writes feature gates as their flag takes them.
func gatesText(gates map[string]bool) string {
	var parts []string
	for _, name := range sortedKeys(gates) {
		parts = append(parts, fmt.Sprintf("%s=%t", name, gates[name]))
	}
	return strings.Join(parts, ",")
}

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
