package reports

import (
	"slices"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestKubeletsThatAgreeAreOneEntry(t *testing.T) {
	limits := clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "configz"}
	got := formatEffective(clusters.Effective{
		"kubelet-a": limits, "kubelet-b": limits, "kubelet-c": {KubeAPIQPS: 5000, KubeAPIBurst: 10000, Source: "configz"},
		"kube-scheduler": {KubeAPIQPS: -1},
	})
	want := []string{"kube-scheduler no limiter", "2 kubelets 50/100 (configz)", "kubelet 5000/10000 (configz)"}
	if !slices.Equal(got, want) {
		t.Errorf("limits are %q, want %q", got, want)
	}
}
