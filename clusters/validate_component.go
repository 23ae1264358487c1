package clusters

import (
	"math"
	"regexp"
	"strings"
)

func (f *faults) component(component Component, spec ComponentSpec, version string) {
	f.limiter(component, spec, version)
	f.between(component.Setting()+".verbosity", spec.Verbosity, 0, maxVerbosity)
	f.flags(component, spec.ExtraArgs)
}

// limiter refuses values that client-go would not take literally: QPS 0 means
// its own 5/10, a negative QPS means no limiter at all, and QPS without a burst
// is an error or is mixed with the component's default.
func (f *faults) limiter(component Component, spec ComponentSpec, version string) {
	field := component.Setting()
	defaults, _ := DefaultLimits(component, version)
	if rate := spec.KubeAPIQPS; rate != nil {
		path := field + ".kubeAPIQPS"
		// Components store the rate as a float32; a value that underflows there
		// becomes 0.
		single := float64(float32(*rate))
		switch {
		case math.IsNaN(*rate) || math.IsInf(single, 0):
			f.add(path, "is %v, must be a finite rate in requests a second", *rate)
		case *rate < 0:
			f.add(path, "is %v, must be positive: client-go takes a negative rate for no limiter, and the kubelet refuses it; for practically no limit set 5000 with kubeAPIBurst 10000", *rate)
		case single == 0:
			f.add(path, "is %v, must be positive: client-go takes 0 for its own default of 5 (burst 10); leave kubeAPIQPS and kubeAPIBurst out for the default of %s, %v (burst %d)", *rate, component, defaults.KubeAPIQPS, defaults.KubeAPIBurst)
		case component == Kubelet && (*rate != math.Trunc(*rate) || *rate > math.MaxInt32):
			f.add(path, "is %v, must be a whole number up to %d: KubeletConfiguration holds an int32", *rate, math.MaxInt32)
		}
		if spec.KubeAPIBurst == nil {
			f.add(field, "kubeAPIQPS is set and kubeAPIBurst is not: the two make one token bucket (burst is its size, QPS its refill), and %s would combine your rate with its own burst of %d; set kubeAPIBurst as well", component, defaults.KubeAPIBurst)
		}
	}
	if spec.KubeAPIBurst != nil {
		f.between(field+".kubeAPIBurst", spec.KubeAPIBurst, 1, math.MaxInt32)
		if spec.KubeAPIQPS == nil {
			f.add(field, "kubeAPIBurst is set and kubeAPIQPS is not: the two make one token bucket (burst is its size, QPS its refill), and %s would combine your burst with its own rate of %v; set kubeAPIQPS as well", component, defaults.KubeAPIQPS)
		}
	}
}

var flagName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.-]*$`)

// fieldFlags are the flags that a profile sets through a field.
var fieldFlags = map[string]string{
	"kube-api-qps":   ".kubeAPIQPS",
	"kube-api-burst": ".kubeAPIBurst",
	"v":              ".verbosity",
}

// kubeletFieldFlags are those that only the kubelet has.
var kubeletFieldFlags = map[string]string{
	"max-pods":                 ".maxPods",
	"serialize-image-pulls":    ".serializeImagePulls",
	"max-parallel-image-pulls": ".maxParallelImagePulls",
}

// ownFlags are the flags that podburst or its providers set for every cluster.
var ownFlags = map[string]string{
	"config":                     "a configuration file makes the component ignore the limits that the profile sets",
	"logging-format":             "marks are read from the text format",
	"log-file":                   "marks are read from the component's output",
	"logtostderr":                "marks are read from the component's output",
	"kubeconfig":                 "the provider connects the components",
	"master":                     "the provider connects the components",
	"authentication-kubeconfig":  "the provider connects the components",
	"authorization-kubeconfig":   "the provider connects the components",
	"bind-address":               "metrics are read from the address that the provider chose",
	"secure-port":                "metrics are read from the port that the provider chose",
	"cert-dir":                   "the provider makes the certificates",
	"container-runtime-endpoint": "the provider brings the container runtime",
	"hostname-override":          "the provider names the nodes",
}

func (f *faults) flags(component Component, args map[string]string) {
	path := component.Setting() + ".extraArgs"
	seen := map[string]string{}
	for _, flag := range sorted(args) {
		// Kubernetes' flag parser reads kube_api_qps as kube-api-qps.
		name := strings.ReplaceAll(flag, "_", "-")
		if strings.HasPrefix(name, "-") {
			f.add(path, "%q: write flags without leading dashes, as %q", flag, strings.TrimLeft(flag, "-_"))
			name = strings.TrimLeft(name, "-")
		} else if !flagName.MatchString(name) {
			f.add(path, "%q is not a flag's name; write name: \"value\"", flag)
			continue
		}
		if before, twice := seen[name]; twice {
			f.add(path, "%q and %q are the same flag; remove one", before, flag)
		}
		seen[name] = flag
		if field, ok := fieldFlags[name]; ok {
			f.add(path, "%q: podburst sets this flag itself; use %s%s", flag, component.Setting(), field)
		} else if field, ok := kubeletFieldFlags[name]; ok && component == Kubelet {
			f.add(path, "%q: podburst sets this flag itself; use %s%s", flag, component.Setting(), field)
		} else if name == "feature-gates" {
			f.add(path, "%q: podburst sets this flag itself; use spec.featureGates", flag)
		} else if why, ok := ownFlags[name]; ok {
			f.add(path, "%q: podburst sets this flag itself (%s); remove it", flag, why)
		}
	}
}
