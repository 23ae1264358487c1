package fingerprint

import "runtime/debug"

// Commit is the podburst commit that this binary was built from, with "+dirty" if the
// tree had changes; empty if the build did not record it.
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	if revision != "" && modified == "true" {
		return revision + "+dirty"
	}
	return revision
}
