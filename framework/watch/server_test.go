package watch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/podburst/podburst/framework/recording"
)

// apiServer implements as much of list and watch as a reflector needs, over HTTP, so
// that tests go through client-go's own reflector, decoder and queue.
type apiServer struct {
	t    *testing.T
	http *httptest.Server

	mu        sync.Mutex
	cond      *sync.Cond
	version   int
	compacted int
	history   []historyEntry
	current   map[string]object
	epoch     int // streams of an earlier epoch are cut
	away      bool
	closed    bool
	// noStreamingLists: answer like an API server without WatchList.
	noStreamingLists bool
	// status, if not 0, is the answer to every request.
	status int
}

type object interface {
	runtime.Object
	metav1.Object
}

type historyEntry struct {
	version  int
	resource string
	kind     string
	object   json.RawMessage
}

func newAPIServer(t *testing.T) *apiServer {
	s := &apiServer{t: t, version: 10, current: map[string]object{}}
	s.cond = sync.NewCond(&s.mu)
	s.http = httptest.NewServer(s)
	t.Cleanup(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.cond.Broadcast()
		s.http.CloseClientConnections()
		s.http.Close()
	})
	return s
}

func (s *apiServer) config() *rest.Config {
	return &rest.Config{Host: s.http.URL, QPS: -1}
}

// apply stores an object and tells the watchers.
func (s *apiServer) apply(o object) { s.change(o, "") }

// remove deletes it; the watch event carries its last state.
func (s *apiServer) remove(o object) { s.change(o, "DELETED") }

// removeUnseen deletes it without a watch event, as if the event had been compacted
// away.
func (s *apiServer) removeUnseen(o object) { s.change(o, "UNSEEN") }

func (s *apiServer) change(o object, kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	o.SetResourceVersion(strconv.Itoa(s.version))
	resource := resourceOf(o)
	key := resource + "/" + o.GetName()
	switch {
	case kind != "":
		delete(s.current, key)
	case s.current[key] != nil:
		kind = "MODIFIED"
	default:
		kind = "ADDED"
	}
	if kind == "ADDED" || kind == "MODIFIED" {
		s.current[key] = o.DeepCopyObject().(object)
	}
	if kind != "UNSEEN" {
		s.history = append(s.history, historyEntry{s.version, resource, kind, s.encode(o)})
	}
	s.cond.Broadcast()
}

func resourceOf(o object) string {
	switch o.(type) {
	case *corev1.Pod:
		return "pods"
	case *corev1.Node:
		return "nodes"
	default:
		return "events"
	}
}

func (s *apiServer) encode(o any) json.RawMessage {
	raw, err := json.Marshal(o)
	if err != nil {
		s.t.Error(err)
	}
	return raw
}

// outage breaks all streams in the middle and answers no watch until meanwhile
// returns, so that none of what it does is seen as it happens.
func (s *apiServer) outage(meanwhile func()) {
	set := func(away bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.away = away
		s.epoch++
		s.cond.Broadcast()
	}
	set(true)
	meanwhile()
	set(false)
}

// compact makes every version so far too old to watch from.
func (s *apiServer) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.compacted = s.version
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(r.URL.Path, "/")
	resource := path[len(path)-1]
	query := r.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	s.mu.Lock()
	status, noStreaming := s.status, s.noStreamingLists
	s.mu.Unlock()
	switch {
	case status != 0:
		s.refuse(w, status, "the test says so")
	case query.Get("watch") != "true":
		s.list(w, resource)
	case query.Get("sendInitialEvents") == "true" && noStreaming:
		s.refuse(w, http.StatusUnprocessableEntity, "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled")
	default:
		s.watch(w, r, resource, query.Get("resourceVersion"), query.Get("sendInitialEvents") == "true")
	}
}

func (s *apiServer) refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	_, _ = w.Write(s.encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: int32(status), Message: message,
	}))
}

func (s *apiServer) list(w http.ResponseWriter, resource string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	items := []any{}
	for _, o := range s.current {
		if resourceOf(o) == resource {
			items = append(items, o)
		}
	}
	kind := map[string]string{"pods": "PodList", "nodes": "NodeList", "events": "EventList"}[resource]
	_, _ = w.Write(s.encode(map[string]any{
		"kind": kind, "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": strconv.Itoa(s.version)}, "items": items,
	}))
}

func (s *apiServer) watch(w http.ResponseWriter, r *http.Request, resource, from string, initial bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	send := func(kind string, o json.RawMessage) {
		_, _ = fmt.Fprintf(w, `{"type":%q,"object":%s}`+"\n", kind, o)
		w.(http.Flusher).Flush()
	}
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	version, _ := strconv.Atoi(from)
	for s.away && !s.closed {
		s.cond.Wait()
	}
	epoch := s.epoch
	if initial {
		for _, o := range s.current {
			if resourceOf(o) == resource {
				send("ADDED", s.encode(o))
			}
		}
		version = s.version
		bookmark := map[string]any{"metadata": map[string]any{
			"resourceVersion": strconv.Itoa(version), "annotations": map[string]string{metav1.InitialEventsAnnotationKey: "true"},
		}, "kind": map[string]string{"pods": "Pod", "nodes": "Node", "events": "Event"}[resource], "apiVersion": "v1"}
		send("BOOKMARK", s.encode(bookmark))
	}
	if version < s.compacted && !initial {
		send("ERROR", s.encode(metav1.Status{
			TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
			Status:   "Failure", Code: http.StatusGone, Reason: metav1.StatusReasonExpired, Message: "too old resource version",
		}))
		return
	}
	for i := 0; ; {
		if epoch != s.epoch {
			panic(http.ErrAbortHandler)
		}
		for ; i < len(s.history); i++ {
			if e := s.history[i]; e.version > version && e.resource == resource {
				send(e.kind, e.object)
			}
		}
		if s.closed || r.Context().Err() != nil {
			return
		}
		s.cond.Wait()
	}
}

// The objects of the tests.

const (
	namespace = "podburst-test"
	burstID   = "default-burst-1"
	jobUID    = "job-uid"
)

func newPod(i int) *corev1.Pod {
	controller := true
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprintf("pod-%d", i), Namespace: namespace, UID: types.UID(fmt.Sprintf("uid-%d", i)),
			Labels:          map[string]string{recording.LabelBurst: burstID},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "job", UID: jobUID, Controller: &controller}},
		},
		Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "pause", Image: "registry.k8s.io/pause:3.10"}}},
		Status: corev1.PodStatus{Phase: corev1.PodPending},
	}
}

func bind(p *corev1.Pod, node string) {
	p.Spec.NodeName = node
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodScheduled, Status: corev1.ConditionTrue})
}

func run(p *corev1.Pod) {
	started := true
	p.Status.Phase = corev1.PodRunning
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue})
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "pause", Ready: true, Started: &started, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
	}}
}
