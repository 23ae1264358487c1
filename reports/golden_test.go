package reports_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/recording/synthetic"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

var synthesize = flag.Bool("synthesize", false, "rewrite the recording that the golden files are made from")

const (
	testdata  = "testdata"
	goldenRun = "run"
)

func objective(name, phase, stat string, limit time.Duration) slo.Objective {
	return slo.Objective{Name: name, Phase: phase, Stat: stat, Limit: metav1.Duration{Duration: limit}}
}

// goldenObjectives are met by one profile but missed by the other.
func goldenObjectives() []slo.Objective {
	return []slo.Objective{
		objective("pod-startup-p99", "pod_startup", "p99", 5*time.Second),
		objective("makespan-max", slo.Makespan, "max", time.Second),
	}
}

// synthesizeRun writes the recording: 2 profiles, 2 bursts of 8 pods each. The Job
// controller of "slow" is limited to 4 QPS with burst 2. A container of the last burst of
// "tuned" restarts.
func synthesizeRun(t *testing.T) {
	t.Helper()
	start := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	if err := os.RemoveAll(filepath.Join(testdata, goldenRun)); err != nil {
		t.Fatal(err)
	}
	w, err := recording.Create(testdata, recording.Manifest{
		ID: goldenRun, StartedAt: start, Seed: 7, Provider: "embedded", ProviderReason: "no Docker engine answers",
		Profiles: []string{"slow", "tuned"}, BurstsPerProfile: 2, PodsPerBurst: 8,
		Environment: []byte(`{"cpus": 2, "kernel": "6.18"}`),
	}, recording.WithClock(func() time.Time { return start.Add(10 * time.Minute) }))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"slow", "tuned"} {
		controller := clusters.Limits{KubeAPIQPS: 4, KubeAPIBurst: 2, Source: "process arguments"}
		if name == "tuned" {
			controller.KubeAPIQPS, controller.KubeAPIBurst = 150, 200
		}
		kubelet := clusters.Limits{KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "configz"}
		qps, burst := controller.KubeAPIQPS, controller.KubeAPIBurst
		err := w.WriteProfile(recording.Profile{
			Name: name, Provider: "embedded", Nodes: []string{"node-1", "node-2"}, KubernetesVersion: "v1.37.2", CreateSeconds: 5.25,
			Spec: clusters.Profile{
				APIVersion: clusters.APIVersion, Kind: clusters.ProfileKind, Metadata: clusters.Metadata{Name: name},
				Spec: clusters.ProfileSpec{KubeControllerManager: clusters.ComponentSpec{KubeAPIQPS: &qps, KubeAPIBurst: &burst}},
			},
			Effective: clusters.Effective{
				"kube-controller-manager": controller,
				"kube-scheduler":          {KubeAPIQPS: 50, KubeAPIBurst: 100, Source: "process arguments"},
				"kubelet-node-1":          kubelet, "kubelet-node-2": kubelet,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for index := range 3 { // 0 is the warm-up
			b := synthetic.Burst(synthetic.Options{
				Profile: name, Index: index, Seed: uint64(i), JobController: controller,
				Start: start.Add(time.Duration(1+3*i+index) * time.Minute),
			})
			if name == "tuned" && index == 2 {
				again := b.Watch[len(b.Watch)-1]
				again.At, again.Containers.Restarts = b.End.Add(-time.Millisecond), 1
				b.Watch = append(b.Watch, again)
			}
			if err := w.WriteBurst(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
}

func goldenReport(t testing.TB) reports.Report {
	t.Helper()
	r, err := reports.Build(specimen.Recorded(t, goldenRun), goldenObjectives())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// formats maps golden files to the renderings of the report.
var formats = map[string]func(io.Writer, reports.Report) error{
	"report.json": reports.WriteJSON,
	"junit.xml":   reports.WriteJUnit,
	"summary.md":  reports.WriteMarkdown,
	"table.txt": func(w io.Writer, r reports.Report) error {
		return reports.WriteTable(w, r, "artifacts/run")
	},
}

func TestGoldenFiles(t *testing.T) {
	if *synthesize {
		synthesizeRun(t)
	}
	r := goldenReport(t)
	for name, write := range formats {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got, r); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, filepath.Join(testdata, "golden", name), got.String())
		})
	}
}

func TestPodsAreALineEach(t *testing.T) {
	r := goldenReport(t)
	var pods bytes.Buffer
	for i := range r.Bursts {
		if err := r.WritePods(&pods, i); err != nil {
			t.Fatal(err)
		}
	}
	if got := bytes.Count(pods.Bytes(), []byte("\n")); got != 6*8 {
		t.Errorf("%d lines for 6 bursts of 8 pods", got)
	}
	if err := r.WritePods(io.Discard, 6); err != nil || r.Timeline(6) != nil || r.Timeline(-1) != nil {
		t.Errorf("a burst that there is not: %v", err)
	}
}
