package clusters

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/podburst/podburst/internal/nearest"
)

// Resolve finds a profile: a path (with a separator, or ending in .yaml or
// .yml) is loaded; anything else is a name, looked for as <name>.yaml or
// <name>.yml in each of dirs and then among the shipped profiles. A file found
// by name must have that name as its metadata.name. For an unknown name the
// error lists the known ones and says which is nearest.
func Resolve(nameOrPath string, dirs ...string) (Profile, error) {
	if isPath(nameOrPath) {
		return Load(nameOrPath)
	}
	name := nameOrPath
	found, err := files(dirs)
	if err != nil {
		return Profile{}, err
	}
	var profile Profile
	if path, ok := found[name]; ok {
		if profile, err = Load(path); err == nil && profile.Metadata.Name != name {
			err = fmt.Errorf("%s: metadata.name is %q, but the file was asked for as %q; make them agree", path, profile.Metadata.Name, name)
		}
		return profile, err
	}
	if slices.Contains(Shipped(), name) {
		data, err := shipped.ReadFile("profiles/" + name + ".yaml")
		if err != nil {
			return Profile{}, fmt.Errorf("read shipped profile: %w", err)
		}
		return Parse("profiles/"+name+".yaml", data)
	}
	known := Shipped()
	for name := range found {
		if !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	slices.Sort(known)
	hint := ""
	if match, ok := nearest.Match(name, known); ok {
		hint = "did you mean " + match + "? "
	}
	return Profile{}, fmt.Errorf("unknown profile %q: %sknown are %s; give a file of your own by its path (./%s.yaml)",
		name, hint, strings.Join(known, ", "), name)
}

// LoadSet resolves the profiles of one run, in order. It refuses an empty list,
// an empty name (as in "default,,tuned"), and two profiles of the same name,
// because their results could not be told apart. Every fault is reported.
func LoadSet(namesOrPaths []string, dirs ...string) ([]Profile, error) {
	if len(namesOrPaths) == 0 {
		return nil, errors.New("no profiles: name at least one, such as default")
	}
	var profiles []Profile
	var errs []error
	askedAs := map[string]string{}
	for i, asked := range namesOrPaths {
		if strings.TrimSpace(asked) == "" {
			errs = append(errs, fmt.Errorf("profile %d of %d (%q) has no name; remove the stray comma",
				i+1, len(namesOrPaths), strings.Join(namesOrPaths, ",")))
			continue
		}
		profile, err := Resolve(strings.TrimSpace(asked), dirs...)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		name := profile.Metadata.Name
		if before, duplicate := askedAs[name]; duplicate {
			errs = append(errs, fmt.Errorf("two profiles are named %q (%s and %s); results are kept by name, so give one another metadata.name, or remove it", name, before, asked))
			continue
		}
		askedAs[name] = asked
		profiles = append(profiles, profile)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return profiles, nil
}

// LoadPair resolves the two profiles of a comparison. If both have the same
// name (two versions of a file, or a profile and itself), "-base" and "-head"
// are appended, because results are kept by name.
func LoadPair(base, head string) ([]Profile, error) {
	var pair []Profile
	var errs []error
	for _, asked := range []struct{ role, name string }{{"base", base}, {"head", head}} {
		if asked.name == "" {
			errs = append(errs, fmt.Errorf("%s is required: the name of a profile (%s) or its file", asked.role, strings.Join(Shipped(), ", ")))
			continue
		}
		p, err := Resolve(asked.name)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", asked.role, err))
		}
		pair = append(pair, p)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if pair[0].Metadata.Name == pair[1].Metadata.Name {
		pair[0].Metadata.Name += "-base"
		pair[1].Metadata.Name += "-head"
	}
	return pair, nil
}

func isPath(s string) bool {
	return strings.ContainsAny(s, `/\`) || isYAML(s)
}

func isYAML(file string) bool {
	extension := filepath.Ext(file)
	return extension == ".yaml" || extension == ".yml"
}

// files maps the names of the YAML files in dirs to their paths. The first
// folder that has a name wins.
func files(dirs []string) (map[string]string, error) {
	found := map[string]string{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("list profiles: %w", err)
		}
		for _, entry := range entries {
			file := entry.Name()
			name := strings.TrimSuffix(file, filepath.Ext(file))
			if _, taken := found[name]; isYAML(file) && !entry.IsDir() && !taken {
				found[name] = filepath.Join(dir, file)
			}
		}
	}
	return found, nil
}
