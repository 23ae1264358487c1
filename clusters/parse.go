package clusters

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/podburst/podburst/internal/strictyaml"
)

// Parse reads one profile from YAML and validates it; name stands for the file
// in messages. Defaults are not filled in (see WithDefaults). The error lists
// every fault.
func Parse(name string, data []byte) (Profile, error) {
	var profile Profile
	if err := strictyaml.Decode(name, data, &profile); err != nil {
		return Profile{}, err
	}
	if err := join(name, profile.faults()); err != nil {
		return Profile{}, err
	}
	return profile, nil
}

// Load reads and validates the profile file at path; see Parse.
func Load(path string) (Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return Profile{}, fmt.Errorf("load profile: %w", err)
	}
	defer file.Close()
	// One byte more than Decode accepts, so that it recognizes an oversized file.
	data, err := io.ReadAll(io.LimitReader(file, strictyaml.MaxSize+1))
	if err != nil {
		return Profile{}, fmt.Errorf("load profile: %w", err)
	}
	return Parse(path, data)
}

// join makes one error of faults, each on a line that begins with subject; nil
// if there are none.
func join(subject string, faults []string) error {
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = fmt.Errorf("%s: %s", subject, fault)
	}
	return errors.Join(errs...)
}
