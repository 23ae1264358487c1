package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// place is a file or folder of the repository as CONTRIBUTING.md writes one;
// framework/{watch,audit} stands for two.
var place = regexp.MustCompile(`\b(?:framework|clusters|reports|internal|cmd|deploy|session|schemas)/[a-zA-Z0-9_./{},-]*[a-zA-Z0-9}]`)

func TestTheMapOfContributingNamesWhatIsThere(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, found := range place.FindAllString(string(text), -1) {
		before, inner, several := strings.Cut(strings.TrimSuffix(found, "}"), "{")
		for _, name := range strings.Split(inner, ",") {
			if !several {
				name = ""
			}
			seen++
			if _, err := os.Stat(filepath.Join(root, before+name)); err != nil {
				t.Errorf("%s: %v", found, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d places were found: does the map name any?", seen)
	}
}
