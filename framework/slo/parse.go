package slo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst"
	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/internal/strictyaml"
)

const (
	maxNameLength = 63
	maxLimit      = 24 * time.Hour
)

var objectiveName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// Default returns the objectives of slo.yaml at the repository's root.
func Default() (SLO, error) { return Parse("slo.yaml", []byte(podburst.DefaultSLO)) }

// Load reads and validates the file at path; see Parse.
func Load(path string) (SLO, error) {
	file, err := os.Open(path)
	if err != nil {
		return SLO{}, fmt.Errorf("load SLO: %w", err)
	}
	defer file.Close()
	// One byte more than Decode accepts, so that it recognizes an oversized file.
	data, err := io.ReadAll(io.LimitReader(file, strictyaml.MaxSize+1))
	if err != nil {
		return SLO{}, fmt.Errorf("load SLO: %w", err)
	}
	return Parse(path, data)
}

// Parse reads objectives from YAML and validates them; messages call the file name. The
// error lists every fault. Whether the profiles that objectives name exist depends on the
// run: see CheckProfiles.
func Parse(name string, data []byte) (SLO, error) {
	var parsed SLO
	if err := strictyaml.Decode(name, data, &parsed); err != nil {
		return SLO{}, err
	}
	var errs []error
	for _, fault := range parsed.faults() {
		errs = append(errs, fmt.Errorf("%s: %s", name, fault))
	}
	if len(errs) > 0 {
		return SLO{}, errors.Join(errs...)
	}
	return parsed, nil
}

// CheckProfiles returns an error for every name in an objective's profiles that is neither
// a shipped profile nor a profile of the run: a misspelled name would judge nothing.
func (s SLO) CheckProfiles(ofRun []string) error {
	known := clusters.Shipped()
	for _, name := range ofRun {
		if !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	var errs []error
	for _, objective := range s.Spec.Objectives {
		for _, name := range objective.Profiles {
			if !slices.Contains(known, name) {
				errs = append(errs, fmt.Errorf("objective %q: unknown profile %q%s",
					objective.Name, name, nearest.Hint(name, "profiles", known)))
			}
		}
	}
	return errors.Join(errs...)
}

// faults returns sentences that begin with the field's path.
func (s SLO) faults() []string {
	var found []string
	add := func(path, format string, args ...any) {
		found = append(found, path+": "+fmt.Sprintf(format, args...))
	}
	if s.APIVersion != clusters.APIVersion {
		add("apiVersion", "is %q, must be %s", s.APIVersion, clusters.APIVersion)
	}
	if s.Kind != Kind {
		add("kind", "is %q, must be %s", s.Kind, Kind)
	}
	if s.Metadata.Name == "" {
		add("metadata.name", "is empty; name the set of objectives")
	}
	if len(s.Spec.Objectives) == 0 {
		add("spec.objectives", "is empty; without objectives every run would pass")
	}
	first := map[string]int{}
	for i, objective := range s.Spec.Objectives {
		path := fmt.Sprintf("spec.objectives[%d]", i)
		if name := objective.Name; !objectiveName.MatchString(name) || len(name) > maxNameLength {
			add(path+".name", "is %q, must be 1 to %d lower-case letters, digits and '-', with a letter or digit at both ends", name, maxNameLength)
		} else if before, duplicate := first[name]; duplicate {
			add(path+".name", "%q is the name of spec.objectives[%d] already; results are told apart by it", name, before)
		} else {
			first[name] = i
		}
		oneOf := func(field, value string, valid []string) {
			if !slices.Contains(valid, value) {
				add(path+"."+field, "unknown %s %q%s", field, value, nearest.Hint(value, field+"s", valid))
			}
		}
		switch calls := objective.APICalls; {
		case calls != nil && objective.Phase != "":
			add(path+".phase", "phase and apiCalls are both set; an objective limits one of them")
		case calls != nil:
			for _, fault := range calls.faults() {
				add(path+".apiCalls."+fault[0], "%s", fault[1])
			}
		case objective.Phase == "":
			add(path+".phase", "is empty, and so is apiCalls; an objective limits one of them")
		default:
			oneOf("phase", objective.Phase, Phases())
		}
		oneOf("stat", objective.Stat, stats.Names())
		if objective.Scope != "" {
			oneOf("scope", string(objective.Scope), scopes())
		}
		if limit := objective.Limit.Duration; limit <= 0 || limit > maxLimit {
			add(path+".limit", "is %s, must be above 0s and at most %s", limit, maxLimit)
		}
		for j, profile := range objective.Profiles {
			switch {
			case strings.TrimSpace(profile) == "":
				add(fmt.Sprintf("%s.profiles[%d]", path, j), "is empty; leave profiles out to judge all")
			case slices.Index(objective.Profiles, profile) < j:
				add(fmt.Sprintf("%s.profiles[%d]", path, j), "%q is listed twice", profile)
			}
		}
	}
	return found
}

// LoadOrDefault is Load, or Default if path is empty.
func LoadOrDefault(path string) (SLO, error) {
	if path == "" {
		return Default()
	}
	return Load(path)
}
