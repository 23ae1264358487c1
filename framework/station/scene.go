package station

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/span"
)

// scene is a burst as the analysis looks at it: each pod's requests, each component's
// requests, and where to ask for metrics.
type scene struct {
	burst   *recording.Burst
	line    *timeline.Timeline
	profile *recording.Profile
	cpus    int

	requests evidence.Requests
	courses  []course
	// ways are those of the courses, once they were followed.
	ways []*way
	// ends is when the last pod was ready; window the makespan.
	window span.Span
	// nodes are those that got pods, sorted.
	nodes  []string
	onNode map[string]string
	// sampled: the machine's use was sampled during the makespan. full: its processors had no
	// time left.
	sampled, full bool
	// bound is when each pod's binding was answered, by its name.
	bound map[string]time.Time
}

// course is one pod's way as requests to the API server. What the audit log lacks is nil.
type course struct {
	pod          *timeline.Pod
	ready        time.Time
	create, bind *recording.AuditEvent
	// writes are the kubelet's of the pod's status until it was ready, in order.
	writes []statusWrite
}

// statusWrite is one turn of the status manager: from the GET (or the PATCH, where the
// log has no GET) until the PATCH was answered.
type statusWrite struct {
	from, to time.Time
	patch    *recording.AuditEvent
	get      *recording.AuditEvent
}

func newScene(b *recording.Burst, t *timeline.Timeline, p *recording.Profile, cpus int) *scene {
	s := &scene{burst: b, line: t, profile: p, cpus: cpus, requests: evidence.RequestsOf(b), onNode: map[string]string{}, bound: map[string]time.Time{}}
	s.window.From = t.Submit.At
	byUID, byName := map[string]int{}, map[[2]string]int{}
	for i := range t.Pods {
		pod := &t.Pods[i]
		ready, ok := pod.Primary(timeline.Ready)
		if pod.Replacement || pod.Outcome != timeline.OutcomeReady || !ok {
			continue
		}
		byUID[pod.UID] = len(s.courses)
		if _, twice := byName[[2]string{b.Namespace, pod.Name}]; !twice {
			byName[[2]string{b.Namespace, pod.Name}] = len(s.courses)
		}
		s.courses = append(s.courses, course{pod: pod, ready: ready.At})
		if ready.At.After(s.window.To) {
			s.window.To = ready.At
		}
		s.onNode[pod.Name] = pod.Node
		if pod.Node != "" && !slices.Contains(s.nodes, pod.Node) {
			s.nodes = append(s.nodes, pod.Node)
		}
	}
	slices.Sort(s.nodes)
	gets := map[int]*recording.AuditEvent{}
	for i := range s.requests.Events {
		e := &s.requests.Events[i]
		if e.Resource != "pods" {
			continue
		}
		k, known := byUID[e.UID]
		if !known {
			if k, known = byName[[2]string{e.Namespace, e.Name}]; !known || e.UID != "" {
				continue
			}
		}
		c := &s.courses[k]
		succeeded := e.Code >= 200 && e.Code < 300
		switch {
		case e.Verb == "create" && e.Subresource == "" && succeeded && c.create == nil:
			c.create = e
		case e.Verb == "create" && e.Subresource == "binding" && succeeded && c.bind == nil:
			c.bind = e
			s.bound[c.pod.Name] = e.Completed
		case e.Verb == "get" && e.Subresource == "" && fromKubelet(e):
			gets[k] = e
		case isStatusWrite(e) && succeeded && !e.Received.After(c.ready):
			w := statusWrite{from: e.Received, to: e.Completed, patch: e}
			if g := gets[k]; g != nil && !g.Received.After(e.Received) && (len(c.writes) == 0 || !g.Received.Before(c.writes[len(c.writes)-1].to)) {
				w.from, w.get = g.Received, g
				delete(gets, k)
			}
			c.writes = append(c.writes, w)
		}
	}
	return s
}

func isStatusWrite(e *recording.AuditEvent) bool {
	return e.Subresource == "status" && (e.Verb == "patch" || e.Verb == "update") && fromKubelet(e)
}

// fromKubelet goes by the user agent besides the user, for a hollow node's kubelet may
// run under an administrator's name.
func fromKubelet(e *recording.AuditEvent) bool {
	return strings.HasPrefix(e.User, "system:node:") || strings.HasPrefix(e.UserAgent, "kubelet") || strings.HasPrefix(e.UserAgent, "hollow-kubelet")
}

// audited tells whether the audit log has the pods' creations, so that requests can be told.
func (s *scene) audited() bool {
	return slices.ContainsFunc(s.courses, func(c course) bool { return c.create != nil })
}

// tail are the pods, a twentieth and at least one, that took longest by some measure.
func (s *scene) tail(long func(c *course) time.Duration) []int {
	all := make([]int, len(s.courses))
	took := make([]time.Duration, len(s.courses))
	for i := range all {
		all[i], took[i] = i, long(&s.courses[i])
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(took[a], took[b]) })
	return all[len(all)-tailOf(len(all)):]
}

// last are the last pods to become ready.
func (s *scene) last() []int {
	return s.tail(func(c *course) time.Duration { return c.ready.Sub(s.window.To) })
}

// longest are those of which a phase took longest.
func (s *scene) longest(phase string) []int {
	marks := map[string][2]timeline.Mark{
		"submit_to_create": {timeline.Submit, timeline.Create}, "create_to_schedule": {timeline.Create, timeline.Schedule}, "schedule_to_run": {timeline.Schedule, timeline.Run},
		"run_to_observed": {timeline.Run, timeline.Observed},
	}
	ends, ok := marks[phase]
	if !ok {
		return s.last()
	}
	return s.tail(func(c *course) time.Duration {
		from, okFrom := c.mark(ends[0])
		to, okTo := c.mark(ends[1])
		if !okFrom || !okTo {
			return 0
		}
		return to.Sub(from)
	})
}

// tailOf is how many of n pods are the last ones.
func tailOf(n int) int { return min(n, max(1, n/20)) }

// mark is a pod's primary time of a mark; ok is false where it has none.
func (c *course) mark(m timeline.Mark) (at time.Time, ok bool) {
	stamp, ok := c.pod.Primary(m)
	return stamp.At, ok
}

// kubelets are the instance names of the nodes that got pods.
func (s *scene) kubelets() []string {
	names := make([]string, len(s.nodes))
	for i, node := range s.nodes {
		names[i] = clusters.Instance{Component: clusters.Kubelet, Node: node}.String()
	}
	return names
}

func (s *scene) process(component clusters.Component) evidence.Process {
	return evidence.ProcessOf(s.burst, string(component))
}

// limitsOf are what is in force in an instance.
func (s *scene) limitsOf(instance string) (limits clusters.Limits, known bool) {
	limits, known = s.profile.Effective[instance]
	return limits, known
}
