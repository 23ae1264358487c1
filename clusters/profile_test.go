package clusters

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestCheckBurst(t *testing.T) {
	one, five, hundred := 1, 5, 100
	for _, test := range []struct {
		name             string
		workers, maxPods *int
		pods             int
		want             string
	}{
		{"default of two nodes of 110", nil, nil, 220, ""},
		// 221 pods on 2 nodes need 111 each; with 110 per node they need 3 nodes.
		{"one too many", nil, nil, 221, `profile "p": 221 pods do not fit 2 nodes of 110 (220 in all); ask for fewer, or raise spec.topology.workers to 3 or spec.kubelet.maxPods to 111`},
		{"far too many", nil, nil, 100000, "100000 pods do not fit 2 nodes of 110"},
		{"own topology", &one, &five, 5, ""},
		{"own topology, one too many", &one, &five, 6, "6 pods do not fit 1 node of 5"},
		{"exact fit", nil, &hundred, 200, ""},
		{"none", nil, nil, 0, "a burst of 0 pods: it takes at least 1"},
		{"negative", nil, nil, -3, "a burst of -3 pods"},
		{"largest number", nil, nil, math.MaxInt, "do not fit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			profile := Profile{Metadata: Metadata{Name: "p"}}
			profile.Spec.Topology.Workers, profile.Spec.Kubelet.MaxPods = test.workers, test.maxPods
			err := profile.CheckBurst(test.pods)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestWithDefaultsLeavesTheProfileAndItsLimitersAlone(t *testing.T) {
	profile, err := Resolve("default")
	if err != nil {
		t.Fatal(err)
	}
	before := profile
	filled := profile.WithDefaults()
	if !reflect.DeepEqual(profile, before) || profile.Spec.Topology.Workers != nil {
		t.Error("WithDefaults changed its receiver")
	}
	for _, component := range Configurable() {
		if spec, _ := filled.Spec.Component(component); spec.KubeAPIQPS != nil || spec.KubeAPIBurst != nil {
			t.Errorf("%s: unset limits were filled in", component)
		}
	}
	if again := filled.WithDefaults(); !reflect.DeepEqual(again, filled) {
		t.Error("WithDefaults twice is not WithDefaults once")
	}
}

// YAML cannot express these; a Go caller can.
func TestValidateRefusesRatesThatAreNoNumbers(t *testing.T) {
	burst := 1
	for _, rate := range []float64{math.NaN(), math.Inf(1)} {
		profile := Profile{APIVersion: APIVersion, Kind: ProfileKind, Metadata: Metadata{Name: "p"}}
		profile.Spec.KubeScheduler = ComponentSpec{KubeAPIQPS: &rate, KubeAPIBurst: &burst}
		if err := profile.Validate(); err == nil || !strings.Contains(err.Error(), "must be a finite rate") {
			t.Errorf("%v: got %v", rate, err)
		}
	}
}

func TestMismatches(t *testing.T) {
	tuned, err := Resolve("tuned")
	if err != nil {
		t.Fatal(err)
	}
	unset, err := Resolve("default")
	if err != nil {
		t.Fatal(err)
	}
	instances := []Instance{
		{Etcd, ""}, {KubeAPIServer, ""}, {KubeControllerManager, ""}, {KubeScheduler, ""}, {Kubelet, "node-1"}, {Kubelet, "node-2"},
	}
	inForce := func(change func(Effective)) Effective {
		effective := Effective{}
		for _, instance := range instances[2:] {
			effective[instance.String()] = Limits{KubeAPIQPS: 150, KubeAPIBurst: 200, Source: "configz"}
		}
		change(effective)
		return effective
	}
	for _, test := range []struct {
		name      string
		profile   Profile
		effective Effective
		instances []Instance
		want      []string
	}{
		{"as asked", tuned, inForce(func(Effective) {}), instances, nil},
		{"nothing asked for matches anything, even what is unread", unset, Effective{}, instances, nil},
		{"one kubelet differs", tuned, inForce(func(e Effective) {
			e["kubelet-node-2"] = Limits{KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "configz"}
		}), instances, []string{
			"kubelet on node-2: kubeAPIQPS: asked for 150, in force is 50 (read from configz)",
			"kubelet on node-2: kubeAPIBurst: asked for 200, in force is 100 (read from configz)",
		}},
		{"unread", tuned, inForce(func(e Effective) { delete(e, "kube-scheduler") }), instances, []string{
			"kube-scheduler: kubeAPIQPS: asked for 150, could not be read back",
			"kube-scheduler: kubeAPIBurst: asked for 200, could not be read back",
		}},
		{"a component that the cluster does not list", tuned, inForce(func(Effective) {}), instances[:4], []string{
			"kubelet: the profile sets its limits, but the cluster lists no such component",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Mismatches(test.profile, test.effective, test.instances); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
	t.Run("a rate that went through a float32 is the same rate", func(t *testing.T) {
		rate, burst := 0.1, 1
		profile := Profile{}
		profile.Spec.KubeScheduler = ComponentSpec{KubeAPIQPS: &rate, KubeAPIBurst: &burst}
		effective := Effective{"kube-scheduler": {KubeAPIQPS: float64(float32(0.1)), KubeAPIBurst: 1}}
		if got := Mismatches(profile, effective, instances); got != nil {
			t.Error(got)
		}
	})
}
