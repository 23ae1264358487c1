package preflight

import (
	"context"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/load"
)

// Permission is one right that the suite uses.
type Permission struct {
	Verb, Group, Resource, Subresource string
	// Path is set instead of a resource if the right is for a URL ("/metrics").
	Path string
	// Namespaced rights are used in the run's own namespace.
	Namespaced bool
	// Optional rights: without them a report shows less, or a run takes longer.
	Optional bool
	// Manifest says that deploy/rbac.yaml grants it. A right that reaches further
	// than a measurement should is granted separately.
	Manifest bool
	// Why says what the right is for.
	Why string
}

// String is the right as an administrator would write it: "jobs.batch: create".
func (p Permission) String() string {
	if p.Path != "" {
		return p.Path + ": " + p.Verb
	}
	name := p.Resource
	if p.Subresource != "" {
		name += "/" + p.Subresource
	}
	if p.Group != "" {
		name += "." + p.Group
	}
	return name + ": " + p.Verb
}

// Permissions lists all rights that a run of any kind of load uses, and no others.
// deploy/rbac.yaml grants those with Manifest. One test compares the two; another
// compares the list with what a run was seen to ask for.
//
// The mark in the audit log (a GET of a configmap that does not exist) is not among
// them: a refusal is also an answer, and is logged, too.
func Permissions() []Permission {
	run := func(verb, group, resource, why string) Permission {
		return Permission{Verb: verb, Group: group, Resource: resource, Namespaced: true, Manifest: true, Why: why}
	}
	cluster := func(verb, resource, why string) Permission {
		return Permission{Verb: verb, Resource: resource, Manifest: true, Why: why}
	}
	everywhere := run("list", "", "pods", "count free pod slots on the nodes")
	everywhere.Namespaced = false
	metrics := Permission{Verb: "get", Path: "/metrics", Optional: true, Manifest: true, Why: "read kube-apiserver's metrics"}
	proxy := Permission{Verb: "get", Resource: "nodes", Subresource: "proxy", Optional: true, Why: "read the kubelets' limits and metrics"}
	all := []Permission{
		cluster("create", "namespaces", "make the run's namespace"),
		cluster("get", "namespaces", "see that it is the run's, and that it is gone"),
		cluster("delete", "namespaces", "remove it"),
		run("create", "", "serviceaccounts", "make its default account before the first burst"),
	}
	for _, sent := range load.Kinds(load.Request{}) {
		for _, right := range sent.Rights() {
			p := run(right.Verb, right.Group, right.Resource, right.Why)
			p.Optional = right.Optional
			all = append(all, p)
		}
	}
	return append(all,
		run("list", "", "pods", "watch pods start"),
		run("watch", "", "pods", "watch pods start"),
		run("delete", "", "pods", "remove a burst"),
		run("list", "", "events", "see image pulls and other reasons to distrust a burst"),
		run("watch", "", "events", "see image pulls and other reasons to distrust a burst"),
		cluster("list", "nodes", "find the worker nodes"),
		cluster("watch", "nodes", "see a node that is not Ready"),
		everywhere,
		metrics,
		proxy,
	)
}

// permissions asks the API server about each right. If it cannot be asked, the first
// error stands for all.
func (l *listing) permissions(ctx context.Context, client kubernetes.Interface, namespace string) {
	for _, p := range Permissions() {
		allowed, reason, err := Allowed(ctx, client, p, namespace)
		name := p.String()
		if !p.Namespaced && p.Resource == "pods" {
			name += " (all namespaces)"
		}
		switch {
		case err != nil:
			l.add(Fail, "permissions", "see that the cluster can be reached and the user is known to it: kubectl auth whoami", "%v", err)
			return
		case allowed:
			l.add(OK, name, "", "%s", p.Why)
		case p.Manifest && p.Optional:
			l.add(Warn, name, adviceManifest, "not allowed%s: %s", reason, p.Why)
		case p.Optional:
			l.add(Warn, name, "reports show it as unavailable; podburst rbac --kubelets grants it and says what else that allows", "not allowed%s: %s", reason, p.Why)
		default:
			l.add(Fail, name, adviceManifest, "not allowed%s: %s", reason, p.Why)
		}
	}
}

const adviceManifest = "let an administrator grant it: podburst rbac | kubectl apply -f -"

// Allowed asks with a SelfSubjectAccessReview, which every authenticated user may
// send unless the cluster's defaults were changed.
func Allowed(ctx context.Context, client kubernetes.Interface, p Permission, namespace string) (allowed bool, reason string, err error) {
	spec := authorizationv1.SelfSubjectAccessReviewSpec{}
	if p.Path != "" {
		spec.NonResourceAttributes = &authorizationv1.NonResourceAttributes{Path: p.Path, Verb: p.Verb}
	} else {
		spec.ResourceAttributes = &authorizationv1.ResourceAttributes{Verb: p.Verb, Group: p.Group, Resource: p.Resource, Subresource: p.Subresource}
		if p.Namespaced {
			spec.ResourceAttributes.Namespace = namespace
		}
	}
	review, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx,
		&authorizationv1.SelfSubjectAccessReview{Spec: spec}, metav1.CreateOptions{})
	if err != nil {
		return false, "", fmt.Errorf("ask whether %s is allowed: %w", p, err)
	}
	if review.Status.Reason != "" {
		reason = " (" + review.Status.Reason + ")"
	}
	return review.Status.Allowed, reason, nil
}
