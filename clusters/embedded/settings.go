package embedded

import (
	"fmt"
	"strconv"

	"github.com/podburst/podburst/clusters"
)

// settings is everything that determines the command lines of a cluster's
// components.
type settings struct {
	layout  layout
	spec    clusters.ProfileSpec // with defaults
	workers []string             // node names
	ports   ports
	// schedulerFields are Options.SchedulerConfiguration.
	schedulerFields string
}

// newSettings leaves the folder and the ports unset.
func newSettings(profile clusters.Profile) settings {
	spec := profile.WithDefaults().Spec
	return settings{spec: spec, workers: workerNames(*spec.Topology.Workers)}
}

// ports are the loopback ports of a cluster.
type ports struct {
	etcd, etcdPeer, apiServer, controllerManager, scheduler int
	kubelets                                                map[string]int // by node
}

// workerNames are the names of n nodes.
func workerNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "worker-" + strconv.Itoa(i+1)
	}
	return names
}

// pickPorts takes free ports for all components.
func pickPorts(picker *portPicker, workers []string) (ports, error) {
	free, err := picker.pick(5 + len(workers))
	if err != nil {
		return ports{}, err
	}
	p := ports{etcd: free[0], etcdPeer: free[1], apiServer: free[2], controllerManager: free[3], scheduler: free[4], kubelets: map[string]int{}}
	for i, node := range workers {
		p.kubelets[node] = free[5+i]
	}
	return p, nil
}

// port returns the instance's port for clients.
func (p ports) port(instance clusters.Instance) int {
	switch instance.Component {
	case clusters.Etcd:
		return p.etcd
	case clusters.KubeAPIServer:
		return p.apiServer
	case clusters.KubeControllerManager:
		return p.controllerManager
	case clusters.KubeScheduler:
		return p.scheduler
	default:
		return p.kubelets[instance.Node]
	}
}

// address is the URL of a loopback port.
func address(port int) string { return fmt.Sprintf("https://127.0.0.1:%d", port) }

// instances lists the cluster's processes in startup order.
func (s settings) instances() []clusters.Instance { return clusters.Instances(s.workers) }

// programOf is the control-plane binary's name for the component.
func programOf(component clusters.Component) string {
	if component == clusters.Kubelet {
		return "hollow-kubelet"
	}
	return string(component)
}

// flags returns the flags of an instance.
func (s settings) flags(instance clusters.Instance) (flags, error) {
	switch instance.Component {
	case clusters.Etcd:
		return s.etcd(), nil
	case clusters.KubeAPIServer:
		return s.apiServer(), nil
	case clusters.KubeControllerManager:
		return s.controllerManager()
	case clusters.KubeScheduler:
		return s.scheduler()
	default:
		return s.kubelet(instance.Node)
	}
}
