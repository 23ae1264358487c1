package preflight

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/load"
)

// find returns the only check of that name.
func (l *listing) find(t *testing.T, name string) Check {
	t.Helper()
	for _, c := range l.checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %q among %+v", name, l.checks)
	return Check{}
}

// allowing answers access reviews; denied are the rights that are not granted.
func allowing(objects []runtime.Object, denied ...string) *fake.Clientset {
	client := fake.NewClientset(objects...)
	client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
		review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
		var p Permission
		if a := review.Spec.ResourceAttributes; a != nil {
			p = Permission{Verb: a.Verb, Group: a.Group, Resource: a.Resource, Subresource: a.Subresource}
		} else {
			p = Permission{Verb: review.Spec.NonResourceAttributes.Verb, Path: review.Spec.NonResourceAttributes.Path}
		}
		review.Status.Allowed = true
		for _, d := range denied {
			if d == p.String() || d == "all" {
				review.Status.Allowed = false
			}
		}
		return true, review, nil
	})
	return client
}

func TestAMissingRightIsAFailureAndAnOptionalOneAWarning(t *testing.T) {
	l := &listing{}
	l.permissions(t.Context(), allowing(nil, "jobs.batch: create", "nodes/proxy: get", "pods: patch"), "ns")
	if len(l.checks) != len(Permissions()) || Failed(l.checks) != 1 {
		t.Errorf("%d checks, %d failed", len(l.checks), Failed(l.checks))
	}
	for name, want := range map[string]struct {
		status Status
		advice string
	}{
		"jobs.batch: create": {Fail, "podburst rbac | kubectl"}, "nodes/proxy: get": {Warn, "--kubelets"}, "pods: patch": {Warn, "podburst rbac | kubectl"}, "nodes: list": {OK, ""},
	} {
		if c := l.find(t, name); c.Status != want.status || !strings.Contains(c.Advice, want.advice) {
			t.Errorf("%s: %+v, want %s", name, c, want.status)
		}
	}
	client := fake.NewClientset()
	client.PrependReactor("create", "selfsubjectaccessreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewUnauthorized("who are you")
	})
	l = &listing{}
	l.permissions(t.Context(), client, "ns")
	if len(l.checks) != 1 || l.checks[0].Status != Fail {
		t.Errorf("a user whom nobody knows: %+v", l.checks)
	}
}

// standing is a cluster that others run, with one worker.
type standing struct {
	clusters.Cluster
	free    int
	metrics error
}

func (s standing) WorkerNodes() []string                 { return []string{"node-1"} }
func (s standing) FreePods(context.Context) (int, error) { return s.free, nil }
func (s standing) Instances() []clusters.Instance {
	return []clusters.Instance{{Component: clusters.KubeAPIServer}, {Component: clusters.Kubelet, Node: "node-1"}}
}
func (s standing) Metrics(_ context.Context, i clusters.Instance) ([]byte, error) {
	if i.Component == clusters.Kubelet {
		return nil, s.metrics
	}
	return nil, nil
}
func (s standing) EffectiveConfig(context.Context) (clusters.Effective, error) {
	return nil, s.metrics
}
func (s standing) AuditLog(context.Context) (io.ReadCloser, error) {
	return nil, clusters.ErrUnsupported
}

func TestRoomAndWhatCanBeReadAreTold(t *testing.T) {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	node.Status.NodeInfo = corev1.NodeSystemInfo{KubeletVersion: "v1.37.2", ContainerRuntimeVersion: "containerd://2.4.2"}
	node.Status.Images = []corev1.ContainerImage{{Names: []string{"other"}}}
	unsupported := errors.Join(clusters.ErrUnsupported, errors.New("not allowed"))
	l := &listing{}
	l.cluster(t.Context(), allowing([]runtime.Object{node}), Options{Request: load.Request{Pods: 100, Image: load.PauseImage}, Open: func(context.Context) (clusters.Cluster, error) {
		return standing{free: 57, metrics: unsupported}, nil
	}})
	for name, want := range map[string]struct {
		status Status
		says   string
	}{
		"worker nodes":           {OK, "1 are Ready"},
		"free pod slots":         {Fail, "57 for a burst of 100"},
		"kubelets":               {OK, "1 with v1.37.2 and containerd://2.4.2"},
		"image":                  {Warn, "node-1"},
		"kube-apiserver metrics": {OK, "read"},
		"kubelet metrics":        {Warn, "not allowed"},
		"limits in force":        {Warn, "none"},
		"source of marks":        {OK, "the watch"},
	} {
		if c := l.find(t, name); c.Status != want.status || !strings.Contains(c.Detail, want.says) {
			t.Errorf("%s: %+v, want %s and %q", name, c, want.status, want.says)
		}
	}
	if c := l.find(t, "free pod slots"); !strings.Contains(c.Advice, "PODS=57") {
		t.Errorf("advice %q", c.Advice)
	}
	l = &listing{}
	l.cluster(t.Context(), allowing(nil), Options{Open: func(context.Context) (clusters.Cluster, error) { return nil, errors.New("list nodes: forbidden") }})
	if Failed(l.checks) != 1 || !strings.Contains(l.checks[0].Detail, "forbidden") {
		t.Errorf("a cluster that cannot be taken: %+v", l.checks)
	}
}

// admitting answers dry runs with the pod as change leaves it.
func admitting(client *fake.Clientset, change func(spec *corev1.PodSpec)) {
	client.PrependReactor("create", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch object := action.(clienttesting.CreateAction).GetObject().DeepCopyObject().(type) {
		case *batchv1.Job:
			return true, object, nil
		case *corev1.Pod:
			change(&object.Spec)
			return true, object, nil
		}
		return false, nil, nil
	})
}

func TestAdmissionIsLookedAtInANamespaceThatIsRemoved(t *testing.T) {
	client := allowing(nil)
	admitting(client, func(spec *corev1.PodSpec) {
		spec.Containers = append(spec.Containers, corev1.Container{Name: "sidecar"})
	})
	l := &listing{}
	l.admission(t.Context(), client, Options{Request: load.Request{Pods: 10}})
	if c := l.find(t, "admission of jobs"); c.Status != OK {
		t.Errorf("%+v", c)
	}
	if c := l.find(t, "admission of pods"); c.Status != Warn || !strings.Contains(c.Detail, "sidecar") {
		t.Errorf("%+v", c)
	}
	left, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil || len(left.Items) != 0 {
		t.Errorf("namespaces left: %v, %v", left.Items, err)
	}

	client = allowing(nil, "pods: create")
	admitting(client, nil)
	l = &listing{}
	l.admission(t.Context(), client, Options{Request: load.Request{Pods: 10}})
	if c := l.find(t, "admission of pods"); c.Status != OK || !strings.Contains(c.Detail, "not looked at") {
		t.Errorf("%+v", c)
	}

	client = allowing(nil)
	client.PrependReactor("create", "jobs", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(batchv1.Resource("jobs"), "x", errors.New("policy says no"))
	})
	l = &listing{}
	l.admission(t.Context(), client, Options{Request: load.Request{Pods: 10}})
	if c := l.find(t, "admission of jobs"); c.Status != Fail || !strings.Contains(c.Detail, "policy says no") {
		t.Errorf("%+v", c)
	}
}

func TestQuotasThatABurstWouldHitFail(t *testing.T) {
	quota := func(name corev1.ResourceName, hard, used string) *corev1.ResourceQuota {
		return &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "q"},
			Status: corev1.ResourceQuotaStatus{
				Hard: corev1.ResourceList{name: resource.MustParse(hard)}, Used: corev1.ResourceList{name: resource.MustParse(used)},
			},
		}
	}
	for name, c := range map[string]struct {
		quota  *corev1.ResourceQuota
		status Status
		says   string
	}{
		"room":                     {quota("pods", "100", "0"), OK, "room"},
		"too little room":          {quota("pods", "100", "50"), Fail, "leaves 50 for a burst of 100"},
		"pods must have requests":  {quota("requests.cpu", "4", "0"), Fail, "limits requests.cpu"},
		"what a burst has none of": {quota("services", "0", "0"), OK, "room"},
	} {
		l := &listing{}
		l.quotas(t.Context(), fake.NewClientset(c.quota), "team", 100)
		if got := l.find(t, "quota q"); got.Status != c.status || !strings.Contains(got.Detail, c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	l := &listing{}
	l.quotas(t.Context(), fake.NewClientset(&corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "defaults"}}), "team", 1)
	if c := l.find(t, "limit ranges"); c.Status != Warn || !strings.Contains(c.Detail, "defaults") {
		t.Errorf("%+v", c)
	}
}

// clockServer is an API server whose clock is ahead; it answers at once, in the
// bubble's time.
type clockServer struct{ ahead time.Duration }

func (c clockServer) RoundTrip(*http.Request) (*http.Response, error) {
	header := http.Header{}
	header.Set("Date", time.Now().Add(c.ahead).UTC().Format(http.TimeFormat))
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(""))}, nil
}

func TestTheClockIsBoundedFromWholeSeconds(t *testing.T) {
	for name, c := range map[string]struct {
		ahead  time.Duration
		status Status
		says   string
	}{
		// In the bubble, 11 answers 110 ms apart fall 0 to 990 ms into a second: they
		// bound the offset within 10 ms.
		"in step":      {0, OK, "ahead"},
		"a bit behind": {-300 * time.Millisecond, OK, "-"},
		"far ahead":    {5 * time.Second, Warn, "5s to 5.01s ahead"},
		"far behind":   {-time.Minute, Warn, "-1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &listing{}
				o := Options{Config: &rest.Config{Host: "https://test"}, Now: time.Now}
				l.clock(t.Context(), &http.Client{Transport: clockServer{c.ahead}}, o)
				got := l.find(t, "clock")
				if got.Status != c.status || !strings.Contains(got.Detail, c.says) {
					t.Errorf("%+v", got)
				}
				t.Log(got.Detail)
			})
		})
	}
}

func TestAServerThatDoesNotAnswerIsOneFailure(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	checks, err := Run(t.Context(), Options{Config: &rest.Config{Host: server.URL, QPS: -1}, Open: func(context.Context) (clusters.Cluster, error) { return nil, nil }})
	if err != nil || len(checks) != 1 || checks[0].Status != Fail || checks[0].Name != "API server" {
		t.Errorf("%+v, %v", checks, err)
	}
	if _, err := Run(t.Context(), Options{}); err == nil {
		t.Error("options without a cluster passed")
	}
}

func TestTheTableSaysWhatToDo(t *testing.T) {
	var out bytes.Buffer
	err := Write(&out, []Check{
		{OK, "nodes: list", "find the worker nodes", ""},
		{Fail, "jobs: create", "not allowed:\x1b[31m submit", "grant it"},
		{Fail, "jobs: delete", "not allowed", "grant it"},
	})
	want := "ok    nodes: list   find the worker nodes\n" +
		"FAIL  jobs: create  not allowed: [31m submit\n" +
		"FAIL  jobs: delete  not allowed\n" +
		"\nWhat to do:\n- jobs: create (FAIL): grant it\n"
	if got := out.String(); err != nil || got != want {
		t.Errorf("got\n%swant\n%s%v", got, want, err)
	}
}

func TestMachinesThatCannotRunAControlPlane(t *testing.T) {
	good := Facts{OS: "linux", CPUs: 2, MemoryBytes: 8 << 30, FreeBytes: 10 << 30, Folder: "/tmp", Ready: clusters.Readiness{Subject: "control plane", Detail: "built", Ready: true}}
	for name, c := range map[string]struct {
		change func(f *Facts)
		status Status
		check  string
	}{
		"good":                  {func(*Facts) {}, OK, "control plane"},
		"not Linux":             {func(f *Facts) { f.OS = "darwin" }, Fail, "system"},
		"not built":             {func(f *Facts) { f.Ready.Ready = false }, Warn, "control plane"},
		"no Go":                 {func(f *Facts) { f.Ready.Err = errors.New("go: not found") }, Fail, "control plane"},
		"one processor":         {func(f *Facts) { f.CPUs = 1 }, Warn, "processors"},
		"little memory":         {func(f *Facts) { f.MemoryBytes = 1 << 30 }, Fail, "memory"},
		"enough to run":         {func(f *Facts) { f.MemoryBytes = 3 << 30 }, OK, "memory"},
		"too little to compile": {func(f *Facts) { f.MemoryBytes, f.Ready.Ready = 3<<30, false }, Fail, "memory"},
		"no space":              {func(f *Facts) { f.FreeBytes = 1 }, Fail, "space in /tmp"},
		"space not known":       {func(f *Facts) { f.FreeBytes = 0 }, Warn, "space in /tmp"},
		"clusters left":         {func(f *Facts) { f.LeftBehind = 2 }, Warn, "left behind"},
	} {
		f := good
		c.change(&f)
		l := &listing{checks: Machine(f)}
		if got := l.find(t, c.check); got.Status != c.status {
			t.Errorf("%s: %+v, want %s", name, got, c.status)
		}
	}
}
