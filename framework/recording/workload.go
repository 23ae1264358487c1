package recording

// Workload is the object that a burst's pods come from, as its load says
// (framework/load). Reports take their words from it, and marks the object's requests.
// Of pods that others send it is empty: see Passive.
type Workload struct {
	// Kind is the object's kind as Kubernetes spells it: "Job".
	Kind string `json:"kind,omitempty"`
	// Group and Resource are how requests name it: "batch", "jobs".
	Group    string `json:"group,omitempty"`
	Resource string `json:"resource,omitempty"`
	Name     string `json:"name,omitempty"`
	// UID is empty where the API server refused the object or did not answer.
	UID string `json:"uid,omitempty"`
	// Controller is who makes the pods, in words ("Job controller"), and Queue its work
	// queue by the name that kube-controller-manager's metrics have for it ("job").
	Controller string `json:"controller,omitempty"`
	Queue      string `json:"queue,omitempty"`
	// ByLabel: the burst's label tells which pods are its own, for the workload does not
	// control them itself (a Deployment's ReplicaSets do). Else its UID does.
	ByLabel bool `json:"byLabel,omitempty"`
}

// Job is the workload of a burst that is one Job.
func Job(name, uid string) Workload {
	return Workload{Kind: "Job", Group: "batch", Resource: "jobs", Name: name, UID: uid, Controller: "Job controller", Queue: "job"}
}
