// Package rbactest reads what a manifest grants. It is for tests only.
package rbactest

import (
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/framework/preflight"
)

// Granted lists the rights of the ClusterRoles in a manifest, by name and sorted.
func Granted(t testing.TB, manifest string) []string {
	t.Helper()
	var names []string
	for document := range strings.SplitSeq(manifest, "\n---\n") {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		if role.Kind != "ClusterRole" {
			continue
		}
		for _, rule := range role.Rules {
			for _, verb := range rule.Verbs {
				for _, path := range rule.NonResourceURLs {
					names = append(names, preflight.Permission{Verb: verb, Path: path}.String())
				}
				for _, group := range rule.APIGroups {
					for _, resource := range rule.Resources {
						resource, sub, _ := strings.Cut(resource, "/")
						names = append(names, preflight.Permission{Verb: verb, Group: group, Resource: resource, Subresource: sub}.String())
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}
