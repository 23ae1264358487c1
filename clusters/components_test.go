package clusters_test

import (
	"os"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
)

func TestInstancesAreReadBackFromTheirNames(t *testing.T) {
	list := clusters.Instances([]string{"node-1", "kube-scheduler"})
	// A cluster with several control planes names their nodes too.
	list = append(list, clusters.Instance{Component: clusters.KubeScheduler, Node: "control-plane2"}, clusters.Instance{Component: "konnectivity"})
	for _, instance := range list {
		if got := clusters.ParseInstance(instance.String()); got != instance {
			t.Errorf("%s: got %+v, want %+v", instance, got, instance)
		}
	}
	if n := len(list); n != 4+2+2 {
		t.Errorf("%d instances", n)
	}
}

func TestEveryComponentHasWhatIsAskedOfIt(t *testing.T) {
	comms := map[string]bool{}
	for _, c := range clusters.Components() {
		if c.Short() == "" || c.Health() == "" || c.Local() == "" || comms[c.Comm()] || len(c.Comm()) > 15 {
			t.Errorf("%s: short %q, health %q, local %q, comm %q", c, c.Short(), c.Health(), c.Local(), c.Comm())
		}
		comms[c.Comm()] = true
	}
	var spec clusters.ProfileSpec
	for _, c := range clusters.Configurable() {
		qps := 7.0
		spec.At(c).KubeAPIQPS = &qps
		got, ok := spec.Component(c)
		if _, limited := clusters.DefaultLimits(c, ""); !ok || !limited || got.KubeAPIQPS != &qps || !strings.HasPrefix(c.Setting(), "spec.kube") {
			t.Errorf("%s: %+v, %t, %s", c, got, ok, c.Setting())
		}
	}
	if spec.At(clusters.Etcd) != nil || clusters.Etcd.Setting() != "" {
		t.Error("a profile configures etcd")
	}
}

func TestDefaultLimitsFollowTheVersion(t *testing.T) {
	for _, row := range []struct {
		component clusters.Component
		version   string
		qps       float64
		burst     int
	}{
		{clusters.KubeControllerManager, "v1.37.2", 20, 30},
		{clusters.KubeScheduler, "", 50, 100},
		{clusters.Kubelet, "v1.27.0", 50, 100},
		{clusters.Kubelet, "v1.26.15", 5, 10},
		{clusters.Kubelet, "latest", 50, 100},
	} {
		if got, ok := clusters.DefaultLimits(row.component, row.version); !ok || got.KubeAPIQPS != row.qps || got.KubeAPIBurst != row.burst {
			t.Errorf("%s %s: %v/%d, want %v/%d", row.component, row.version, got.KubeAPIQPS, got.KubeAPIBurst, row.qps, row.burst)
		}
	}
	if _, ok := clusters.DefaultLimits(clusters.Etcd, ""); ok {
		t.Error("etcd has a client limiter")
	}
}

func TestDefaultVersionIsTheControlPlanes(t *testing.T) {
	gomod, err := os.ReadFile("controlplane/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(gomod), "\tk8s.io/kubernetes "+clusters.DefaultVersion+"\n") {
		t.Errorf("clusters/controlplane is not of Kubernetes %s; change DefaultVersion with it", clusters.DefaultVersion)
	}
}

func TestLimitsOfAComponentAreInTheOrderOfInstances(t *testing.T) {
	effective := clusters.Effective{
		"kubelet-b": {KubeAPIQPS: 2}, "kubelet-a": {KubeAPIQPS: 1}, "kube-scheduler": {KubeAPIQPS: 3},
	}
	if got := effective.Of(clusters.Kubelet); len(got) != 2 || got[0].KubeAPIQPS != 1 || got[1].KubeAPIQPS != 2 {
		t.Errorf("kubelets: %+v", got)
	}
	if got := effective.Of(clusters.KubeScheduler); len(got) != 1 || got[0].KubeAPIQPS != 3 {
		t.Errorf("scheduler: %+v", got)
	}
}
