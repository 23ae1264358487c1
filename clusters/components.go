package clusters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DefaultVersion is the Kubernetes version of the clusters that podburst builds
// if the profile names none: the one that clusters/controlplane requires.
const DefaultVersion = "v1.37.2"

// Component names a Kubernetes component as its binary is named.
type Component string

// The components that podburst starts, reads or configures.
const (
	Etcd                  Component = "etcd"
	KubeAPIServer         Component = "kube-apiserver"
	KubeControllerManager Component = "kube-controller-manager"
	KubeScheduler         Component = "kube-scheduler"
	Kubelet               Component = "kubelet"
)

// facts are all that podburst knows about a component, in one place.
type facts struct {
	name Component
	// short is its name where space is tight.
	short string
	// setting is the field in which a profile configures it, and spec returns that
	// part of a profile. Both are unset if profiles cannot configure it.
	setting string
	spec    func(*ProfileSpec) *ComponentSpec
	// perNode is set if every node runs one; of the others there is one per
	// control plane.
	perNode bool
	// verbosity is the klog level at which it logs the lines that marks are read
	// from.
	verbosity int
	// limits are its own default client limits, the newest last.
	limits []limitsSince
	// health answers 200 once the component does its work.
	health string
	// local is where it listens on its own node, as kubeadm sets it up.
	local string
}

// limitsSince are the default limits from a minor version of Kubernetes 1 on.
type limitsSince struct {
	minor int
	qps   float64
	burst int
}

// table is in startup order. The limits come from the flags of kube-scheduler
// and the kubelet (5/10 before 1.27, see that version's release notes) and from
// the controller manager's GenericControllerManagerConfiguration.
var table = []facts{
	{name: Etcd, short: "etcd", health: "/health", local: "http://127.0.0.1:2381"},
	{name: KubeAPIServer, short: "apiserver", health: "/readyz", local: "https://127.0.0.1:6443"},
	{
		name: KubeControllerManager, short: "kcm", setting: "spec.kubeControllerManager", verbosity: 2,
		spec:   func(s *ProfileSpec) *ComponentSpec { return &s.KubeControllerManager },
		limits: []limitsSince{{0, 20, 30}}, health: "/healthz", local: "https://127.0.0.1:10257",
	},
	{
		// Binding is logged at level 2.
		name: KubeScheduler, short: "scheduler", setting: "spec.kubeScheduler", verbosity: 2,
		spec:   func(s *ProfileSpec) *ComponentSpec { return &s.KubeScheduler },
		limits: []limitsSince{{0, 50, 100}}, health: "/readyz", local: "https://127.0.0.1:10259",
	},
	{
		// Container events are logged at level 3.
		name: Kubelet, short: "kubelet", setting: "spec.kubelet", verbosity: 3, perNode: true,
		spec:   func(s *ProfileSpec) *ComponentSpec { return &s.Kubelet.ComponentSpec },
		limits: []limitsSince{{0, 5, 10}, {27, 50, 100}}, health: "/healthz", local: "https://127.0.0.1:10250",
	},
}

// facts returns the component's facts; zero for one that podburst does not know.
func (c Component) facts() facts {
	for _, f := range table {
		if f.name == c {
			return f
		}
	}
	return facts{}
}

func components(wanted func(facts) bool) []Component {
	var list []Component
	for _, f := range table {
		if wanted(f) {
			list = append(list, f.name)
		}
	}
	return list
}

// Components lists all components in startup order.
func Components() []Component { return components(func(facts) bool { return true }) }

// ControlPlane lists the components that each control plane has one of.
func ControlPlane() []Component { return components(func(f facts) bool { return !f.perNode }) }

// Configurable lists those that a profile can configure, in the order in which
// a starting pod meets them.
func Configurable() []Component { return components(func(f facts) bool { return f.spec != nil }) }

// Short is the component's name where space is tight: "kcm".
func (c Component) Short() string { return c.facts().short }

// Setting is the field in which a profile configures the component
// ("spec.kubeScheduler"); "" if there is none.
func (c Component) Setting() string { return c.facts().setting }

// Health is the path at which the component answers 200 once it does its work.
func (c Component) Health() string { return c.facts().health }

// Local is the base URL at which the component listens on its own node, as
// kubeadm sets it up.
func (c Component) Local() string { return c.facts().local }

// Comm is the component's name as the kernel keeps it: the first 15 characters.
func (c Component) Comm() string { return string(c[:min(len(c), 15)]) }

// Component returns what the profile sets for a component; ok is false if a
// profile cannot configure it.
func (s ProfileSpec) Component(component Component) (spec ComponentSpec, ok bool) {
	if at := s.At(component); at != nil {
		return *at, true
	}
	return ComponentSpec{}, false
}

// At points to the part of the profile that configures a component; nil if
// there is none.
func (s *ProfileSpec) At(component Component) *ComponentSpec {
	if of := component.facts().spec; of != nil {
		return of(s)
	}
	return nil
}

// DefaultLimits are a component's default client limits in a Kubernetes version
// such as "v1.37.2" (if empty or not understood: DefaultVersion); ok is false
// for a component that has none. Reports never use them: they show what is read
// back. They are for messages, for clusters that cannot be read back, and for
// hollow kubelets, whose client does not take the kubelet's own defaults.
func DefaultLimits(component Component, version string) (limits Limits, ok bool) {
	minor, known := minorOf(version)
	if !known {
		minor, _ = minorOf(DefaultVersion)
	}
	for _, l := range component.facts().limits {
		if minor >= l.minor {
			limits, ok = Limits{KubeAPIQPS: l.qps, KubeAPIBurst: l.burst, Source: "component default"}, true
		}
	}
	return limits, ok
}

func minorOf(version string) (minor int, ok bool) {
	rest, ok := strings.CutPrefix(version, "v1.")
	text, _, _ := strings.Cut(rest, ".")
	minor, err := strconv.Atoi(text)
	return minor, ok && err == nil
}

// Instance is one running process of a component. Node is the node's name for
// kubelets, and empty for control plane components that a cluster has only one
// of.
type Instance struct {
	Component Component `json:"component"`
	Node      string    `json:"node,omitempty"`
}

// String is the instance's name in reports and file names: "kube-scheduler",
// "kubelet-node-1".
func (i Instance) String() string {
	if i.Node == "" {
		return string(i.Component)
	}
	return fmt.Sprintf("%s-%s", i.Component, i.Node)
}

// ParseInstance reads what Instance.String writes. A name that matches no known
// component is taken as a component's name.
func ParseInstance(name string) Instance {
	for _, c := range Components() {
		if node, ok := strings.CutPrefix(name, string(c)+"-"); ok && node != "" {
			return Instance{Component: c, Node: node}
		}
	}
	return Instance{Component: Component(name)}
}

// Instances are those of a cluster with one control plane and these nodes, in
// startup order.
func Instances(nodes []string) []Instance {
	var list []Instance
	for _, f := range table {
		if !f.perNode {
			list = append(list, Instance{Component: f.name})
			continue
		}
		for _, node := range nodes {
			list = append(list, Instance{Component: f.name, Node: node})
		}
	}
	return list
}

// Of lists the limits of a component's instances, in name order.
func (e Effective) Of(component Component) []Limits {
	var names []string
	for name := range e {
		if ParseInstance(name).Component == component {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var list []Limits
	for _, name := range names {
		list = append(list, e[name])
	}
	return list
}
