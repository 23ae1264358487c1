package embedded

import (
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestCrossCheckFindsAProcessThatRunsWithOtherLimits(t *testing.T) {
	args := []string{"kube-scheduler", "--kube-api-burst=200", "--kube-api-qps=0.1"}
	for _, row := range []struct {
		name   string
		limits clusters.Limits
		spec   clusters.ComponentSpec
		ok     bool
	}{
		{"as asked, through a float32", clusters.Limits{KubeAPIQPS: float64(float32(0.1)), KubeAPIBurst: 200}, clusters.ComponentSpec{KubeAPIQPS: new(0.1), KubeAPIBurst: new(200)}, true},
		{"not asked for", clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100}, clusters.ComponentSpec{}, true},
		{"another rate", clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 200}, clusters.ComponentSpec{KubeAPIQPS: new(0.1), KubeAPIBurst: new(200)}, false},
		{"another burst", clusters.Limits{KubeAPIQPS: 0.1, KubeAPIBurst: 100}, clusters.ComponentSpec{KubeAPIBurst: new(200)}, false},
	} {
		if err := crossCheck(row.limits, args, row.spec); (err == nil) != row.ok {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if err := crossCheck(clusters.Limits{KubeAPIQPS: 50}, []string{"kube-scheduler"}, clusters.ComponentSpec{KubeAPIQPS: new(50.0)}); err == nil {
		t.Error("a process without the flag passed")
	}
}
