package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// maxPathName keeps a name plus our longest suffix below the 255 bytes that file
// systems allow for one path element.
const maxPathName = 100

// reservedNames cannot name a file on Windows, where artifacts are unpacked, too.
var reservedNames = []string{
	"con", "prn", "aux", "nul",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
}

// PathName turns a name (of a profile, an instance) into one path element that is
// safe on every file system: lower-case letters, digits, '-', '_' and '.', no leading
// dot, at most 100 bytes. A name that already fits stays as it is. Any other gets its
// bad characters replaced and a hash appended, so that two different names never
// share a path, even if letter case is ignored.
func PathName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, name)
	stem, _, _ := strings.Cut(clean, ".")
	ok := clean == name && name != "" && len(name) <= maxPathName &&
		!strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".") &&
		!slices.Contains(reservedNames, stem)
	if ok {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	suffix := "-" + hex.EncodeToString(sum[:4])
	clean = strings.Trim(clean, ".-")
	if slices.Contains(reservedNames, stem) {
		clean = "name-" + clean
	}
	if clean == "" {
		clean = "unnamed"
	}
	return clean[:min(len(clean), maxPathName-len(suffix))] + suffix
}

// rawFolder holds everything that was observed, below a run's folder.
const rawFolder = "raw"

// Path is the burst's folder relative to the run's, with forward slashes:
// "raw/<profile>/<burst>".
func (b Burst) Path() string { return path.Join(rawFolder, PathName(b.Profile), b.Folder()) }

// OrderName is how Manifest.Order names the burst: "<profile>/<burst folder>".
func (b Burst) OrderName() string { return b.Profile + "/" + b.Folder() }
