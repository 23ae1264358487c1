package clusters

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// APIVersion and the kinds of podburst's own YAML files.
const (
	APIVersion  = "podburst.dev/v1alpha1"
	ProfileKind = "Profile"
)

// Profile is the configuration of a cluster under test. Every field of Spec is optional.
// What is unset leaves the component's own default in force, and reports show the value
// read back from the live component, never the one asked for. Files are strict: an unknown
// field is an error.
type Profile struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Metadata names the profile.
	Metadata Metadata `json:"metadata"`
	// Spec is what the profile sets.
	Spec ProfileSpec `json:"spec,omitempty"`
}

// Metadata names a profile.
type Metadata struct {
	// Name is a DNS label (lower-case letters, digits and '-', at most 40 characters),
	// because it becomes part of folder, label and cluster names.
	Name string `json:"name"`
	// Description is a sentence for people.
	Description string `json:"description,omitempty"`
}

// ProfileSpec is what a profile sets.
type ProfileSpec struct {
	// KubernetesVersion is the version wanted, as "v1.37.2". Default: the provider's own
	// (embedded: the version it was built from).
	KubernetesVersion string `json:"kubernetesVersion,omitempty" jsonschema:"pattern=^v(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$"`
	// NodeImage is the kind node image, by tag or digest. Default: the provider's own.
	NodeImage string `json:"nodeImage,omitempty"`
	// Topology is how many machines there are of each role.
	Topology Topology `json:"topology,omitempty"`
	// KubeScheduler configures kube-scheduler.
	KubeScheduler ComponentSpec `json:"kubeScheduler,omitempty"`
	// KubeControllerManager configures kube-controller-manager. It has one limiter for
	// each controller; a burst meets that of the Job controller.
	KubeControllerManager ComponentSpec `json:"kubeControllerManager,omitempty"`
	// Kubelet configures every kubelet.
	Kubelet KubeletSpec `json:"kubelet,omitempty"`
	// FeatureGates are passed to every component.
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	// Kind is for the kind provider only.
	Kind KindSpec `json:"kind,omitempty"`
	// HollowRuntime is the simulated container runtime of hollow nodes. It is for the
	// embedded provider only.
	HollowRuntime HollowRuntime `json:"hollowRuntime,omitempty"`
}

// Topology counts machines.
type Topology struct {
	// ControlPlanes is the number of control planes, which must be odd. Default 1; the
	// embedded provider takes no other.
	ControlPlanes *int `json:"controlPlanes,omitempty" jsonschema:"minimum=1,maximum=7"`
	// Workers is the number of worker nodes. Default 2.
	Workers *int `json:"workers,omitempty" jsonschema:"minimum=1,maximum=5000"`
}

// ComponentSpec sets a component's client-side limiter, log and flags.
type ComponentSpec struct {
	// KubeAPIQPS is the sustained rate of requests a second, above 0. Set it together with
	// KubeAPIBurst. Default: the component's own (kube-scheduler 50,
	// kube-controller-manager 20, kubelet 50).
	KubeAPIQPS *float64 `json:"kubeAPIQPS,omitempty" jsonschema:"exclusiveMinimum=0"`
	// KubeAPIBurst is the size of the token bucket, in requests. Default: the component's
	// own (kube-scheduler 100, kube-controller-manager 30, kubelet 100).
	KubeAPIBurst *int `json:"kubeAPIBurst,omitempty" jsonschema:"minimum=1"`
	// Verbosity is the klog level, 0 to 10. Default 2, and 3 for the kubelet, so that the
	// log marks of a pod's life are written.
	Verbosity *int `json:"verbosity,omitempty" jsonschema:"maximum=10"`
	// ExtraArgs are further flags by name, without the leading dashes. A flag that
	// podburst sets itself is refused.
	ExtraArgs map[string]string `json:"extraArgs,omitempty"`
}

// KubeletSpec is a ComponentSpec and what only a kubelet has.
type KubeletSpec struct {
	ComponentSpec `json:",inline"`
	// MaxPods is how many pods a node takes. Default 110 (the kubelet's own).
	MaxPods *int `json:"maxPods,omitempty" jsonschema:"minimum=1"`
	// SerializeImagePulls is the kubelet's setting of that name. Default: the kubelet's
	// own.
	SerializeImagePulls *bool `json:"serializeImagePulls,omitempty"`
	// MaxParallelImagePulls is the kubelet's setting of that name. Default: the kubelet's
	// own.
	MaxParallelImagePulls *int `json:"maxParallelImagePulls,omitempty" jsonschema:"minimum=1"`
}

// KindSpec is passed to kind as it is.
type KindSpec struct {
	// KubeadmConfigPatches are kubeadm's merge patches, each a YAML text with a kind. They
	// are applied after podburst's own.
	KubeadmConfigPatches []string `json:"kubeadmConfigPatches,omitempty"`
}

// HollowRuntime simulates a container runtime: how long its operations take and
// how many of them run at once. Unset fields take the defaults, which are small
// and non-zero so that phases keep their order.
type HollowRuntime struct {
	// SandboxLatency is how long it takes to make a pod sandbox. Default 20ms.
	SandboxLatency *metav1.Duration `json:"sandboxLatency,omitempty"`
	// CreateLatency is how long it takes to make a container. Default 10ms.
	CreateLatency *metav1.Duration `json:"createLatency,omitempty"`
	// StartLatency is how long it takes to start a container. Default 10ms.
	StartLatency *metav1.Duration `json:"startLatency,omitempty"`
	// Parallelism is how many such operations a node runs at once; others wait their turn.
	// Default 16.
	Parallelism *int `json:"parallelism,omitempty" jsonschema:"minimum=1"`
	// ImagePullLatency is how long it takes to pull an image. How many are pulled at once is
	// for the kubelet's serializeImagePulls and maxParallelImagePulls to say. A node lacks an
	// image until it has pulled it; pods with the pull policy Always pull it each time.
	// Default 0: nodes have every image, and pulls take no time.
	ImagePullLatency *metav1.Duration `json:"imagePullLatency,omitempty"`
	// ContainerLifetime ends every container with exit code 0 that long after its start.
	// Default 0: containers run until they are stopped.
	ContainerLifetime *metav1.Duration `json:"containerLifetime,omitempty"`
}
