package clusters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ParseConfigz reads the client limits in force from what a component serves at
// /configz. Names match regardless of case, because the controller manager's
// alpha type has no JSON names.
func ParseConfigz(component Component, text []byte) (Limits, error) {
	type connection struct {
		QPS   *float64
		Burst *int
	}
	type configuration struct {
		ClientConnection connection
		Generic          struct{ ClientConnection connection }
		KubeAPIQPS       *float64
		KubeAPIBurst     *int
	}
	// There is only one key, which differs between components and versions.
	var configz map[string]configuration
	if err := json.Unmarshal(text, &configz); err != nil {
		return Limits{}, fmt.Errorf("parse /configz: %w", err)
	}
	for _, config := range configz {
		found := config.ClientConnection
		switch component {
		case KubeControllerManager:
			found = config.Generic.ClientConnection
		case Kubelet:
			found = connection{config.KubeAPIQPS, config.KubeAPIBurst}
		}
		if found.QPS != nil && found.Burst != nil {
			return Limits{KubeAPIQPS: *found.QPS, KubeAPIBurst: *found.Burst, Source: "configz"}, nil
		}
	}
	return Limits{}, fmt.Errorf("parse /configz: it holds no client limits of a %s", component)
}

// ReadEffective reads the limits of each instance that has any. An instance
// that cannot be read is missing from the result and named in the error; the
// others are still returned.
func ReadEffective(ctx context.Context, instances []Instance, read func(context.Context, Instance) (Limits, error)) (Effective, error) {
	effective := Effective{}
	var errs []error
	for _, instance := range instances {
		if instance.Component.Setting() == "" {
			continue // etcd and the API server have no such limiter.
		}
		limits, err := read(ctx, instance)
		if err != nil {
			errs = append(errs, fmt.Errorf("read back the limits of %s: %w", instance, err))
			continue
		}
		effective[instance.String()] = limits
	}
	return effective, errors.Join(errs...)
}

// Flags are the command-line flags, without leading dashes, for the fields that
// a profile sets. A limit that is left unset gets no flag, so that the
// component's own default stays in force.
func (s ComponentSpec) Flags() map[string]string {
	flags := map[string]string{}
	if s.Verbosity != nil {
		flags["v"] = strconv.Itoa(*s.Verbosity)
	}
	if s.KubeAPIQPS != nil {
		flags["kube-api-qps"] = plain(*s.KubeAPIQPS)
	}
	if s.KubeAPIBurst != nil {
		flags["kube-api-burst"] = strconv.Itoa(*s.KubeAPIBurst)
	}
	return flags
}

// FeatureGatesFlag writes the feature gates as the flag of that name takes
// them, in name order; "" if there are none.
func (s ProfileSpec) FeatureGatesFlag() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.FeatureGates)) {
		list = append(list, fmt.Sprintf("%s=%t", name, s.FeatureGates[name]))
	}
	return strings.Join(list, ",")
}

// Argument returns the value of the last --name=value on a command line.
func Argument(args []string, name string) (value string, ok bool) {
	for _, arg := range args {
		if v, has := strings.CutPrefix(arg, "--"+name+"="); has {
			value, ok = v, true
		}
	}
	return value, ok
}
