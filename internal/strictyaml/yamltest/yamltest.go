// Package yamltest tests the parser of a kind of YAML file by a folder of examples. It
// is for tests only.
package yamltest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/internal/golden"
)

const (
	valid   = "testdata/valid/*.yaml"
	invalid = "testdata/invalid/*.yaml"
)

// Files loads the examples of the package under test. Next to each file in
// testdata/valid a golden .json holds what shown makes of the parsed file; next
// to each file in testdata/invalid a golden .err holds the whole message.
func Files[T any](t *testing.T, load func(path string) (T, error), shown func(t *testing.T, parsed T) T) {
	t.Helper()
	for _, path := range golden.Files(t, valid) {
		t.Run("valid/"+filepath.Base(path), func(t *testing.T) {
			parsed, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := json.MarshalIndent(shown(t, parsed), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, strings.TrimSuffix(path, ".yaml")+".json", string(encoded)+"\n")
		})
	}
	for _, path := range golden.Files(t, invalid) {
		t.Run("invalid/"+filepath.Base(path), func(t *testing.T) {
			parsed, err := load(path)
			if err == nil {
				t.Fatalf("no error; got %+v", parsed)
			}
			golden.Check(t, strings.TrimSuffix(path, ".yaml")+".err", filepath.ToSlash(err.Error())+"\n")
		})
	}
	t.Run("missing", func(t *testing.T) {
		if _, err := load("missing.yaml"); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "load ") {
			t.Errorf("got %v", err)
		}
	})
}

// Seed adds the examples, and the files that match, to a fuzz test's seed corpus.
func Seed(f *testing.F, patterns ...string) {
	f.Helper()
	for _, pattern := range append(patterns, valid, invalid) {
		for _, path := range golden.Files(f, pattern) {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
}
