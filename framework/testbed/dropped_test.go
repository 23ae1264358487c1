package testbed

import (
	"context"
	"errors"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
)

type settled struct {
	clusters.Cluster
	found []string
	err   error
}

func (s settled) DroppedSettings(context.Context) ([]string, error) { return s.found, s.err }

// kind and kubeadm silently drop a patch that they do not understand.
func TestASettingThatWasDroppedMakesEveryBurstInvalid(t *testing.T) {
	for name, c := range map[string]struct {
		cluster clusters.Cluster
		want    int
	}{
		"a provider that cannot tell": {struct{ clusters.Cluster }{}, 0},
		"all in force":                {settled{}, 0},
		"one dropped":                 {settled{found: []string{"kubelet-a: maxPods is 110, asked for 250"}}, 1},
		"one dropped, one unreadable": {settled{found: []string{"x"}, err: errors.New("no answer")}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			got := dropped(t.Context(), c.cluster)
			if len(got) != c.want {
				t.Fatalf("%v, want %d problems", got, c.want)
			}
			for _, p := range got {
				if p.Code != recording.ProblemSettingsMismatch {
					t.Errorf("code %s", p.Code)
				}
			}
		})
	}
}
