package kind

import (
	"errors"
	"fmt"
	"maps"
	"sort"
	"strconv"
	"strings"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
)

// mountPoint is where a node sees its cluster's folder of shared files. A
// container with this mount belongs to one of podburst's clusters.
const mountPoint = "/podburst"

const (
	auditPolicyFile = "audit-policy.yaml"
	// auditLogDir holds the audit log, both in the API server's container and on
	// its node.
	auditLogDir  = "/var/log/podburst-audit"
	auditLogPath = auditLogDir + "/audit.log"
)

// plan is everything that determines a cluster's kind configuration.
type plan struct {
	name    string
	image   string
	offline bool
	// shared is the folder on this machine that is mounted into every node.
	shared  string
	profile clusters.Profile
}

// object is a piece of YAML.
type object = map[string]any

// config renders the plan for kind. The kubeadm patches name no apiVersion and
// give extraArgs as maps, so that they apply to kubeadm's v1beta3 (Kubernetes
// up to 1.35) and v1beta4 alike.
func (p plan) config() (*v1alpha4.Cluster, error) {
	spec := p.profile.Spec
	patches := []object{
		p.clusterConfiguration(),
		{"kind": "InitConfiguration", "nodeRegistration": p.nodeRegistration()},
		{"kind": "JoinConfiguration", "nodeRegistration": p.nodeRegistration()},
	}
	if kubelet := p.kubeletConfiguration(); len(kubelet) > 1 {
		patches = append(patches, kubelet)
	}
	config := &v1alpha4.Cluster{
		TypeMeta:     v1alpha4.TypeMeta{Kind: "Cluster", APIVersion: "kind.x-k8s.io/v1alpha4"},
		Name:         p.name,
		FeatureGates: spec.FeatureGates,
		// The API server is published on loopback and nowhere else.
		Networking: v1alpha4.Networking{APIServerAddress: "127.0.0.1"},
	}
	if p.offline {
		// The image has its own pod network and nothing for Services.
		config.Networking.DisableDefaultCNI = true
		config.Networking.KubeProxyMode = "none" // kind has no constant for it
	}
	for _, patch := range patches {
		text, err := yaml.Marshal(patch)
		if err != nil {
			return nil, fmt.Errorf("write a kubeadm patch: %w", err)
		}
		config.KubeadmConfigPatches = append(config.KubeadmConfigPatches, string(text))
	}
	config.KubeadmConfigPatches = append(config.KubeadmConfigPatches, spec.Kind.KubeadmConfigPatches...)

	for range *spec.Topology.ControlPlanes {
		config.Nodes = append(config.Nodes, p.node(v1alpha4.ControlPlaneRole))
	}
	for range *spec.Topology.Workers {
		config.Nodes = append(config.Nodes, p.node(v1alpha4.WorkerRole))
	}
	return config, nil
}

func (p plan) node(role v1alpha4.NodeRole) v1alpha4.Node {
	return v1alpha4.Node{
		Role:        role,
		Image:       p.image,
		ExtraMounts: []v1alpha4.Mount{{HostPath: p.shared, ContainerPath: mountPoint, Readonly: true}},
	}
}

// clusterConfiguration is kubeadm's view of the control plane.
func (p plan) clusterConfiguration() object {
	spec := p.profile.Spec
	patch := object{
		"kind": "ClusterConfiguration",
		"apiServer": object{
			"extraArgs": map[string]string{
				"audit-policy-file": mountPoint + "/" + auditPolicyFile,
				"audit-log-path":    auditLogPath,
				// Blocking would make every request wait for the disk.
				"audit-log-mode": "batch",
				// In MiB. Rotation must not drop the beginning of a run.
				"audit-log-maxsize": "2048",
			},
			"extraVolumes": []object{
				{"name": "podburst", "hostPath": mountPoint, "mountPath": mountPoint, "readOnly": true, "pathType": "Directory"},
				{"name": "podburst-audit", "hostPath": auditLogDir, "mountPath": auditLogDir, "pathType": "DirectoryOrCreate"},
			},
		},
		"controllerManager": object{"extraArgs": arguments(spec.KubeControllerManager)},
		"scheduler":         object{"extraArgs": arguments(spec.KubeScheduler)},
	}
	if p.offline {
		patch["dns"] = object{"disabled": true}
		// Memory, not disk: on a small machine the measurement would show etcd's fsyncs.
		patch["etcd"] = object{"local": object{"dataDir": "/tmp/etcd"}}
	}
	return patch
}

// arguments are the flags of a control plane component.
func arguments(spec clusters.ComponentSpec) map[string]string {
	args := spec.Flags()
	maps.Copy(args, spec.ExtraArgs)
	return args
}

// nodeRegistration carries the kubelet's flags that its configuration file cannot.
func (p plan) nodeRegistration() object {
	spec := p.profile.Spec.Kubelet
	args := map[string]string{"v": strconv.Itoa(*spec.Verbosity)}
	maps.Copy(args, spec.ExtraArgs)
	return object{"kubeletExtraArgs": args}
}

// kubeletConfiguration is the configuration that every kubelet gets from the
// cluster.
func (p plan) kubeletConfiguration() object {
	spec := p.profile.Spec.Kubelet
	patch := object{"kind": "KubeletConfiguration"}
	if spec.KubeAPIQPS != nil {
		patch["kubeAPIQPS"] = int64(*spec.KubeAPIQPS) // The profile's validation has made sure that it is whole.
	}
	set := func(name string, value *int) {
		if value != nil {
			patch[name] = *value
		}
	}
	set("kubeAPIBurst", spec.KubeAPIBurst)
	set("maxPods", spec.MaxPods)
	set("maxParallelImagePulls", spec.MaxParallelImagePulls)
	if spec.SerializeImagePulls != nil {
		patch["serializeImagePulls"] = *spec.SerializeImagePulls
	}
	if p.offline {
		// The image is also for machines with cgroup v1 or without all capabilities.
		patch["failCgroupV1"] = false
		patch["featureGates"] = map[string]bool{"KubeletInUserNamespace": true}
	}
	return patch
}

// patchKinds are the documents that kind hands to kubeadm.
var patchKinds = []string{"ClusterConfiguration", "InitConfiguration", "JoinConfiguration", "KubeProxyConfiguration", "KubeletConfiguration"}

// checkPatches refuses patches that are valid in a profile but that kind or
// kubeadm would silently drop: those for a document that is not theirs, and
// those whose extraArgs have the form of an apiVersion other than the one they
// name.
func checkPatches(patches []string, offline bool) error {
	var errs []error
	for i, text := range patches {
		where := fmt.Sprintf("spec.kind.kubeadmConfigPatches[%d]", i)
		var patch object
		if err := yaml.Unmarshal([]byte(text), &patch); err != nil {
			errs = append(errs, fmt.Errorf("%s is no YAML mapping: %w", where, err))
			continue
		}
		kind, _ := patch["kind"].(string)
		at := sort.SearchStrings(patchKinds, kind)
		switch {
		case at == len(patchKinds) || patchKinds[at] != kind:
			errs = append(errs, fmt.Errorf("%s has kind %q and would change nothing; kinds are %s", where, kind, strings.Join(patchKinds, ", ")))
		case offline && kind == "KubeProxyConfiguration":
			errs = append(errs, fmt.Errorf("%s would change nothing: podburst's own node image has no kube-proxy", where))
		case patch["apiVersion"] != nil && hasMapArguments(patch):
			errs = append(errs, fmt.Errorf("%s names an apiVersion and gives extraArgs as a map, which kubeadm drops from v1beta4 on; leave apiVersion out", where))
		}
	}
	return errors.Join(errs...)
}

// hasMapArguments finds extraArgs written as a map anywhere in a patch.
func hasMapArguments(value any) bool {
	fields, _ := value.(object)
	for name, field := range fields {
		_, isMap := field.(object)
		if isMap && (name == "extraArgs" || name == "kubeletExtraArgs") || hasMapArguments(field) {
			return true
		}
	}
	return false
}
