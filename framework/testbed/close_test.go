package testbed

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

// theirs is one that existed before the run and outlives it.
type theirs struct{ ours }

func (c *theirs) FreePods(context.Context) (int, error) { return 0, nil }

const runID = "run-1"

// opened has the run's namespace.
func opened(t *testing.T, cluster clusters.Cluster) (*Testbed, *fake.Clientset) {
	t.Helper()
	client := fake.NewClientset()
	namespace, err := burst.EnsureNamespace(t.Context(), client, runID)
	if err != nil {
		t.Fatal(err)
	}
	return &Testbed{Cluster: cluster, Client: client, Namespace: namespace, options: Options{
		Profile: clusters.Profile{Metadata: clusters.Metadata{Name: "default"}}, RunID: runID, Progress: func(string) {}, Clock: time.Now,
	}}, client
}

func TestCloseRemovesTheNamespaceWhereTheClusterStays(t *testing.T) {
	cluster := &theirs{}
	bed, client := opened(t, cluster)
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := bed.Close(interrupted); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Namespaces().Get(t.Context(), bed.Namespace, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("namespace %s: %v", bed.Namespace, err)
	}
	if cluster.deleted != 1 {
		t.Errorf("the cluster was let go of %d times", cluster.deleted)
	}
}

func TestCloseLeavesTheNamespaceToAClusterThatIsDeleted(t *testing.T) {
	cluster := &ours{}
	bed, client := opened(t, cluster)
	if err := bed.Close(t.Context()); err != nil || cluster.deleted != 1 {
		t.Errorf("deleted %d times, %v", cluster.deleted, err)
	}
	for _, action := range client.Actions() {
		if action.Matches("delete", "namespaces") {
			t.Error("time was spent on the namespace of a cluster that goes as a whole")
		}
	}
}

func TestANamespaceThatCannotBeRemovedIsTold(t *testing.T) {
	bed, client := opened(t, &theirs{})
	name := bed.Namespace
	refused := apierrors.NewForbidden(corev1.Resource("namespaces"), name, errors.New("no"))
	client.PrependReactor("delete", "namespaces", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, refused })
	if err := bed.Close(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v", err)
	}
}
