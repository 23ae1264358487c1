package timeline

import "github.com/podburst/podburst/framework/recording"

// The pod conditions that marks are read from.
const (
	conditionScheduled = "PodScheduled"
	conditionSandbox   = "PodReadyToStartContainers"
	conditionReady     = "Ready"
)

// kubeletConditions are those that only a kubelet sets first. PodScheduled is set by the
// scheduler, and readiness gates by anyone.
var kubeletConditions = map[string]bool{
	conditionSandbox: true, conditionReady: true, "Initialized": true, "ContainersReady": true,
}

func (bld *builder) readWatch() {
	b := bld.burst
	for i := range b.Watch {
		o := &b.Watch[i]
		if o.UID == "" || bld.afterEnd(o.At) {
			continue
		}
		if bld.burst.Passive == nil && !bld.owns(o.OwnerUID, o.BurstID) {
			if bld.isForeign(o.BurstID, o.Namespace) {
				bld.foreign[o.UID] = o.Name
			}
			continue
		}
		if bld.life(o.UID, o.Namespace, o.Name).observe(o) {
			bld.sandboxKnown = true
		}
	}
}

// observe takes in one sighting of the pod and tells whether the pod had the sandbox
// condition.
//
// A mark's watch reading is the time when the change that passed it was received. Marks
// that a full read shows for the first time were passed at an unknown time, and so were all
// marks that the very first sighting had already passed. Those marks get no reading.
func (l *life) observe(o *recording.Observation) (sandboxKnown bool) {
	passed, sandboxKnown := passedBy(o)
	live := !o.Initial
	if !l.seen {
		l.seen = true
		l.bear(o.At)
		if o.Initial || passed != setOf(Create) || o.Type == typeDeleted {
			l.late = true
			live = false
		}
	}
	if o.Type == typeDeleted {
		// The last state of a deleted pod may never have been sent as a change.
		live = false
		l.deleted = true
	}
	l.deleted = l.deleted || o.Deleting
	if live {
		for m := Create; m <= Observed; m++ {
			if passed.has(m) && !l.passed.has(m) {
				l.set(m, fromWatch, reading{at: o.At})
			}
		}
	}
	l.passed |= passed

	l.ready = l.ready || passed.has(Ready)
	l.succeeded = l.succeeded || o.Phase == phaseSucceeded
	// Containers of a pod that is being deleted are killed, which is not a failure.
	l.failed = l.failed || o.Phase == phaseFailed || o.Containers.Failed > 0 && !o.Deleting
	l.restarts = max(l.restarts, o.Containers.Restarts)
	l.waiting = o.Containers.Waiting
	if o.Node != "" {
		l.node = o.Node
	}
	l.readFields(o, passed)
	return sandboxKnown
}

// The values of Observation.Type and pod phases that matter here.
const (
	typeDeleted    = "deleted"
	phaseRunning   = "Running"
	phaseSucceeded = "Succeeded"
	phaseFailed    = "Failed"
)

// passedBy lists the marks that a pod in this state has passed.
func passedBy(o *recording.Observation) (passed marks, sandboxKnown bool) {
	passed = setOf(Create)
	passed.add(Schedule, o.Node != "")
	accepted := o.StartTime != nil
	for i := range o.Conditions {
		c := &o.Conditions[i]
		accepted = accepted || kubeletConditions[c.Type]
		switch c.Type {
		case conditionSandbox:
			sandboxKnown = true
			passed.add(Sandbox, c.Status == "True")
		case conditionReady:
			passed.add(Ready, c.Status == "True")
		}
	}
	passed.add(Accept, accepted)
	passed.add(Started, allRunning(&o.Containers))
	running := o.Phase == phaseRunning
	passed.add(Run, running)
	passed.add(Observed, running)
	return passed, sandboxKnown
}

func allRunning(c *recording.Containers) bool { return c.Total > 0 && c.Running == c.Total }

// readFields reads the object's own timestamps, which have whole seconds.
func (l *life) readFields(o *recording.Observation, passed marks) {
	l.set(Create, fromAPI, reading{at: o.Created})
	if o.StartTime != nil {
		l.set(Accept, fromAPI, reading{at: *o.StartTime})
	}
	for i := range o.Conditions {
		c := &o.Conditions[i]
		if c.Status != "True" {
			continue
		}
		switch c.Type {
		case conditionScheduled:
			l.set(Schedule, fromAPI, reading{at: c.Since})
		case conditionSandbox:
			l.set(Sandbox, fromAPI, reading{at: c.Since})
		case conditionReady:
			l.set(Ready, fromAPI, reading{at: c.Since})
		}
	}
	if passed.has(Started) {
		l.set(Started, fromAPI, reading{at: o.Containers.StartedAt})
	}
}

// readEvents reads the Created mark, in whole seconds, from the kubelet's Events: that of
// the last container.
func (bld *builder) readEvents() {
	for i := range bld.burst.Events {
		e := &bld.burst.Events[i]
		at := e.FirstTimestamp
		if at.IsZero() {
			at = e.EventTime
		}
		if e.Reason != "Created" || e.Kind != "Pod" || at.IsZero() {
			continue
		}
		if i, known := bld.byUID[e.UID]; known {
			if r := &bld.lives[i].readings[Created][fromAPI]; r.at.Before(at) {
				r.at = at
			}
		}
	}
}
