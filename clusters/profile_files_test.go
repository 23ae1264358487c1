package clusters

import (
	"encoding/json"
	"testing"

	"github.com/podburst/podburst/internal/strictyaml/yamltest"
)

// Each valid file's golden .json is the profile with its defaults.
func TestProfileFiles(t *testing.T) {
	yamltest.Files(t, Load, func(t *testing.T, profile Profile) Profile {
		filled := profile.WithDefaults()
		if err := filled.Validate(); err != nil {
			t.Errorf("the defaults are not valid: %v", err)
		}
		return filled
	})
}

// FuzzParse: Parse never panics, and an accepted profile stays valid with its defaults
// and through its own JSON form.
func FuzzParse(f *testing.F) {
	yamltest.Seed(f, "profiles/*.yaml")
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
