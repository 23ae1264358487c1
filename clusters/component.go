package clusters

// Configurable lists the components that a profile configures, in the order in
// which a pod's start meets them.
func Configurable() []Component {
	return []Component{KubeControllerManager, KubeScheduler, Kubelet}
}

// Component returns what the profile sets for a component; ok is false for one that
// a profile does not configure.
func (s ProfileSpec) Component(component Component) (spec ComponentSpec, ok bool) {
	switch component {
	case KubeControllerManager:
		return s.KubeControllerManager, true
	case KubeScheduler:
		return s.KubeScheduler, true
	case Kubelet:
		return s.Kubelet.ComponentSpec, true
	}
	return ComponentSpec{}, false
}

// DefaultLimits are the limits that a component of Kubernetes 1.34 to 1.37 has where
// nothing sets them (kube-scheduler's and the kubelet's flags; the controller manager's
// GenericControllerManagerConfiguration); ok is false for other components. Reports
// never use them: they show what is read back. They are for messages, and for
// hollow kubelets, whose client does not take the kubelet's own defaults.
func DefaultLimits(component Component) (limits Limits, ok bool) {
	const source = "component default"
	switch component {
	case KubeControllerManager:
		return Limits{KubeAPIQPS: 20, KubeAPIBurst: 30, Source: source}, true
	case KubeScheduler, Kubelet:
		return Limits{KubeAPIQPS: 50, KubeAPIBurst: 100, Source: source}, true
	}
	return Limits{}, false
}

// field is where a profile configures the component.
func (c Component) field() string {
	switch c {
	case KubeControllerManager:
		return "spec.kubeControllerManager"
	case KubeScheduler:
		return "spec.kubeScheduler"
	}
	return "spec.kubelet"
}
