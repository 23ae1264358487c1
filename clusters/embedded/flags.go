package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
)

// flags are a component's command-line flags, without the leading dashes.
type flags map[string]string

// args returns the flags in name order.
func (f flags) args() []string {
	args := make([]string, 0, len(f))
	for _, name := range slices.Sorted(maps.Keys(f)) {
		args = append(args, "--"+name+"="+f[name])
	}
	return args
}

// withExtra adds a profile's extraArgs. clusters.Profile.Validate has already
// checked them, so only the flags that this provider sets in addition are
// refused here.
func (f flags) withExtra(component clusters.Component, extra map[string]string) error {
	own := maps.Clone(f)
	for _, given := range slices.Sorted(maps.Keys(extra)) {
		// Read '_' as '-', as the components do.
		name := strings.ReplaceAll(given, "_", "-")
		if _, set := own[name]; set {
			return fmt.Errorf("%s.extraArgs: %q: the embedded provider sets this flag itself; remove it", component.Setting(), given)
		}
		f[name] = extra[given]
	}
	return nil
}

// withCommon sets the flags that a profile has fields for.
func (f flags) withCommon(component clusters.Component, spec clusters.ProfileSpec) {
	of, _ := spec.Component(component)
	maps.Copy(f, of.Flags())
	f.withGates(spec)
}

func (f flags) withGates(spec clusters.ProfileSpec) {
	if gates := spec.FeatureGatesFlag(); gates != "" {
		f["feature-gates"] = gates
	}
}
