package preflight

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

func TestWhatMayNotBeSeenIsKnownBeforehand(t *testing.T) {
	for name, c := range map[string]struct {
		verb, resource string
		err            error
		want           Refusals
		fails          string
	}{
		"everything may be seen": {},
		"no events":              {"list", "events", nil, Refusals{Events: "this user may not list events in namespace shop"}, ""},
		"events are listed only": {"watch", "events", nil, Refusals{Events: "this user may not watch events in namespace shop"}, ""},
		"no nodes":               {"list", "nodes", nil, Refusals{Nodes: "this user may not list nodes"}, ""},
		"no pods":                {"list", "pods", nil, Refusals{}, "podburst rbac --passive --namespace shop"},
		"pods are listed only":   {"watch", "pods", nil, Refusals{}, "may not watch pods in namespace shop"},
		"no answer":              {"list", "events", errors.New("connection refused"), Refusals{}, "list events in namespace shop: connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewClientset()
			refused := c.err
			if refused == nil {
				refused = apierrors.NewForbidden(corev1.Resource(c.resource), "", errors.New("no"))
			}
			switch c.verb {
			case "list":
				client.PrependReactor("list", c.resource, func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, refused })
			case "watch":
				client.PrependWatchReactor(c.resource, func(clienttesting.Action) (bool, apiwatch.Interface, error) { return true, nil, refused })
			}
			got, err := Ask(t.Context(), client, "shop")
			if c.fails == "" && (err != nil || got != c.want) || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("%+v, error %v; want %+v, %q", got, err, c.want, c.fails)
			}
			for _, a := range client.Actions() {
				if verb := a.GetVerb(); verb != "list" && verb != "watch" {
					t.Errorf("it did more than look: %s %s", verb, a.GetResource().Resource)
				}
			}
		})
	}
}
