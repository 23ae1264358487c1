package usage

import (
	"slices"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station/evidence"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/span"
)

// Pace is how many writes a component sent to the API server, over time.
type Pace struct {
	// Component is the process that sent them: "kube-scheduler", "kubelet-node-1",
	// "observer" (podburst itself), or "others".
	Component string `json:"component"`
	// Writes is how many there were: creations, updates, patches and deletions in the
	// burst's namespace, failed ones included.
	Writes int `json:"writes"`
	// IntervalSeconds is the length of an interval: 1 s, or more for a long burst.
	IntervalSeconds stats.Seconds `json:"intervalSeconds"`
	// PerInterval is how many of them the API server received in each interval; the first
	// begins with the burst, and the last may be shorter.
	PerInterval []int `json:"perInterval"`
}

// others are senders that are no component of Kubernetes.
const others = "others"

// intervals is how many a Pace has at most.
const intervals = 600

// Paces counts the writes in a window by the audit log, the component with most of them
// first. Without an audit log there are none.
func Paces(b *recording.Burst, window span.Span) []Pace {
	all := []Pace{}
	length := window.Length()
	if length <= 0 {
		return all
	}
	step := time.Second
	if length > intervals*step {
		step = (length / intervals).Truncate(time.Second) + time.Second
	}
	n := int((length + step - 1) / step)
	of := map[string]int{}
	for _, e := range evidence.RequestsOf(b).Events {
		at := e.Received.Sub(window.From)
		if !writes(e.Verb) || at < 0 || at > length {
			continue
		}
		name := sender(&e)
		i, known := of[name]
		if !known {
			i = len(all)
			of[name] = i
			all = append(all, Pace{Component: name, IntervalSeconds: stats.SecondsOf(step), PerInterval: make([]int, n)})
		}
		all[i].Writes++
		all[i].PerInterval[min(int(at/step), n-1)]++
	}
	slices.SortFunc(all, func(x, y Pace) int {
		if d := y.Writes - x.Writes; d != 0 {
			return d
		}
		return strings.Compare(x.Component, y.Component)
	})
	return all
}

func writes(verb string) bool {
	return slices.Contains([]string{"create", "update", "patch", "delete", "deletecollection"}, verb)
}

// sender is the component that sent a request. The user tells, where components have users
// of their own; else the program that the user agent begins with.
func sender(e *recording.AuditEvent) string {
	if node, ok := strings.CutPrefix(e.User, "system:node:"); ok {
		return clusters.Instance{Component: clusters.Kubelet, Node: node}.String()
	}
	program, _, _ := strings.Cut(e.UserAgent, "/")
	for _, component := range clusters.Components() {
		if name := string(component); e.User == "system:"+name || program == name || program == "hollow-"+name {
			return name
		}
	}
	switch {
	case e.User == "system:apiserver":
		return string(clusters.KubeAPIServer)
	case program == recording.ManagedBy || strings.HasPrefix(program, recording.ManagedBy+"-"):
		return recording.AccountObserver
	}
	return others
}
