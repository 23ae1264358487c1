package clusters

import (
	"embed"
	"slices"
	"strings"
)

//go:embed profiles/*.yaml
var shipped embed.FS

// Shipped lists the names of the profiles that come with podburst, sorted. Each
// is a file in profiles/, and Resolve finds it by name.
func Shipped() []string {
	entries, err := shipped.ReadDir("profiles")
	if err != nil {
		return nil // unreachable: the folder is embedded
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}
