package clusters

import (
	"strings"
	"testing"
)

func TestParseConfigzReadsEachComponentsOwnForm(t *testing.T) {
	for name, c := range map[string]struct {
		component Component
		text      string
		qps       float64
		burst     int
		fails     string
	}{
		"scheduler":                            {KubeScheduler, `{"componentconfig":{"ClientConnection":{"QPS":50,"Burst":100}}}`, 50, 100, ""},
		"controller manager without names":     {KubeControllerManager, `{"kubecontrollermanager.config.k8s.io":{"Generic":{"ClientConnection":{"QPS":20,"Burst":30}}}}`, 20, 30, ""},
		"kubelet":                              {Kubelet, `{"kubeletconfig":{"kubeAPIQPS":5,"kubeAPIBurst":10}}`, 5, 10, ""},
		"kubelet's answer for a scheduler":     {KubeScheduler, `{"kubeletconfig":{"kubeAPIQPS":5,"kubeAPIBurst":10}}`, 0, 0, "no client limits of a kube-scheduler"},
		"half an answer":                       {Kubelet, `{"kubeletconfig":{"kubeAPIQPS":5}}`, 0, 0, "no client limits"},
		"what is no JSON":                      {Kubelet, `Forbidden`, 0, 0, "parse /configz"},
		"JSON of another kind (a Status, say)": {Kubelet, `{"kind":"Status"}`, 0, 0, "parse /configz"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseConfigz(c.component, []byte(c.text))
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("error %v, want one that says %q", err, c.fails)
				}
				return
			}
			if err != nil || got.KubeAPIQPS != c.qps || got.KubeAPIBurst != c.burst || got.Source != "configz" {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}
