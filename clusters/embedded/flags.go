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

// profileFlags are flags that a profile has fields for, so that its values can
// be read back and compared: extraArgs must not set them behind its back.
var profileFlags = map[string]string{
	"kube-api-qps":   "kubeAPIQPS",
	"kube-api-burst": "kubeAPIBurst",
	"v":              "verbosity",
	"feature-gates":  "spec.featureGates",
	"max-pods":       "maxPods",
}

// refusedFlags would make the component ignore flags that podburst sets.
var refusedFlags = []string{"config", "config-dir", "write-config-to", "version", "help"}

// withExtra adds a profile's extraArgs.
func (f flags) withExtra(field string, extra map[string]string) error {
	for _, given := range slices.Sorted(maps.Keys(extra)) {
		// As the components themselves do, read '_' as '-'.
		name := strings.ReplaceAll(given, "_", "-")
		instead, inProfile := profileFlags[name]
		_, set := f[name]
		switch {
		case name == "" || strings.HasPrefix(name, "-") || strings.ContainsAny(name, "= \t\n"):
			return fmt.Errorf("%s.extraArgs[%q]: write the flag's name without dashes and value", field, given)
		case inProfile:
			return fmt.Errorf("%s.extraArgs[%q]: use the field %s instead", field, given, instead)
		case set || slices.Contains(refusedFlags, name):
			return fmt.Errorf("%s.extraArgs[%q]: podburst sets this flag itself", field, given)
		}
		f[name] = extra[given]
	}
	return nil
}

// withLimits sets the client-side limiter, and only if the profile does: an
// unset limit must leave the component's own default in force.
func (f flags) withLimits(spec clusters.ComponentSpec) {
	if spec.KubeAPIQPS != nil {
		f["kube-api-qps"] = formatRate(*spec.KubeAPIQPS)
	}
	if spec.KubeAPIBurst != nil {
		f["kube-api-burst"] = strconv.Itoa(*spec.KubeAPIBurst)
	}
}

func formatRate(rate float64) string { return strconv.FormatFloat(rate, 'f', -1, 64) }

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

// withVerbosity sets the klog level.
func (f flags) withVerbosity(level *int, otherwise int) {
	if level != nil {
		otherwise = *level
	}
	f["v"] = strconv.Itoa(otherwise)
}
