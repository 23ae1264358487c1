package embedded

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
)

// The scheduler ignores its flags for the limiter when it has a file.
func TestTheSchedulersFileHasTheProfilesLimits(t *testing.T) {
	profile := named("extended")
	profile.Spec.KubeScheduler = clusters.ComponentSpec{KubeAPIQPS: new(20.0), KubeAPIBurst: new(30)}
	s := newSettings(profile)
	s.layout = layout{dir: "/state"}
	s.schedulerFields = "extenders: [{urlPrefix: http://127.0.0.1:1}]"
	text, err := s.schedulerConfiguration()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"qps: 20\n", "burst: 30\n", "urlPrefix: http://127.0.0.1:1", "leaderElect: false", "kubeconfig: /state/kubeconfigs/scheduler.kubeconfig"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the file has no %q:\n%s", want, text)
		}
	}
	f, err := s.scheduler()
	if err != nil || f["config"] != "/state/scheduler.yaml" {
		t.Errorf("--config=%s (%v)", f["config"], err)
	}
}

func TestTheSchedulersFileTakesNoFieldTwice(t *testing.T) {
	for _, fields := range []string{"clientConnection: {qps: 1}", "apiVersion: v1", "- a list", "extenders: []\nextenders: []"} {
		s := newSettings(named("extended"))
		s.schedulerFields = fields
		if text, err := s.schedulerConfiguration(); err == nil {
			t.Errorf("%q makes %s", fields, text)
		}
	}
}
