package station

import (
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/timeline"
)

// passage is what the audit log tells of one bucket during a burst: when each
// request was received, from the first until the last that the burst's pods
// needed. Requests of the same bucket that the pods did not need (Events, the
// Job's status) took tokens all the same.
type passage struct {
	at []time.Time
	// needed are those that the burst's pods cannot do without.
	needed int
}

// passed finds the bucket that did the instance's work for the burst: the one of
// the pods' creator, of their binder, or of the node's kubelet.
func passed(b *recording.Burst, t *timeline.Timeline, instance clusters.Instance) passage {
	needs := needed(t, instance)
	senders := map[evidence.Sender]int{}
	last := time.Time{}
	var p passage
	for i := range b.Audit {
		e := &b.Audit[i]
		if !needs(e) {
			continue
		}
		p.needed++
		senders[evidence.SenderOf(e)]++
		if e.Received.After(last) {
			last = e.Received
		}
	}
	whose, most := evidence.Most(senders)
	if most == 0 {
		return passage{}
	}
	reads := false
	var writes []time.Time
	for i := range b.Audit {
		e := &b.Audit[i]
		if evidence.SenderOf(e) != whose || e.Received.After(last) || elsewhere(e, instance.Component) {
			continue
		}
		p.at = append(p.at, e.Received)
		reads = reads || e.Verb == "get" && e.Resource == "pods"
		if e.Resource == "pods" && e.Subresource == "status" {
			writes = append(writes, e.Received)
		}
	}
	// A kubelet reads a pod before it writes its status. Where the log was
	// recorded without reads, each write stands for both.
	if instance.Component == clusters.Kubelet && !reads {
		p.at = append(p.at, readsBefore(writes)...)
		p.needed += len(writes)
	}
	slices.SortFunc(p.at, time.Time.Compare)
	return p
}

// readsBefore puts one read halfway between each write and the one before it,
// where an evenly refilled bucket lets it go.
func readsBefore(writes []time.Time) []time.Time {
	slices.SortFunc(writes, time.Time.Compare)
	reads := slices.Clone(writes)
	for i := 1; i < len(writes); i++ {
		reads[i] = writes[i].Add(-writes[i].Sub(writes[i-1]) / 2)
	}
	return reads
}

// elsewhere tells whether a request does not take a token of the component's
// main bucket: watches are not limited, Events of kube-scheduler and kubelets
// have a client of their own (the Job controller's do not), heartbeats have no limiter.
func elsewhere(e *recording.AuditEvent, component clusters.Component) bool {
	switch {
	case e.Verb == "watch":
		return true
	case component == clusters.KubeControllerManager:
		return false
	}
	return e.Resource == "events" || e.Resource == "leases" || e.Resource == "nodes"
}

// needed tells which requests of the instance the burst's pods cannot do without.
func needed(t *timeline.Timeline, instance clusters.Instance) func(*recording.AuditEvent) bool {
	own, until := map[string]bool{}, time.Time{}
	for i := range t.Pods {
		p := &t.Pods[i]
		if instance.Component == clusters.Kubelet && p.Node != instance.Node {
			continue
		}
		own[p.UID], own[p.Name] = true, true
		if ready, ok := p.Primary(timeline.Ready); ok && ready.At.After(until) {
			until = ready.At
		}
	}
	return func(e *recording.AuditEvent) bool {
		if e.Resource != "pods" || !own[e.UID] && !own[e.Name] || e.Code < 200 || e.Code > 299 {
			return false
		}
		switch instance.Component {
		case clusters.KubeControllerManager:
			return e.Verb == "create" && e.Subresource == ""
		case clusters.KubeScheduler:
			return e.Verb == "create" && e.Subresource == "binding"
		case clusters.Kubelet:
			return e.Subresource == "status" && (e.Verb == "patch" || e.Verb == "update") &&
				(strings.HasPrefix(e.User, "system:node:") || strings.Contains(e.UserAgent, "kubelet")) &&
				(until.IsZero() || !e.Received.After(until))
		}
		return false
	}
}
