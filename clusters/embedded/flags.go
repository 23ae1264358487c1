package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/clusters"
)

// flags are a component's command-line flags, without the leading dashes.
type flags map[string]string

// args returns the flags in the order of their names.
func (f flags) args() []string {
	args := make([]string, 0, len(f))
	for _, name := range slices.Sorted(maps.Keys(f)) {
		args = append(args, "--"+name+"="+f[name])
	}
	return args
}

// withExtra adds a profile's extraArgs, which clusters.Profile.Validate has
// looked at: what is refused here is only what this provider sets in addition.
func (f flags) withExtra(component clusters.Component, extra map[string]string) error {
	own := maps.Clone(f)
	for _, given := range slices.Sorted(maps.Keys(extra)) {
		// As the components themselves do, read '_' as '-'.
		name := strings.ReplaceAll(given, "_", "-")
		if _, set := own[name]; set {
			return fmt.Errorf("%s.extraArgs: %q: the embedded provider sets this flag itself; remove it", component.Setting(), given)
		}
		f[name] = extra[given]
	}
	return nil
}

// withCommon sets what a profile has fields for. A limit that it leaves unset
// must leave the component's own default in force: then there is no flag.
func (f flags) withCommon(spec clusters.ComponentSpec, gates map[string]bool) {
	if spec.Verbosity != nil {
		f["v"] = strconv.Itoa(*spec.Verbosity)
	}
	if spec.KubeAPIQPS != nil {
		f["kube-api-qps"] = strconv.FormatFloat(*spec.KubeAPIQPS, 'f', -1, 64)
	}
	if spec.KubeAPIBurst != nil {
		f["kube-api-burst"] = strconv.Itoa(*spec.KubeAPIBurst)
	}
	f.withGates(gates)
}

// withGates sets the feature gates in the order of their names.
func (f flags) withGates(gates map[string]bool) {
	if len(gates) == 0 {
		return
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		list = append(list, fmt.Sprintf("%s=%t", name, gates[name]))
	}
	f["feature-gates"] = strings.Join(list, ",")
}
