package embedded

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestParseConfigz(t *testing.T) {
	for _, row := range []struct {
		name      string
		component clusters.Component
		text      string
		want      clusters.Limits
		fails     string
	}{
		{"scheduler", clusters.KubeScheduler, `{"componentconfig":{"clientConnection":{"qps":50,"burst":100}}}`,
			clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "configz"}, ""},
		{"controller manager with Go's own names", clusters.KubeControllerManager,
			`{"kubecontrollermanager.config.k8s.io":{"Generic":{"ClientConnection":{"qps":20,"burst":30}}}}`,
			clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30, Source: "configz"}, ""},
		{"kubelet", clusters.Kubelet, `{"kubeletconfig":{"kubeAPIQPS":150,"kubeAPIBurst":200}}`,
			clusters.Limits{KubeAPIQPS: 150, KubeAPIBurst: 200, Source: "configz"}, ""},
		{"another component's", clusters.Kubelet, `{"componentconfig":{"clientConnection":{"qps":50,"burst":100}}}`, clusters.Limits{}, "no client limits"},
		{"a zero that is not there", clusters.KubeScheduler, `{"componentconfig":{"clientConnection":{"qps":50}}}`, clusters.Limits{}, "no client limits"},
		{"no JSON", clusters.KubeScheduler, `not found`, clusters.Limits{}, "parse /configz"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := parseConfigz(row.component, []byte(row.text))
			if (err == nil) != (row.fails == "") || err != nil && !strings.Contains(err.Error(), row.fails) {
				t.Fatalf("error %v, want %q", err, row.fails)
			}
			if got != row.want {
				t.Errorf("got %+v, want %+v", got, row.want)
			}
		})
	}
}

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
