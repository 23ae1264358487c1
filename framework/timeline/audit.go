package timeline

import (
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/framework/recording"
)

// succeeded tells whether the request changed anything.
func succeeded(e *recording.AuditEvent) bool { return e.Code >= 200 && e.Code < 300 }

// completedReading is stamped when the answer was written. The change was committed at some
// time after the request came in.
func completedReading(e *recording.AuditEvent) reading {
	return reading{at: e.Completed, since: max(0, e.Completed.Sub(e.Received))}
}

// auditedSubmit finds when the API server received the workload, and the workload's UID if
// the recorder does not know it.
func (bld *builder) auditedSubmit() (at time.Time, ok bool) {
	b, w := bld.burst, &bld.burst.Workload
	for i := range b.Audit {
		e := &b.Audit[i]
		if e.Resource != w.Resource || e.APIGroup != w.Group || e.Subresource != "" || e.Verb != "create" || !succeeded(e) || e.Namespace != b.Namespace {
			continue
		}
		same := e.UID != "" && e.UID == w.UID || e.Name != "" && e.Name == w.Name ||
			e.BurstID != "" && e.BurstID == b.BurstID
		if !same || w.UID != "" && e.UID != "" && e.UID != w.UID {
			continue
		}
		if bld.owner == "" {
			bld.owner = e.UID
		}
		if !e.Received.IsZero() && (at.IsZero() || e.Received.Before(at)) {
			at = e.Received
		}
	}
	return at, !at.IsZero()
}

// readAudit reads pods' creations first, because other requests may name a pod that only
// the audit log knows.
func (bld *builder) readAudit() {
	b := bld.burst
	wanted := func(e *recording.AuditEvent) bool {
		return e.Resource == "pods" && succeeded(e) && !e.Completed.IsZero() && !bld.afterEnd(e.Received)
	}
	var unnamed []*recording.AuditEvent
	for i := range b.Audit {
		e := &b.Audit[i]
		if !wanted(e) || e.Verb != "create" || e.Subresource != "" {
			continue
		}
		if e.UID == "" {
			unnamed = append(unnamed, e)
			continue
		}
		if l := bld.created(e); l != nil {
			l.create(e)
		}
	}
	names := bld.names()
	for _, e := range unnamed {
		// A creation without a UID is that of the name's first pod whose creation is not
		// known yet.
		for _, i := range names[podName{e.Namespace, e.Name}] {
			if l := &bld.lives[i]; l.readings[Create][fromAudit].at.IsZero() {
				l.create(e)
				break
			}
		}
	}
	for i := range b.Audit {
		e := &b.Audit[i]
		if !wanted(e) {
			continue
		}
		switch {
		case e.Subresource == "binding" && e.Verb == "create":
			if l := bld.resolve(names, e); l != nil {
				l.set(Schedule, fromAudit, completedReading(e))
				if l.node == "" {
					l.node = e.TargetNode
				}
			}
		case e.Subresource == "status" && (e.Verb == "patch" || e.Verb == "update"):
			if l := bld.resolve(names, e); l != nil && l.writeStatus(e) {
				bld.sandboxKnown = true
			}
		}
	}
}

// created returns the pod that the request created, or nil if the pod is not the burst's.
func (bld *builder) created(e *recording.AuditEvent) *life {
	if i, known := bld.byUID[e.UID]; known {
		return &bld.lives[i]
	}
	if bld.burst.Passive != nil {
		return nil // an audit event does not show whether the pod matches the selector
	}
	if bld.owns(e.OwnerUID, e.BurstID) {
		return bld.life(e.UID, e.Namespace, e.Name)
	}
	// By label only: an audit log reaches back to the pods of earlier bursts.
	if bld.isForeign(e.BurstID, "") {
		bld.foreign[e.UID] = e.Name
	}
	return nil
}

func (l *life) create(e *recording.AuditEvent) {
	l.set(Create, fromAudit, completedReading(e))
	if !e.Received.IsZero() {
		l.bear(e.Received)
	}
}

// writeStatus takes in one write of the pod's status and tells whether it has the sandbox
// condition.
func (l *life) writeStatus(e *recording.AuditEvent) (sandboxKnown bool) {
	r := completedReading(e)
	if byKubelet(e) {
		l.set(Accept, fromAudit, r)
	}
	s := e.Status
	if s == nil {
		return false
	}
	for i := range s.Conditions {
		c := &s.Conditions[i]
		sandboxKnown = sandboxKnown || c.Type == conditionSandbox
		if c.Status != "True" {
			continue
		}
		switch c.Type {
		case conditionSandbox:
			l.set(Sandbox, fromAudit, r)
		case conditionReady:
			l.set(Ready, fromAudit, r)
			l.ready = true
		}
	}
	if s.Containers != nil {
		if allRunning(s.Containers) {
			l.set(Started, fromAudit, r)
		}
		l.restarts = max(l.restarts, s.Containers.Restarts)
	}
	switch s.Phase {
	case phaseRunning:
		l.set(Run, fromAudit, r)
	case phaseSucceeded:
		l.succeeded = true
	case phaseFailed:
		l.failed = true
	}
	return sandboxKnown
}

// byKubelet also checks the user agent, because a node's kubelet may run as an
// administrator. Nodes' users are system:node:<name>.
func byKubelet(e *recording.AuditEvent) bool {
	return strings.HasPrefix(e.User, "system:node:") ||
		strings.HasPrefix(e.UserAgent, "kubelet") || strings.HasPrefix(e.UserAgent, "hollow-kubelet")
}

type podName struct{ namespace, name string }

// names lists the pods of each name in the order they were created.
func (bld *builder) names() map[podName][]int {
	names := make(map[podName][]int, len(bld.lives))
	for i := range bld.lives {
		key := podName{bld.lives[i].namespace, bld.lives[i].name}
		names[key] = append(names[key], i)
	}
	for _, same := range names {
		if len(same) > 1 {
			slices.SortStableFunc(same, func(a, b int) int { return bld.lives[a].born.Compare(bld.lives[b].born) })
		}
	}
	return names
}

// resolve finds the pod that a request is about: by UID, else the most recently created pod
// of that name. It returns nil if the pod is not the burst's.
func (bld *builder) resolve(names map[podName][]int, e *recording.AuditEvent) *life {
	if e.UID != "" {
		if i, known := bld.byUID[e.UID]; known {
			return &bld.lives[i]
		}
		return nil
	}
	return bld.bearer(names, podName{e.Namespace, e.Name}, e.Completed)
}

// bearer returns the pod that had the name at that time: of several, the one created last
// before it. It returns nil if no pod ever had the name.
func (bld *builder) bearer(names map[podName][]int, name podName, at time.Time) *life {
	same := names[name]
	if len(same) == 0 {
		return nil
	}
	found := same[0]
	for _, i := range same[1:] {
		if bld.lives[i].born.After(at) {
			break
		}
		found = i
	}
	return &bld.lives[found]
}
