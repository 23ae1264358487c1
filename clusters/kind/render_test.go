package kind

import (
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/golden"
)

const tunedYAML = `
apiVersion: podburst.dev/v1alpha1
kind: Profile
metadata: {name: tuned}
spec:
  topology: {controlPlanes: 1, workers: 2}
  featureGates: {JobBackoffLimitPerIndex: true}
  kubeScheduler: {kubeAPIQPS: 150, kubeAPIBurst: 200}
  kubeControllerManager:
    kubeAPIQPS: 150.5
    kubeAPIBurst: 200
    verbosity: 4
    extraArgs: {concurrent-job-syncs: "10"}
  kubelet:
    kubeAPIQPS: 150
    kubeAPIBurst: 200
    maxPods: 250
    serializeImagePulls: false
    maxParallelImagePulls: 5
  kind:
    kubeadmConfigPatches:
    - |
      kind: ClusterConfiguration
      etcd: {local: {extraArgs: {quota-backend-bytes: "1000000000"}}}
`

func parse(t *testing.T, text string) clusters.Profile {
	t.Helper()
	profile, err := clusters.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return profile.WithDefaults()
}

// The patches are the same for every version: without apiVersion and with
// extraArgs as maps they apply to kubeadm v1beta3 (1.35) and v1beta4 (1.36 on).
func TestConfigIsRenderedForEachVersionAndImage(t *testing.T) {
	for name, plan := range map[string]plan{
		"published-v1.35": {image: "kindest/node:v1.35.0"},
		"published-v1.36": {image: "kindest/node:v1.36.0@sha256:0123456789012345678901234567890123456789012345678901234567890123"},
		"published-v1.37": {image: "kindest/node:v1.37.0"},
		"offline-v1.37":   {image: "podburst/node:v1.37.2", offline: true},
	} {
		t.Run(name, func(t *testing.T) {
			plan.name, plan.shared, plan.profile = "podburst-tuned-00000000", "/clusters/podburst-tuned-00000000/shared", parse(t, tunedYAML)
			config, err := plan.config()
			if err != nil {
				t.Fatal(err)
			}
			got, err := yaml.Marshal(config)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join("testdata", "render", name+".yaml"), string(got))
			for _, patch := range config.KubeadmConfigPatches {
				if strings.Contains(patch, "apiVersion") {
					t.Errorf("a patch names an apiVersion:\n%s", patch)
				}
			}
		})
	}
}

func TestProfileThatSetsNothingLeavesEveryLimitAlone(t *testing.T) {
	plan := plan{profile: parse(t, "{apiVersion: podburst.dev/v1alpha1, kind: Profile, metadata: {name: default}}")}
	config, err := plan.config()
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(config.KubeadmConfigPatches, "\n")
	for _, limit := range []string{"kube-api-qps", "kube-api-burst", "kubeAPIQPS", "kubeAPIBurst"} {
		if strings.Contains(all, limit) {
			t.Errorf("a patch sets %s:\n%s", limit, all)
		}
	}
}

func TestPatchesThatWouldChangeNothingAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		patch   string
		offline bool
		want    string
	}{
		"unknown kind":              {patch: "kind: KubeletConfig", want: `has kind "KubeletConfig" and would change nothing`},
		"not YAML":                  {patch: "kind: [", want: "is no YAML mapping"},
		"map of a named apiVersion": {patch: "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nscheduler: {extraArgs: {v: \"4\"}}", want: "leave apiVersion out"},
		"no kube-proxy there":       {patch: "kind: KubeProxyConfiguration\nmode: ipvs", offline: true, want: "has no kube-proxy"},
		"kube-proxy":                {patch: "kind: KubeProxyConfiguration\nmode: ipvs"},
		"map without apiVersion":    {patch: "kind: ClusterConfiguration\nscheduler: {extraArgs: {v: \"4\"}}"},
		"list of a named version":   {patch: "apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nscheduler: {extraArgs: [{name: v, value: \"4\"}]}"},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkPatches([]string{test.patch}, test.offline)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestImageIsTheOneThatTheProfileNames(t *testing.T) {
	for name, test := range map[string]struct {
		spec clusters.ProfileSpec
		want string
		err  string
	}{
		"nothing":           {},
		"an image":          {spec: clusters.ProfileSpec{NodeImage: "example/node:v1"}, want: "example/node:v1"},
		"a version":         {spec: clusters.ProfileSpec{KubernetesVersion: "v1.36.1"}, want: "kindest/node:v1.36.1"},
		"our version":       {spec: clusters.ProfileSpec{KubernetesVersion: "v1.37.2"}, want: "podburst/node:v1.37.2"},
		"both, which agree": {spec: clusters.ProfileSpec{KubernetesVersion: "v1.36.1", NodeImage: "kindest/node:v1.36.1@sha256:00"}, want: "kindest/node:v1.36.1@sha256:00"},
		"both, which do not": {
			spec: clusters.ProfileSpec{KubernetesVersion: "v1.36.1", NodeImage: "kindest/node:v1.35.0"}, err: "leave one of them out",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := imageOf(clusters.Profile{Spec: test.spec})
			if got != test.want || (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %q, error %v", got, err)
			}
		})
	}
}
