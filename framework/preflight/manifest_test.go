package preflight_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst"
	"github.com/podburst/podburst/framework/preflight"
	"github.com/podburst/podburst/framework/preflight/rbactest"
)

func TestTheManifestsGrantWhatIsOnTheListAndNothingElse(t *testing.T) {
	var base, kubelets []string
	for _, p := range preflight.Permissions() {
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
	// Listing pods is in the list twice: in the run's namespace, and everywhere to
	// count slots.
	if got, want := rbactest.Granted(t, podburst.RBAC), slices.Compact(base); !slices.Equal(got, want) {
		t.Errorf("rbac.yaml grants\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := rbactest.Granted(t, podburst.RBACKubelets); !slices.Equal(got, kubelets) {
		t.Errorf("rbac-kubelets.yaml grants %v, want %v", got, kubelets)
	}
}

func ExamplePermission() {
	fmt.Println(preflight.Permission{Verb: "create", Group: "batch", Resource: "jobs"})
	fmt.Println(preflight.Permission{Verb: "get", Resource: "nodes", Subresource: "proxy"})
	fmt.Println(preflight.Permission{Verb: "get", Path: "/metrics"})
	// Output:
	// jobs.batch: create
	// nodes/proxy: get
	// /metrics: get
}
