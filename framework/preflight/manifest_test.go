package preflight

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst"
)

// granted lists the rights of the ClusterRoles in a manifest.
func granted(t *testing.T, manifest string) []string {
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
					names = append(names, Permission{Verb: verb, Path: path}.String())
				}
				for _, group := range rule.APIGroups {
					for _, resource := range rule.Resources {
						resource, sub, _ := strings.Cut(resource, "/")
						names = append(names, Permission{Verb: verb, Group: group, Resource: resource, Subresource: sub}.String())
					}
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

func TestTheManifestsGrantWhatIsOnTheListAndNothingElse(t *testing.T) {
	var base, kubelets []string
	for _, p := range Permissions() {
		if p.Manifest {
			base = append(base, p.String())
		} else {
			kubelets = append(kubelets, p.String())
		}
		if p.Why == "" {
			t.Errorf("%s: nobody says what it is for", p)
		}
	}
	slices.Sort(base)
	// Listing pods is there twice: of the run's namespace, and of all to count slots.
	if got, want := granted(t, podburst.RBAC), slices.Compact(base); !slices.Equal(got, want) {
		t.Errorf("rbac.yaml grants\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := granted(t, podburst.RBACKubelets); !slices.Equal(got, kubelets) {
		t.Errorf("rbac-kubelets.yaml grants %v, want %v", got, kubelets)
	}
}

func ExamplePermission() {
	fmt.Println(Permission{Verb: "create", Group: "batch", Resource: "jobs"})
	fmt.Println(Permission{Verb: "get", Resource: "nodes", Subresource: "proxy"})
	fmt.Println(Permission{Verb: "get", Path: "/metrics"})
	// Output:
	// jobs.batch: create
	// nodes/proxy: get
	// /metrics: get
}
