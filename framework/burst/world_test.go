package burst

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

const (
	runID     = "20261129-150000"
	namespace = "podburst-" + runID
)

// finalizer is the Job controller's.
var finalizer = load.Job{}.Terms().Finalizer

// world is a cluster in which the test plays every component. It runs in a synctest
// bubble: time passes when every goroutine waits. Reactors never sleep, since the
// fake client calls them while it holds a lock.
type world struct {
	t       *testing.T
	client  *fake.Clientset
	watcher *watch.Watcher
	cluster *fakeCluster

	// life is what happens to pod i; nil: bound, running and ready 20 ms after its
	// creation.
	life func(w *world, pod *corev1.Pod, i int)
	mu   sync.Mutex
	// deleting and freed are pods by name: those with a deletion requested, and those
	// whose Job finalizer is gone. A pod goes when it is in both.
	deleting, freed map[string]bool
	// log is the audit log.
	log bytes.Buffer
	// offset is how far the API server's clock is ahead.
	offset time.Duration
}

func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, client: fake.NewClientset(), deleting: map[string]bool{}, freed: map[string]bool{}}
		w.cluster = &fakeCluster{world: w, processes: map[string]clusters.Process{}}
		for _, i := range w.cluster.Instances() {
			w.cluster.processes[i.String()] = clusters.Process{Instance: i, ID: "1", Running: true}
		}
		w.client.PrependReactor("create", "jobs", w.createJob)
		w.client.PrependReactor("delete", "pods", w.deletePod)
		w.client.PrependReactor("patch", "pods", w.patchPod)
		w.client.PrependReactor("get", "configmaps", w.auditGet)
		var err error
		if w.watcher, err = watch.NewForClient(w.client, watch.Options{Namespace: namespace}); err != nil {
			t.Fatal(err)
		}
		if err := w.watcher.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer w.watcher.Stop()
		synctest.Wait() // the fake client loses what happens between list and watch
		test(t, w)
	})
}

func (w *world) options(pods int) Options {
	return Options{
		Cluster: w.cluster, Client: w.client, Watcher: w.watcher, Audit: audit.NewCursor(w.cluster.AuditLog),
		RunID: runID, Namespace: namespace, Index: 1, Spec: Spec{Load: load.Job{Pods: pods}, Deadline: 10 * time.Second},
	}
}

func (w *world) pods() interface {
	Create(context.Context, *corev1.Pod, metav1.CreateOptions) (*corev1.Pod, error)
	Update(context.Context, *corev1.Pod, metav1.UpdateOptions) (*corev1.Pod, error)
} {
	return w.client.CoreV1().Pods(namespace)
}

func (w *world) createJob(action clienttesting.Action) (bool, runtime.Object, error) {
	job := action.(clienttesting.CreateAction).GetObject().(*batchv1.Job)
	job.UID = "job-uid"
	pods := int(*job.Spec.Parallelism)
	go func() {
		for i := range pods {
			time.Sleep(10 * time.Millisecond)
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{
					Name: fmt.Sprintf("%s-%03d", job.Name, i), Namespace: namespace, UID: types.UID(fmt.Sprintf("uid-%03d", i)),
					Labels: job.Spec.Template.Labels, Finalizers: []string{finalizer},
					OwnerReferences: []metav1.OwnerReference{{Kind: "Job", UID: "job-uid", Controller: new(true)}},
				},
				Spec:   job.Spec.Template.Spec,
				Status: corev1.PodStatus{Phase: corev1.PodPending},
			}
			if _, err := w.pods().Create(context.TODO(), pod, metav1.CreateOptions{}); err != nil {
				w.t.Error(err)
			}
			life := w.life
			if life == nil {
				life = func(w *world, pod *corev1.Pod, _ int) { w.makeReady(pod) }
			}
			go life(w, pod.DeepCopy(), i)
		}
	}()
	return false, nil, nil
}

func (w *world) update(pod *corev1.Pod) {
	if _, err := w.pods().Update(context.TODO(), pod, metav1.UpdateOptions{}); err != nil {
		w.t.Error(err)
	}
}

func (w *world) makeReady(pod *corev1.Pod) {
	time.Sleep(10 * time.Millisecond)
	pod.Spec.NodeName = "node-1"
	w.update(pod)
	time.Sleep(10 * time.Millisecond)
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	w.update(pod)
}

// deletePod gives the pod a second of grace; a finalizer keeps it beyond that.
func (w *world) deletePod(action clienttesting.Action) (bool, runtime.Object, error) {
	pods, name := corev1.SchemeGroupVersion.WithResource("pods"), action.(clienttesting.DeleteAction).GetName()
	found, err := w.client.Tracker().Get(pods, namespace, name)
	if err != nil {
		return true, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.deleting[name] {
		return true, nil, nil
	}
	w.deleting[name] = true
	p := found.(*corev1.Pod).DeepCopy()
	p.DeletionTimestamp = new(metav1.Now())
	go func() {
		w.update(p)
		time.Sleep(time.Second)
		for !w.isFree(name) {
			time.Sleep(50 * time.Millisecond)
		}
		if err := w.client.Tracker().Delete(pods, namespace, name); err != nil {
			w.t.Error(err)
		}
	}()
	return true, nil, nil
}

func (w *world) isFree(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.freed[name]
}

// free plays the Job controller when it gets to the pod.
func (w *world) free() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name := range w.deleting {
		w.freed[name] = true
	}
}

func (w *world) patchPod(action clienttesting.Action) (bool, runtime.Object, error) {
	patch := action.(clienttesting.PatchAction)
	var body struct {
		Metadata map[string]any `json:"metadata"`
	}
	if err := json.Unmarshal(patch.GetPatch(), &body); err != nil {
		return true, nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if body.Metadata["uid"] == "" || !slices.Equal(body.Metadata["$deleteFromPrimitiveList/finalizers"].([]any), []any{finalizer}) {
		w.t.Errorf("patch %s", patch.GetPatch())
	}
	w.freed[patch.GetName()] = true
	return true, &corev1.Pod{}, nil
}

// auditGet answers a marker and writes its event, as the API server does.
func (w *world) auditGet(action clienttesting.Action) (bool, runtime.Object, error) {
	name := action.(clienttesting.GetAction).GetName()
	w.mu.Lock()
	received := time.Now().Add(w.offset)
	w.mu.Unlock()
	w.audit("get", "configmaps", name, "", 404, received, "")
	return true, nil, apierrors.NewNotFound(corev1.Resource("configmaps"), name)
}

func (w *world) audit(verb, resource, name, subresource string, code int, received time.Time, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if body == "" {
		body = "null"
	}
	const stamp = "2006-01-02T15:04:05.000000Z"
	fmt.Fprintf(&w.log, `{"stage":"ResponseComplete","auditID":"%d","verb":%q,"objectRef":{"resource":%q,"namespace":%q,"name":%q,"subresource":%q},`+
		`"responseStatus":{"code":%d},"requestObject":%s,"requestReceivedTimestamp":%q,"stageTimestamp":%q}`+"\n",
		w.log.Len(), verb, resource, namespace, name, subresource, code, body,
		received.UTC().Format(stamp), time.Now().Add(w.offset).UTC().Format(stamp))
}

// fakeCluster is the world as a clusters.Cluster.
type fakeCluster struct {
	world        *world
	mu           sync.Mutex
	processes    map[string]clusters.Process
	metricsError error
	auditError   error
	logs         map[clusters.Component]string
	processError error
	// starts is process_start_time_seconds by component.
	starts  map[clusters.Component]float64
	scrapes int
}

func (c *fakeCluster) Name() string { return "fake" }
func (c *fakeCluster) Profile() clusters.Profile {
	return clusters.Profile{Metadata: clusters.Metadata{Name: "default"}}
}
func (c *fakeCluster) Instances() []clusters.Instance {
	return []clusters.Instance{{Component: clusters.KubeScheduler}, {Component: clusters.Kubelet, Node: "node-1"}}
}
func (c *fakeCluster) WorkerNodes() []string    { return []string{"node-1"} }
func (c *fakeCluster) RESTConfig() *rest.Config { return &rest.Config{QPS: -1} }
func (c *fakeCluster) Metrics(_ context.Context, i clusters.Instance) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scrapes++
	if c.metricsError != nil && i.Component == clusters.Kubelet {
		return nil, c.metricsError
	}
	if start, ok := c.starts[i.Component]; ok {
		return fmt.Appendf(nil, "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds %v\n", start), nil
	}
	return fmt.Appendf(nil, "%s at %s", i, time.Now().Format("05.000")), nil
}
func (c *fakeCluster) Logs(_ context.Context, i clusters.Instance) (io.ReadCloser, error) {
	if text, ok := c.logs[i.Component]; ok {
		return io.NopCloser(strings.NewReader(text)), nil
	}
	return nil, clusters.ErrUnsupported
}
func (c *fakeCluster) AuditLog(context.Context) (io.ReadCloser, error) {
	if c.auditError != nil {
		return nil, c.auditError
	}
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	return io.NopCloser(bytes.NewReader(bytes.Clone(c.world.log.Bytes()))), nil
}
func (c *fakeCluster) EffectiveConfig(context.Context) (clusters.Effective, error) {
	return nil, clusters.ErrUnsupported
}
func (c *fakeCluster) Processes(context.Context) ([]clusters.Process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.processError != nil {
		return nil, c.processError
	}
	var all []clusters.Process
	for _, p := range c.processes {
		all = append(all, p)
	}
	return all, nil
}
func (c *fakeCluster) Collect(context.Context, string) error { return errors.ErrUnsupported }
func (c *fakeCluster) Delete(context.Context) error          { return nil }

func (c *fakeCluster) setProcess(instance, id string, running bool, exit string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.processes[instance]
	p.ID, p.Running, p.Exit = id, running, exit
	c.processes[instance] = p
}

func codes(b recording.Burst) []string {
	found := []string{}
	for _, p := range b.Problems {
		found = append(found, p.Code)
	}
	return found
}
