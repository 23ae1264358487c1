package station

import (
	"reflect"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestAScenarioIsReadInTheWordsOfAProfile(t *testing.T) {
	in := clusters.Effective{
		"kube-controller-manager": {KubeAPIQPS: 20, KubeAPIBurst: 30}, "kube-scheduler": {KubeAPIQPS: 50, KubeAPIBurst: 100},
	}
	for text, want := range map[string]struct {
		limits map[clusters.Component]clusters.Limits
		says   string
	}{
		"kubeControllerManager.kubeAPIQPS=40,kubeAPIBurst=60": {map[clusters.Component]clusters.Limits{"kube-controller-manager": {KubeAPIQPS: 40, KubeAPIBurst: 60}}, "kube-controller-manager at 40/60"},
		// What is not set stays.
		"spec.kubeControllerManager.kubeAPIQPS=40": {map[clusters.Component]clusters.Limits{"kube-controller-manager": {KubeAPIQPS: 40, KubeAPIBurst: 30}}, "kube-controller-manager at 40/30"},
		"kube-scheduler=unlimited, kubelet.kubeAPIQPS=5,kubeAPIBurst=10": {map[clusters.Component]clusters.Limits{
			"kube-scheduler": {KubeAPIQPS: -1}, "kubelet": {KubeAPIQPS: 5, KubeAPIBurst: 10}}, "kube-scheduler without its limiter, kubelet at 5/10"},
	} {
		sc, err := ParseScenario(text, nil, nil, in)
		if err != nil || !reflect.DeepEqual(sc.Limits, want.limits) || sc.String() != want.says {
			t.Errorf("%s: %+v (%s), %v", text, sc.Limits, sc, err)
		}
	}
	sc, err := ParseScenario("", []string{"etcd"}, nil, in)
	if err != nil || !sc.without(Etcd) || sc.String() != "without etcd" {
		t.Errorf("%+v, %v", sc, err)
	}
}

func TestAScenarioCanTakeAwayWhatElseRan(t *testing.T) {
	sc, err := ParseScenario("", []string{"other-processes", "image-pulls"}, []string{"etcd=2.5"}, nil)
	if err != nil || !sc.Alone || sc.String() != "without image pulls, etcd 2.5 times as fast, nothing else on the machine" {
		t.Errorf("%+v (%s), %v", sc, sc, err)
	}
}

func TestAScenarioThatSaysNothingCertainIsRefused(t *testing.T) {
	in := clusters.Effective{"kube-controller-manager": {KubeAPIQPS: 20, KubeAPIBurst: 30}}
	for text, want := range map[string]string{
		"kubeControlerManager.kubeAPIQPS=40":              "did you mean kubeControllerManager?",
		"kubeControllerManager.qps=40":                    "did you mean kubeAPIQPS?",
		"kubeAPIQPS=40":                                   "say whose it is",
		"kubeControllerManager":                           "write COMPONENT.FIELD=VALUE",
		"kubeControllerManager.kubeAPIQPS=0":              "no rate above 0",
		"kubeControllerManager.kubeAPIQPS=NaN":            "no rate above 0",
		"kubeControllerManager.kubeAPIQPS=+Inf":           "no rate above 0",
		"kubeControllerManager.kubeAPIBurst=1.5":          "no whole number",
		"kubeControllerManager.kubeAPIBurst=unlimited":    "no whole number",
		"kubeControllerManager.kubeAPIQPS=4,kubeAPIQPS=5": "set twice",
		"kubeScheduler.kubeAPIQPS=40":                     "are not known: set both",
		"kubeScheduler.kubeAPIBurst=40":                   "are not known: set both",
		"":                                                "nothing is changed",
		"etcd.kubeAPIQPS=40":                              "unknown component",
	} {
		if _, err := ParseScenario(text, nil, nil, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for name, want := range map[string]string{"etdc": "did you mean etcd?", "observer": "the stations that a replay can do without are"} {
		if _, err := ParseScenario("", []string{name}, nil, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %q: %v, want %q", name, err, want)
		}
	}
}

func TestWhatIsFasterIsRefusedWhereItSaysNothing(t *testing.T) {
	for item, want := range map[string]string{
		"etcd": "write STATION=TIMES", "etcd=0": "above 0", "etcd=-1": "above 0", "etcd=Inf": "above 0", "etcd=NaN": "above 0",
		"etdc=2": "did you mean etcd?", "status-manager=2": "as fast as the API server answers", "admission=2": "changed twice",
	} {
		if _, err := ParseScenario("", []string{"admission"}, []string{item}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", item, err, want)
		}
	}
}

func FuzzParseScenario(f *testing.F) {
	f.Add("kubeControllerManager.kubeAPIQPS=40,kubeAPIBurst=60", "etcd", "etcd=2")
	f.Add("kubelet=unlimited", "", "place=1e300")
	f.Fuzz(func(t *testing.T, text, without, faster string) {
		sc, err := ParseScenario(text, []string{without}, []string{faster}, clusters.Effective{"kubelet-a": {KubeAPIQPS: 1, KubeAPIBurst: 2}})
		if err != nil {
			return
		}
		for c, l := range sc.Limits {
			if l.KubeAPIQPS > 0 && l.KubeAPIBurst < 1 {
				t.Errorf("%s: %+v", c, l)
			}
		}
	})
}
