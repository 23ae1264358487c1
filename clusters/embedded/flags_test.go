package embedded

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/golden"
)

// named is a profile that sets nothing.
func named(name string) clusters.Profile {
	return clusters.Profile{APIVersion: clusters.APIVersion, Kind: clusters.ProfileKind, Metadata: clusters.Metadata{Name: name}}
}

// commandLines are all command lines for a profile, with ports from 1 up.
func commandLines(t *testing.T, profile clusters.Profile) string {
	t.Helper()
	s := newSettings(profile)
	s.layout = layout{dir: "/state"}
	s.ports = ports{etcd: 1, etcdPeer: 2, apiServer: 3, controllerManager: 4, scheduler: 5, kubelets: map[string]int{}}
	for i, node := range s.workers {
		s.ports.kubelets[node] = 6 + i
	}
	var text strings.Builder
	for _, instance := range s.instances() {
		f, err := s.flags(instance)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "# %s\n%s\n", instance, programOf(instance.Component))
		for _, arg := range f.args() {
			fmt.Fprintf(&text, "  %s\n", arg)
		}
	}
	return text.String()
}

func TestCommandLines(t *testing.T) {
	full := clusters.Profile{Metadata: clusters.Metadata{Name: "full"}, Spec: clusters.ProfileSpec{
		Topology:              clusters.Topology{Workers: new(1)},
		FeatureGates:          map[string]bool{"Beta": false, "Alpha": true},
		KubeScheduler:         clusters.ComponentSpec{KubeAPIQPS: new(0.5), KubeAPIBurst: new(1), Verbosity: new(5), ExtraArgs: map[string]string{"profiling": "false"}},
		KubeControllerManager: clusters.ComponentSpec{KubeAPIQPS: new(1000000.0), KubeAPIBurst: new(2000000), ExtraArgs: map[string]string{"concurrent_job_syncs": "10"}},
		Kubelet:               clusters.KubeletSpec{MaxPods: new(250), SerializeImagePulls: new(false), MaxParallelImagePulls: new(4)},
		HollowRuntime:         clusters.HollowRuntime{Parallelism: new(2)},
		NodeImage:             "for kind only",
		Kind:                  clusters.KindSpec{KubeadmConfigPatches: []string{"for kind only"}},
	}}
	profiles := []clusters.Profile{full}
	for _, name := range []string{"default", "tuned"} {
		profile, err := clusters.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		profiles = append(profiles, profile)
	}
	for _, profile := range profiles {
		t.Run(profile.Metadata.Name, func(t *testing.T) {
			golden.Check(t, filepath.Join("testdata", profile.Metadata.Name+".args"), commandLines(t, profile))
		})
	}
}

func TestEveryShippedProfileIsTaken(t *testing.T) {
	for _, name := range clusters.Shipped() {
		profile, err := clusters.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := refuse(profile); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnsetLimitsGiveNoFlag(t *testing.T) {
	if got := commandLines(t, named("default")); strings.Contains(got, "kube-api-") {
		t.Errorf("a profile without limits sets one:\n%s", got)
	}
}

func TestNothingListensOutsideLoopback(t *testing.T) {
	for _, line := range strings.Split(commandLines(t, named("default")), "\n") {
		for _, flag := range []string{"--bind-address", "--address", "--advertise-address", "--listen-"} {
			if strings.HasPrefix(strings.TrimSpace(line), flag) && !strings.Contains(line, "127.0.0.1") {
				t.Errorf("%s", line)
			}
		}
	}
}

func TestPortsAreHandedOutOnce(t *testing.T) {
	picker := newPortPicker()
	var all []int
	for range 20 {
		some, err := picker.pick(10)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	slices.Sort(all)
	if got := len(slices.Compact(all)); got != 200 {
		t.Errorf("%d different ports of 200", got)
	}
}

func TestTakenPortIsNotPicked(t *testing.T) {
	first, err := newPortPicker().pick(1)
	if err != nil {
		t.Fatal(err)
	}
	// A range of this one port, which something else now uses.
	holder, err := listen(first[0])
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	picker := &portPicker{low: first[0], high: first[0] + 1, given: map[int]bool{}}
	if got, err := picker.pick(1); err == nil {
		t.Errorf("picked %v though it is taken", got)
	}
}
