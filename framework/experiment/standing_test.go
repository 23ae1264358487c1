package experiment

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/testbed"
)

// theirs is a cluster that existed before the run and outlives it.
type theirs struct {
	clusters.Cluster
	free int
	err  error
}

func (c *theirs) WorkerNodes() []string                 { return []string{"a", "b"} }
func (c *theirs) FreePods(context.Context) (int, error) { return c.free, c.err }

func TestABurstMustFitIntoWhatOthersLeaveFree(t *testing.T) {
	for name, c := range map[string]struct {
		cluster clusters.Cluster
		fails   string
	}{
		"room for all":      {&theirs{free: 20}, ""},
		"room for one less": {&theirs{free: 19}, "room for 19 more"},
		"room not known":    {&theirs{err: errors.New("list pods: forbidden")}, "forbidden"},
		"a cluster of ours": {struct{ clusters.Cluster }{}, ""},
	} {
		a := &Arm{Testbed: &testbed.Testbed{Cluster: c.cluster}, experiment: &Experiment{options: Options{Plan: Plan{Spec: burst.Spec{Load: load.Job{Pods: 20}}}}}}
		err := a.room(t.Context())
		if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
			t.Errorf("%s: error %v, want %q", name, err, c.fails)
		}
	}
}
