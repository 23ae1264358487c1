//go:build kind

package existing_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	files "github.com/podburst/podburst"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/verdict"
)

// The API server's node proxy refuses loopback, so only nodes with their own
// addresses can be read through it: this needs real nodes.
func TestAForeignClustersKubeletsAreReadThroughTheNodeProxy(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("apiVersion: podburst.dev/v1alpha1\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// Real containers on a small machine are slow; this test is about trust.
	slo := write("slo.yaml", "kind: SLO\nmetadata: {name: patient}\nspec:\n  objectives:\n  - {name: ends, phase: makespan, stat: max, limit: 10m}\n")
	f := startForeign(t, "kind", write("one-worker.yaml", "kind: Profile\nmetadata: {name: one-worker}\nspec: {topology: {workers: 1}}\n"))
	f.apply(files.RBACKubelets)

	code, out := doctor(t, f.podburst)
	if code != verdict.ExitPass {
		t.Errorf("doctor exits with %d", code)
	}
	for _, says := range []string{"1 are Ready", "kubelet metrics"} {
		if !strings.Contains(out, says) {
			t.Errorf("doctor does not say %q", says)
		}
	}

	s := f.run(t, "PODS=10", "WARMUP=3", "DEADLINE=8m", "SLO="+slo, "PROFILES="+stated(t, "kubelet: {kubeAPIQPS: 50, kubeAPIBurst: 100}"))
	s.Limit = 20 * time.Minute
	if code := s.Exit(); code != verdict.ExitPass {
		t.Fatalf("exit code %d, want %d", code, verdict.ExitPass)
	}
	r := s.Report()
	if len(r.Profiles[0].Nodes) != 1 {
		t.Fatalf("worker nodes %v, want the one without a taint", r.Profiles[0].Nodes)
	}
	kubelet := "kubelet-" + r.Profiles[0].Nodes[0]
	if got := r.Profiles[0].Effective[kubelet]; got.KubeAPIQPS != 50 || got.KubeAPIBurst != 100 || got.Source != "configz" {
		t.Errorf("limits of %s: %+v", kubelet, r.Profiles[0].Effective)
	}
	for _, b := range r.Bursts {
		if !b.Valid {
			t.Errorf("burst %d: %v", b.Index, b.InvalidReasons)
		}
		if !slices.ContainsFunc(b.Stations, func(st station.Station) bool {
			return st.Station == station.ClientLimiter && st.Component == "kubelet" && st.Known
		}) {
			t.Errorf("burst %d: nothing of %s's limiter in %q", b.Index, kubelet, b.Sentences)
		}
		if b.MetricsUnavailable["kube-scheduler"] == "" || b.MetricsUnavailable[kubelet] != "" {
			t.Errorf("burst %d: unavailable %v", b.Index, b.MetricsUnavailable)
		}
	}
	f.mustBeAsBefore(t)
	f.mustNotTell(t, s.Text(), out)
}
