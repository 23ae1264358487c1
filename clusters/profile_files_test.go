package clusters

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/podburst/podburst/internal/golden"
)

// Each valid file's golden .json is the profile with its defaults.
func TestValidProfiles(t *testing.T) {
	for _, path := range golden.Files(t, "testdata/valid/*.yaml") {
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
			golden.Check(t, strings.TrimSuffix(path, ".yaml")+".json", string(encoded)+"\n")
		})
	}
}

// Each invalid file's golden .err is the whole message.
func TestInvalidProfiles(t *testing.T) {
	for _, path := range golden.Files(t, "testdata/invalid/*.yaml") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			profile, err := Load(path)
			if err == nil {
				t.Fatalf("no error; got %+v", profile)
			}
			golden.Check(t, strings.TrimSuffix(path, ".yaml")+".err", filepath.ToSlash(err.Error())+"\n")
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
