package experiment

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
)

// ours is a cluster that was started for the run.
type ours struct {
	profile clusters.Profile
	deleted int
}

func (c *ours) Name() string                          { return "ours" }
func (c *ours) Profile() clusters.Profile             { return c.profile }
func (c *ours) Instances() []clusters.Instance        { return nil }
func (c *ours) WorkerNodes() []string                 { return []string{"a", "b"} }
func (c *ours) RESTConfig() *rest.Config              { return &rest.Config{QPS: -1} }
func (c *ours) Delete(context.Context) error          { c.deleted++; return nil }
func (c *ours) Collect(context.Context, string) error { return nil }
func (c *ours) Metrics(context.Context, clusters.Instance) ([]byte, error) {
	return nil, clusters.ErrUnsupported
}
func (c *ours) Logs(context.Context, clusters.Instance) (io.ReadCloser, error) {
	return nil, clusters.ErrUnsupported
}
func (c *ours) AuditLog(context.Context) (io.ReadCloser, error) { return nil, clusters.ErrUnsupported }
func (c *ours) EffectiveConfig(context.Context) (clusters.Effective, error) {
	return nil, clusters.ErrUnsupported
}
func (c *ours) Processes(context.Context) ([]clusters.Process, error) {
	return nil, clusters.ErrUnsupported
}

// theirs is one that stood before and outlives the run.
type theirs struct {
	ours
	free int
	err  error
}

func (c *theirs) FreePods(context.Context) (int, error) { return c.free, c.err }

type provider struct{}

func (provider) Name() string { return "test" }
func (provider) Create(context.Context, clusters.Profile) (clusters.Cluster, error) {
	return nil, errors.ErrUnsupported
}

// arm is one of a run of 20 pods, with its namespace made.
func arm(t *testing.T, cluster clusters.Cluster) (*Arm, *fake.Clientset) {
	t.Helper()
	profile := clusters.Profile{Metadata: clusters.Metadata{Name: "default"}}
	e, err := Start(Options{Provider: provider{}, Artifacts: t.TempDir(), Profiles: []clusters.Profile{profile}, Pods: 20, Bursts: 1, Deadline: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	client := fake.NewClientset()
	a := &Arm{experiment: e, profile: profile, cluster: cluster, client: client}
	if a.namespace, err = burst.EnsureNamespace(t.Context(), client, e.writer.Manifest().ID); err != nil {
		t.Fatal(err)
	}
	return a, client
}

func TestCloseRemovesTheNamespaceWhereTheClusterStays(t *testing.T) {
	cluster := &theirs{}
	a, client := arm(t, cluster)
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Close(interrupted); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Namespaces().Get(t.Context(), a.namespace, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("namespace %s: %v", a.namespace, err)
	}
	if cluster.deleted != 1 {
		t.Errorf("the cluster was let go of %d times", cluster.deleted)
	}
}

func TestCloseLeavesTheNamespaceToAClusterThatIsDeleted(t *testing.T) {
	cluster := &ours{}
	a, client := arm(t, cluster)
	if err := a.Close(t.Context()); err != nil || cluster.deleted != 1 {
		t.Errorf("deleted %d times, %v", cluster.deleted, err)
	}
	for _, action := range client.Actions() {
		if action.Matches("delete", "namespaces") {
			t.Error("time was spent on the namespace of a cluster that goes as a whole")
		}
	}
}

func TestANamespaceThatCannotBeRemovedIsTold(t *testing.T) {
	a, client := arm(t, &theirs{})
	name := a.namespace
	refused := apierrors.NewForbidden(corev1.Resource("namespaces"), name, errors.New("no"))
	client.PrependReactor("delete", "namespaces", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, refused })
	if err := a.Close(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v", err)
	}
}

func TestABurstMustFitIntoWhatOthersLeaveFree(t *testing.T) {
	for name, c := range map[string]struct {
		cluster clusters.Cluster
		fails   string
	}{
		"room for all":      {&theirs{free: 20}, ""},
		"room for one less": {&theirs{free: 19}, "room for 19 more"},
		"room not known":    {&theirs{err: errors.New("list pods: forbidden")}, "forbidden"},
		"a cluster of ours": {&ours{}, ""},
	} {
		a, _ := arm(t, c.cluster)
		err := a.room(t.Context())
		if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%s: error %v, want %q", name, err, c.fails)
		}
	}
}
