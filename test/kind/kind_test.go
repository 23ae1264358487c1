//go:build kind

package kind_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/test/internal/suite"
)

// A 20-pod burst on real containers in each of two clusters, one after the other:
// `make test-kind` provides the engine and the node image.
func TestKindRunEndsWithAValidReportAndNoContainers(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for name, limits := range map[string]string{"one-worker": "", "one-worker-tuned": `
  kubeScheduler: {kubeAPIQPS: 150, kubeAPIBurst: 200}
  kubeControllerManager: {kubeAPIQPS: 150, kubeAPIBurst: 200}
  kubelet: {kubeAPIQPS: 150, kubeAPIBurst: 200}`} {
		path := filepath.Join(dir, name+".yaml")
		text := "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: " + name + "}\nspec:\n  topology: {workers: 1}" + limits + "\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	// Real containers on a small machine are slow; this test is about trust.
	slo := filepath.Join(dir, "slo.yaml")
	text := "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: patient}\nspec:\n  objectives:\n" +
		"  - {name: ends, phase: makespan, stat: max, limit: 10m}\n"
	if err := os.WriteFile(slo, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := suite.Start(t, "PROVIDER=kind", "PROFILES="+strings.Join(files, ","), "PODS=20", "WARMUP=3", "DEADLINE=8m", "SLO="+slo)
	s.Limit = 30 * time.Minute
	if code := s.Exit(); code != verdict.ExitPass {
		t.Fatalf("exit code %d, want %d", code, verdict.ExitPass)
	}
	r := s.Report()
	if r.Run.Provider != "kind" || len(r.Profiles) != 2 {
		t.Fatalf("provider %q, %d profiles", r.Run.Provider, len(r.Profiles))
	}
	for _, p := range r.Profiles {
		want := map[string]float64{"kube-scheduler": 50, "kube-controller-manager": 20, "kubelet": 50}
		if p.Name == "one-worker-tuned" {
			want = map[string]float64{"kube-scheduler": 150, "kube-controller-manager": 150, "kubelet": 150}
		}
		seen := map[string]int{}
		for instance, limits := range p.Effective {
			for component, qps := range want {
				if strings.HasPrefix(instance, component) {
					seen[component]++
					if limits.KubeAPIQPS != qps {
						t.Errorf("%s: %s runs with %g QPS (%s), want %g", p.Name, instance, limits.KubeAPIQPS, limits.Source, qps)
					}
				}
			}
		}
		// One control plane node and one worker, each with a kubelet.
		if seen["kube-scheduler"] != 1 || seen["kube-controller-manager"] != 1 || seen["kubelet"] != 2 {
			t.Errorf("%s: settings read back: %v", p.Name, p.Effective)
		}
	}
	for _, b := range r.Bursts {
		if !b.Valid || b.Accounting.Ready != b.Pods {
			t.Errorf("burst %s/%d: valid %t, %+v, %v", b.Profile, b.Index, b.Valid, b.Accounting, b.InvalidReasons)
		}
		for _, phase := range []string{"submit_to_create", "create_to_schedule", "sandbox_to_started", "scheduling", "creation", "startup"} {
			if p := b.Phases[phase]; p == nil || p.Count != b.Pods || p.Missing != 0 {
				t.Errorf("burst %s/%d: phase %s is %+v, want %d samples and none missing", b.Profile, b.Index, phase, p, b.Pods)
			}
		}
		// Six instances, both nodes with their containerds, the observer and the machine.
		suite.CheckUsage(t, &b, 6+2*2+2)
	}
	left, err := exec.Command("docker", "ps", "--all", "--quiet", "--filter", "name=podburst-one-worker").Output()
	if err != nil || len(bytes.TrimSpace(left)) > 0 {
		t.Errorf("containers left: %s (%v)", left, err)
	}
	s.MustLeaveNothing(nil)
}
