package clusters

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with the file, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

func yamlFiles(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	return found
}

// Each valid file's golden .json is the profile with its defaults.
func TestValidProfiles(t *testing.T) {
	for _, path := range yamlFiles(t, "testdata/valid") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			profile, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			filled := profile.WithDefaults()
			if err := filled.Validate(); err != nil {
				t.Errorf("the defaults are not valid: %v", err)
			}
			encoded, err := json.MarshalIndent(filled, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".json", string(encoded)+"\n")
		})
	}
}

// Each invalid file's golden .err is the whole message.
func TestInvalidProfiles(t *testing.T) {
	for _, path := range yamlFiles(t, "testdata/invalid") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			profile, err := Load(path)
			if err == nil {
				t.Fatalf("no error; got %+v", profile)
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".err", filepath.ToSlash(err.Error())+"\n")
		})
	}
}

// FuzzParse: Parse never panics, and an accepted profile stays valid with its defaults
// and through its own JSON form.
func FuzzParse(f *testing.F) {
	for _, dir := range []string{"profiles", "testdata/valid", "testdata/invalid"} {
		paths, _ := filepath.Glob(dir + "/*.yaml")
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		profile, err := Parse("f.yaml", data)
		if err != nil {
			return
		}
		if err := profile.WithDefaults().Validate(); err != nil {
			t.Errorf("with defaults: %v", err)
		}
		if profile.Capacity() < 1 {
			t.Errorf("capacity %d", profile.Capacity())
		}
		encoded, err := json.Marshal(profile)
		if err != nil {
			t.Fatal(err)
		}
		var again Profile
		if err := json.Unmarshal(encoded, &again); err != nil || again.Validate() != nil {
			t.Errorf("%s: %v, %v", encoded, err, again.Validate())
		}
	})
}
