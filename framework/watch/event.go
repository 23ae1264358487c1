package watch

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/podburst/podburst/framework/recording"
)

// maxMessage bounds an Event's message, in bytes.
const maxMessage = 256

type trimmedEvent struct {
	metav1.ObjectMeta
	event recording.KubeEvent
}

func (e *trimmedEvent) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject is for client-go's mutation detector.
func (e *trimmedEvent) DeepCopyObject() runtime.Object {
	return &trimmedEvent{ObjectMeta: *e.DeepCopy(), event: e.event}
}

func (w *Watcher) trimEvent(object any) (any, error) {
	e, ok := object.(*corev1.Event)
	if !ok {
		return object, nil
	}
	of := w.strings.of
	event := recording.KubeEvent{
		At:             wall(w.options.Now()),
		Reason:         of(e.Reason),
		Type:           of(e.Type),
		Message:        cut(e.Message),
		Kind:           of(e.InvolvedObject.Kind),
		Namespace:      of(e.InvolvedObject.Namespace),
		Name:           of(e.InvolvedObject.Name),
		UID:            of(string(e.InvolvedObject.UID)),
		Component:      of(e.Source.Component),
		Node:           of(e.Source.Host),
		Count:          max(1, int(e.Count)),
		FirstTimestamp: utc(e.FirstTimestamp.Time),
		LastTimestamp:  utc(e.LastTimestamp.Time),
		EventTime:      utc(e.EventTime.Time),
	}
	// Reporters that use the events.k8s.io API fill in other fields.
	if event.Component == "" {
		event.Component = of(e.ReportingController)
	}
	if e.Series != nil {
		event.Count = max(event.Count, int(e.Series.Count))
		event.LastTimestamp = utc(e.Series.LastObservedTime.Time)
	}
	return &trimmedEvent{
		ObjectMeta: metav1.ObjectMeta{Name: e.Name, Namespace: e.Namespace, ResourceVersion: e.ResourceVersion},
		event:      event,
	}, nil
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

func cut(s string) string {
	if len(s) <= maxMessage {
		return s
	}
	end := maxMessage
	for end > 0 && s[end]&0xC0 == 0x80 { // not inside a UTF-8 sequence
		end--
	}
	return s[:end]
}

type eventHandler struct{ w *Watcher }

func (h eventHandler) OnAdd(object any, _ bool) {
	if e, ok := object.(*trimmedEvent); ok {
		h.w.events.add(e.event)
	}
}

func (h eventHandler) OnUpdate(_, object any) { h.OnAdd(object, false) }

// OnDelete does nothing: Events expire, but what they said stays recorded.
func (h eventHandler) OnDelete(any) {}

var _ cache.ResourceEventHandler = eventHandler{}

// eventLog keeps Events for the open trackers, up to max.
type eventLog struct {
	max int

	mu      sync.Mutex
	kept    []recording.KubeEvent
	dropped int
}

func (l *eventLog) add(e recording.KubeEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= l.max {
		l.dropped++
		return
	}
	l.kept = append(l.kept, e)
}

func (l *eventLog) since(since time.Time, keep func(recording.KubeEvent) bool) []recording.KubeEvent {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []recording.KubeEvent
	for _, e := range l.kept {
		if !e.At.Before(since) && keep(e) {
			found = append(found, e)
		}
	}
	return found
}

// forget drops what came before the given time.
func (l *eventLog) forget(before time.Time) {
	before = wall(before)
	l.mu.Lock()
	defer l.mu.Unlock()
	var kept []recording.KubeEvent
	for _, e := range l.kept {
		if !e.At.Before(before) {
			kept = append(kept, e)
		}
	}
	l.kept = kept
}

func (l *eventLog) droppedCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped
}
