package station

import "github.com/podburst/podburst/clusters"

// Name is a station: a place on a pod's way where it is served and may queue.
type Name string

// The stations, in the order in which a pod meets them.
const (
	// ClientLimiter is a component's own token bucket (client-go's flowcontrol).
	ClientLimiter Name = "client-limiter"
	// JobController syncs a Job: one worker at a time, creations in batches of 1, 2, 4, ….
	JobController Name = "job-controller"
	// PriorityAndFairness are the API server's seats (KEP-1040).
	PriorityAndFairness Name = "priority-and-fairness"
	// Admission are the API server's admission plugins and webhooks.
	Admission Name = "admission"
	// Etcd commits writes one after the other.
	Etcd Name = "etcd"
	// APIServer is what a request takes besides seats, admission and etcd.
	APIServer Name = "api-server"
	// SchedulingLoop places one pod at a time.
	SchedulingLoop Name = "scheduling-loop"
	// Place is the wait for room: capacity, gates, taints.
	Place Name = "place"
	// Binding is one API write for each pod, side by side.
	Binding Name = "binding"
	// StatusManager writes a kubelet's pod statuses: GET, then PATCH, one pod at a time.
	StatusManager Name = "status-manager"
	// PodWorkers are a kubelet's goroutines, one a pod, and the PLEG that wakes them.
	PodWorkers Name = "pod-workers"
	// ImagePulls are serial, or so many at once.
	ImagePulls Name = "image-pulls"
	// ContainerRuntime makes sandboxes and containers.
	ContainerRuntime Name = "container-runtime"
	// Processors are those of the machine, which all of the others share.
	Processors Name = "processors"
	// ObserverWatch is podburst's own watch: after a pod runs, so no part of the makespan.
	ObserverWatch Name = "observer"
)

// titles name stations in sentences.
var titles = map[Name]string{
	ClientLimiter: "client-side limiter", JobController: "Job controller", PriorityAndFairness: "priority and fairness",
	Admission: "admission", Etcd: "etcd", APIServer: "API server", SchedulingLoop: "scheduling loop",
	Place: "a place to go", Binding: "binding", StatusManager: "status manager", PodWorkers: "pod workers and PLEG",
	ImagePulls: "image pulls", ContainerRuntime: "container runtime", Processors: "processors", ObserverWatch: "observer's watch",
}

// id tells stations apart: every component has a limiter of its own. All kubelets are
// one, for a burst has as many of them as nodes.
type id struct {
	name      Name
	component clusters.Component
}

// componentOf is where a station is, for those that are in one component only.
var componentOf = map[Name]clusters.Component{
	JobController: clusters.KubeControllerManager, PriorityAndFairness: clusters.KubeAPIServer, Admission: clusters.KubeAPIServer,
	Etcd: clusters.Etcd, APIServer: clusters.KubeAPIServer, SchedulingLoop: clusters.KubeScheduler, Place: clusters.KubeScheduler,
	Binding: clusters.KubeScheduler, StatusManager: clusters.Kubelet, PodWorkers: clusters.Kubelet, ImagePulls: clusters.Kubelet,
	ContainerRuntime: clusters.Kubelet, Processors: "", ObserverWatch: "",
}

// everyStation lists them in a pod's order.
func everyStation() []id {
	return []id{
		{ClientLimiter, clusters.KubeControllerManager}, at(JobController), at(PriorityAndFairness), at(Admission), at(Etcd), at(APIServer),
		{ClientLimiter, clusters.KubeScheduler}, at(SchedulingLoop), at(Place), at(Binding),
		{ClientLimiter, clusters.Kubelet}, at(StatusManager), at(PodWorkers), at(ImagePulls), at(ContainerRuntime), at(Processors), at(ObserverWatch),
	}
}

func at(name Name) id { return id{name, componentOf[name]} }

// phaseOf is the phase that a station can hold up. What is in the way of every write
// has none of its own.
func phaseOf(s id) string {
	switch s.name {
	case ClientLimiter:
		switch s.component {
		case clusters.KubeControllerManager:
			return "submit_to_create"
		case clusters.KubeScheduler:
			return "create_to_schedule"
		}
		return "schedule_to_run"
	case JobController:
		return "submit_to_create"
	case SchedulingLoop, Place, Binding:
		return "create_to_schedule"
	case StatusManager, PodWorkers, ImagePulls, ContainerRuntime:
		return "schedule_to_run"
	case ObserverWatch:
		return "run_to_observed"
	}
	return "all"
}
