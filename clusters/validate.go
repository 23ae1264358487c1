package clusters

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const (
	maxNameLength = 40
	maxVerbosity  = 10
	// maxWorkers is Kubernetes' documented limit on nodes in a cluster.
	maxWorkers       = 5000
	maxControlPlanes = 7
	// maxLatency and maxLifetime are longer than any burst would wait: a larger
	// value must be in the wrong unit.
	maxLatency  = 10 * time.Minute
	maxLifetime = 24 * time.Hour
)

var (
	dnsLabel    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	version     = regexp.MustCompile(`^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$`)
	featureGate = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
)

// Validate returns every fault of the profile, joined, each with its field and
// what to do about it; nil if there is none. It takes profiles with and without
// defaults.
func (p Profile) Validate() error {
	return join(fmt.Sprintf("profile %q", p.Metadata.Name), p.faults())
}

// faults collects sentences that begin with the field's path.
type faults []string

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, path+": "+fmt.Sprintf(format, args...))
}

func (p Profile) faults() []string {
	var f faults
	if p.APIVersion != APIVersion {
		f.add("apiVersion", "is %q, must be %s", p.APIVersion, APIVersion)
	}
	if p.Kind != ProfileKind {
		f.add("kind", "is %q, must be %s", p.Kind, ProfileKind)
	}
	if name := p.Metadata.Name; !dnsLabel.MatchString(name) || len(name) > maxNameLength {
		f.add("metadata.name", "is %q, must be 1 to %d lower-case letters, digits and '-', with a letter or digit at both ends (it becomes part of cluster and folder names)", name, maxNameLength)
	}
	f.version(p.Spec)
	f.topology(p.Spec.Topology)
	for _, component := range Configurable() {
		spec, _ := p.Spec.Component(component)
		f.component(component, spec, p.Spec.KubernetesVersion)
	}
	f.kubelet(p.Spec.Kubelet)
	for _, gate := range sorted(p.Spec.FeatureGates) {
		if !featureGate.MatchString(gate) {
			f.add("spec.featureGates", "%q is not a feature gate's name, which is a word in CamelCase such as KubeletInUserNamespace", gate)
		}
	}
	for i, patch := range p.Spec.Kind.KubeadmConfigPatches {
		f.kubeadmPatch(fmt.Sprintf("spec.kind.kubeadmConfigPatches[%d]", i), patch)
	}
	f.hollowRuntime(p.Spec.HollowRuntime)
	return f
}

func (f *faults) version(spec ProfileSpec) {
	if v := spec.KubernetesVersion; v != "" && !version.MatchString(v) {
		f.add("spec.kubernetesVersion", "is %q, must have the form v1.37.2", v)
	}
	if image := spec.NodeImage; strings.ContainsAny(image, " \t\r\n") {
		f.add("spec.nodeImage", "is %q, an image reference has no white space", image)
	}
}

func (f *faults) topology(topology Topology) {
	if n := topology.ControlPlanes; n != nil {
		f.between("spec.topology.controlPlanes", n, 1, maxControlPlanes)
		if *n > 0 && *n%2 == 0 {
			f.add("spec.topology.controlPlanes", "is %d, must be odd: an even number of etcd members survives no more failures than one fewer", *n)
		}
	}
	f.between("spec.topology.workers", topology.Workers, 1, maxWorkers)
}

func (f *faults) kubelet(spec KubeletSpec) {
	f.between("spec.kubelet.maxPods", spec.MaxPods, 1, math.MaxInt32)
	f.between("spec.kubelet.maxParallelImagePulls", spec.MaxParallelImagePulls, 1, math.MaxInt32)
	if serialize, pulls := spec.SerializeImagePulls, spec.MaxParallelImagePulls; serialize != nil && *serialize && pulls != nil && *pulls > 1 {
		f.add("spec.kubelet.maxParallelImagePulls", "is %d with serializeImagePulls true, which the kubelet refuses; set serializeImagePulls to false", *pulls)
	}
}

// kubeadmPatch refuses what kind or kubeadm would silently drop.
func (f *faults) kubeadmPatch(path, patch string) {
	var parsed any
	if err := yaml.Unmarshal([]byte(patch), &parsed); err != nil {
		f.add(path, "is not YAML: %s", strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	content, ok := parsed.(map[string]any)
	if !ok {
		f.add(path, "must be a mapping (field: value), as kubeadm's merge patches are")
		return
	}
	if kind, ok := content["kind"].(string); !ok || kind == "" {
		f.add(path, "has no kind, so it would match nothing; begin with kind: ClusterConfiguration, InitConfiguration, JoinConfiguration or KubeletConfiguration")
	}
}

func (f *faults) hollowRuntime(runtime HollowRuntime) {
	f.duration("spec.hollowRuntime.sandboxLatency", runtime.SandboxLatency, maxLatency)
	f.duration("spec.hollowRuntime.createLatency", runtime.CreateLatency, maxLatency)
	f.duration("spec.hollowRuntime.startLatency", runtime.StartLatency, maxLatency)
	f.duration("spec.hollowRuntime.imagePullLatency", runtime.ImagePullLatency, maxLatency)
	f.duration("spec.hollowRuntime.containerLifetime", runtime.ContainerLifetime, maxLifetime)
	f.between("spec.hollowRuntime.parallelism", runtime.Parallelism, 1, math.MaxInt32)
}

func (f *faults) between(path string, value *int, low, high int) {
	if value != nil && (*value < low || *value > high) {
		f.add(path, "is %d, must be %d to %d", *value, low, high)
	}
}

func (f *faults) duration(path string, value *metav1.Duration, most time.Duration) {
	if value != nil && (value.Duration < 0 || value.Duration > most) {
		f.add(path, "is %s, must be 0s to %s", value.Duration, most)
	}
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
