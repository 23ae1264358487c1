package passive

import (
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

func TestWhatCannotWorkIsRefusedBeforeTheClusterIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		says string
	}{
		"fine":                 {Options{Selector: "app=web,tier notin (cache)"}, ""},
		"no selector":          {Options{}, "no selector"},
		"a selector of blanks": {Options{Selector: " "}, "no selector"},
		"no label selector":    {Options{Selector: "app=web=x"}, "app=web=x"},
		"negative pods":        {Options{Selector: "a=b", Pods: -1}, "-1 pods"},
		"negative time":        {Options{Selector: "a=b", For: -time.Second}, "-1s"},
		"settled after the end": {Options{Selector: "a=b", For: time.Second, Settle: time.Minute},
			"longer than the 1s"},
	} {
		err := c.o.Check()
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
}

func TestWhatMayNotBeSeenIsKnownBeforehand(t *testing.T) {
	for name, c := range map[string]struct {
		verb, resource string
		err            error
		want           Permissions
		fails          string
	}{
		"everything may be seen": {},
		"no events":              {"list", "events", nil, Permissions{Events: "this user may not list events in namespace shop"}, ""},
		"events are listed only": {"watch", "events", nil, Permissions{Events: "this user may not watch events in namespace shop"}, ""},
		"no nodes":               {"list", "nodes", nil, Permissions{Nodes: "this user may not list nodes"}, ""},
		"no pods":                {"list", "pods", nil, Permissions{}, "podburst rbac --passive --namespace shop"},
		"pods are listed only":   {"watch", "pods", nil, Permissions{}, "may not watch pods in namespace shop"},
		"no answer":              {"list", "events", errors.New("connection refused"), Permissions{}, "list events in namespace shop: connection refused"},
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
