package synthetic

import (
	"fmt"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// pod is one pod's life being made up; each step schedules the next, so that requests
// take their tokens in order of time.
type pod struct {
	*generator
	node    int
	request recording.AuditEvent
	state   recording.Observation
}

// pod makes up the life of the i-th pod until it is ready. The Job controller starts
// on all of them at once, as fast as its limiter lets it.
func (g *generator) pod(i int) {
	b := &g.burst
	name, uid := fmt.Sprintf("burst-%05d", i), fmt.Sprintf("%s-pod-%05d", b.BurstID, i)
	p := &pod{
		generator: g,
		node:      i % len(g.kubelets),
		request:   recording.AuditEvent{Resource: "pods", Name: name, UID: uid, Code: 200},
		state: recording.Observation{
			Type: "added", UID: uid, Name: name, Namespace: b.Namespace, BurstID: b.BurstID, OwnerUID: b.Workload.UID, Phase: "Pending",
		},
	}
	g.at(b.Submit.Add(10*time.Millisecond), p.create)
}

func (p *pod) create(now time.Time) {
	request := p.request
	request.Verb, request.Code, request.BurstID, request.OwnerUID = "create", 201, p.burst.BurstID, p.burst.Workload.UID
	request.User, request.UserAgent = "system:kube-controller-manager", "kube-controller-manager/v1.37.2"
	created := p.send(p.controller.take(now), request)
	p.state.Created = created.Truncate(time.Second)
	p.sighting(created, p.state)
	p.at(created.Add(p.about(3*time.Millisecond)), p.bind)
}

func (p *pod) bind(now time.Time) {
	request := p.request
	// A binding is audited without the pod's UID if its body is not logged.
	request.Verb, request.Subresource, request.Code, request.UID = "create", "binding", 201, ""
	request.User, request.UserAgent = "system:kube-scheduler", "kube-scheduler/v1.37.2"
	request.TargetNode = p.burst.WorkerNodes[p.node]
	bound := p.send(p.scheduler.take(now), request)
	p.state.Type, p.state.Node = "modified", request.TargetNode
	p.state.Conditions = []recording.Condition{condition("PodScheduled", "True", bound)}
	p.sighting(bound, p.state)
	p.at(bound.Add(p.about(8*time.Millisecond)), p.accept)
}

func (p *pod) accept(now time.Time) {
	waiting := recording.Containers{Total: 1, Waiting: "ContainerCreating"}
	conditions := []recording.Condition{condition("PodReadyToStartContainers", "False", now), condition("Ready", "False", now)}
	accepted := p.status(now, recording.StatusChange{Conditions: conditions, Containers: &waiting})
	startTime := now.Truncate(time.Second)
	p.state.StartTime, p.state.Containers = &startTime, waiting
	p.state.Conditions = append(p.state.Conditions, conditions...)
	p.sighting(accepted, p.state)
	p.at(accepted.Add(p.about(40*time.Millisecond)), p.sandbox)
}

func (p *pod) sandbox(now time.Time) {
	change := condition("PodReadyToStartContainers", "True", now)
	made := p.status(now, recording.StatusChange{Conditions: []recording.Condition{change}})
	p.state.Conditions[1] = change
	p.sighting(made, p.state)
	p.at(made.Add(p.about(30*time.Millisecond)), p.run)
}

func (p *pod) run(now time.Time) {
	running := recording.Containers{Total: 1, Running: 1, Ready: 1, StartedAt: now.Truncate(time.Second)}
	change := condition("Ready", "True", now)
	ready := p.status(now, recording.StatusChange{
		Phase: "Running", Containers: &running, Conditions: []recording.Condition{change},
	})
	p.state.Phase, p.state.Containers, p.state.Conditions[2] = "Running", running, change
	p.sighting(ready, p.state)
}

// status is one sync of the kubelet: a GET, then a PATCH with the change.
func (p *pod) status(now time.Time, change recording.StatusChange) (committed time.Time) {
	request := p.request
	request.Verb, request.Subresource, request.Status = "patch", "status", &change
	request.User, request.UserAgent = "system:node:"+p.burst.WorkerNodes[p.node], "kubelet/v1.37.2"
	kubelet := p.kubelets[p.node]
	kubelet.take(now)
	return p.send(kubelet.take(now), request)
}

func condition(kind, status string, at time.Time) recording.Condition {
	return recording.Condition{Type: kind, Status: status, Since: at.Truncate(time.Second)}
}
