package preflight

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// Refusals say why an observer may not see things that it can do without. Empty: it
// may.
type Refusals struct {
	// Events: image pulls cannot be told apart, and pod_startup includes them.
	Events string
	// Nodes: a node that is not Ready is not seen.
	Nodes string
}

// Ask lists and watches pods, events and nodes once, briefly. Trying is the only way
// to ask that writes nothing: a SelfSubjectAccessReview is created. It is an error if
// pods may not be watched or the API server does not answer.
func Ask(ctx context.Context, client kubernetes.Interface, namespace string) (Refusals, error) {
	var may Refusals
	api := client.CoreV1()
	pods := func(ctx context.Context, o metav1.ListOptions) error {
		_, err := api.Pods(namespace).List(ctx, o)
		return err
	}
	events := func(ctx context.Context, o metav1.ListOptions) error {
		_, err := api.Events(namespace).List(ctx, o)
		return err
	}
	nodes := func(ctx context.Context, o metav1.ListOptions) error { _, err := api.Nodes().List(ctx, o); return err }
	for _, ask := range []struct {
		what    string
		list    func(context.Context, metav1.ListOptions) error
		watch   func(context.Context, metav1.ListOptions) (apiwatch.Interface, error)
		missing *string
	}{
		{"pods in namespace " + namespace, pods, api.Pods(namespace).Watch, nil},
		{"events in namespace " + namespace, events, api.Events(namespace).Watch, &may.Events},
		{"nodes", nodes, api.Nodes().Watch, &may.Nodes},
	} {
		verb, err := "list", ask.list(ctx, metav1.ListOptions{Limit: 1})
		if err == nil {
			verb = "watch"
			second := int64(1)
			var opened apiwatch.Interface
			if opened, err = ask.watch(ctx, metav1.ListOptions{TimeoutSeconds: &second}); err == nil {
				opened.Stop()
			}
		}
		switch {
		case err == nil:
		case apierrors.IsForbidden(err) && ask.missing != nil:
			*ask.missing = fmt.Sprintf("this user may not %s %s", verb, ask.what)
		case apierrors.IsForbidden(err):
			return may, fmt.Errorf("this user may not %s %s; let an administrator grant it: podburst rbac --passive --namespace %s | kubectl apply -f -", verb, ask.what, namespace)
		default:
			return may, fmt.Errorf("%s %s: %w", verb, ask.what, err)
		}
	}
	return may, nil
}
