package watch

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// maxNodeChanges bounds the log of readiness changes; the oldest are dropped first.
const maxNodeChanges = 10_000

// NodeChange is a node that became Ready or stopped being Ready.
type NodeChange struct {
	// At is the observer's clock when the change was decoded.
	At   time.Time
	Node string
	// Ready is false if the node's Ready condition is False, Unknown or absent, or if
	// the node was removed.
	Ready bool
	// Reason is the condition's, or "NodeRemoved".
	Reason string
}

type trimmedNode struct {
	metav1.ObjectMeta
	change NodeChange
}

func (n *trimmedNode) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject is for client-go's mutation detector.
func (n *trimmedNode) DeepCopyObject() runtime.Object {
	return &trimmedNode{ObjectMeta: *n.DeepCopy(), change: n.change}
}

func (w *Watcher) trimNode(object any) (any, error) {
	node, ok := object.(*corev1.Node)
	if !ok {
		return object, nil
	}
	trimmed := &trimmedNode{
		ObjectMeta: metav1.ObjectMeta{Name: node.Name, ResourceVersion: node.ResourceVersion},
		change:     NodeChange{At: wall(w.options.Now()), Node: node.Name, Reason: "NoReadyCondition"},
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			trimmed.change.Ready = c.Status == corev1.ConditionTrue
			trimmed.change.Reason = c.Reason
		}
	}
	return trimmed, nil
}

type nodeHandler struct{ w *Watcher }

func (h nodeHandler) OnAdd(object any, _ bool) {
	if n, ok := object.(*trimmedNode); ok {
		h.w.nodes.add(n.change)
	}
}

func (h nodeHandler) OnUpdate(_, object any) { h.OnAdd(object, false) }

func (h nodeHandler) OnDelete(object any) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = tombstone.Obj
	}
	if n, ok := object.(*trimmedNode); ok {
		h.w.nodes.add(NodeChange{At: wall(h.w.options.Now()), Node: n.Name, Reason: "NodeRemoved"})
	}
}

// nodeLog keeps changes of readiness only; a node's other updates cost nothing.
type nodeLog struct {
	mu      sync.Mutex
	ready   map[string]bool
	changes []NodeChange
}

func (l *nodeLog) add(c NodeChange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ready, known := l.ready[c.Node]; known && ready == c.Ready {
		return
	}
	l.ready[c.Node] = c.Ready
	if len(l.changes) >= maxNodeChanges {
		l.changes = append(l.changes[:0], l.changes[maxNodeChanges/2:]...)
	}
	l.changes = append(l.changes, c)
}

// NotReady returns, in order, the changes that show a node that was not Ready at some
// time since then: for a node that was not Ready at that time, its last change
// before, and each later change to not Ready. A node that became not Ready and
// recovered is included; a node that was removed before is not.
func (w *Watcher) NotReady(since time.Time) []NodeChange {
	since = wall(since)
	l := &w.nodes
	l.mu.Lock()
	defer l.mu.Unlock()
	last := map[string]int{}
	for i, c := range l.changes {
		if c.At.Before(since) {
			last[c.Node] = i
		}
	}
	var found []NodeChange
	for i, c := range l.changes {
		if c.Ready {
			continue
		}
		standing, ok := last[c.Node]
		if !c.At.Before(since) || ok && standing == i && c.Reason != "NodeRemoved" {
			found = append(found, c)
		}
	}
	return found
}
