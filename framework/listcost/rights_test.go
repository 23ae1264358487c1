package listcost

import (
	"context"
	"errors"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/testbed"
)

// theirs is a cluster that others run.
type theirs struct{ clusters.Cluster }

func (theirs) FreePods(context.Context) (int, error) { return 0, nil }

func TestAClusterThatOthersRunIsAskedForTheRightsBeforehand(t *testing.T) {
	for name, c := range map[string]struct {
		cluster clusters.Cluster
		denied  []string
		says    string
	}{
		"all granted":            {theirs{}, nil, ""},
		"the manifest of bursts": {theirs{}, []string{"create", "deletecollection"}, "may not create pods, deletecollection pods in the namespaces podburst-*"},
		"what to do about it":    {theirs{}, []string{"create"}, "kubectl create clusterrole podburst-list-cost"},
		"a cluster of the run's": {struct{ clusters.Cluster }{}, []string{"create", "list"}, ""},
	} {
		client := fake.NewClientset()
		client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
			review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
			a := review.Spec.ResourceAttributes
			review.Status.Allowed = a.Resource == "pods" && a.Namespace == "podburst-x"
			for _, verb := range c.denied {
				review.Status.Allowed = review.Status.Allowed && verb != a.Verb
			}
			return true, review, nil
		})
		err := mayMeasure(t.Context(), &testbed.Testbed{Cluster: c.cluster, Client: client}, "podburst-x")
		if c.says == "" && err != nil || c.says != "" && (!errors.As(err, new(RightsError)) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
}
