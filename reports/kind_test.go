package reports_test

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/golden"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/internal/specimen"
)

func kindReport(t *testing.T) reports.Report {
	t.Helper()
	r, err := reports.Build(specimen.Recorded(t, "kind"), []slo.Objective{objective("makespan-max", slo.Makespan, "max", time.Minute)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What real kubelets, a real runtime and three clocks write, with every source of a mark:
// the synthetic recording has none of that.
func TestARecordingOfRealPods(t *testing.T) {
	r := kindReport(t)
	if r.Verdict != verdict.Pass || len(r.Bursts) != 1 || !r.Bursts[0].Valid {
		t.Fatalf("verdict %s: %q", r.Verdict, r.Reasons)
	}
	b := &r.Bursts[0]
	for name, phase := range b.Phases {
		// The watch may see a pod run before the answer to the write is audited.
		least := map[bool]float64{true: -1, false: 0}[strings.HasPrefix(name, "run_to_")]
		if phase == nil || phase.Count != 100 || phase.Missing != 0 || phase.Min < least {
			t.Errorf("%s is %+v", name, phase)
		}
	}
	pods := r.Timeline(0).Pods
	for i := range pods {
		sum := 0.0
		for _, ph := range timeline.Chain() {
			d, _, _, _ := pods[i].Duration(ph)
			sum += d.Seconds()
		}
		total, _, _, _ := r.Duration(0, &pods[i], timeline.Phase{Name: "total", From: timeline.Submit, To: timeline.Observed})
		if math.Abs(sum-total.Seconds()) > 1e-9 {
			t.Errorf("the phases of %s sum up to %g, its total is %g", pods[i].Name, sum, total.Seconds())
		}
	}
	var table bytes.Buffer
	if err := reports.WriteTable(&table, r, "artifacts/run"); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join(testdata, "golden", "kind.txt"), table.String())
}

// The recording is public: it must not reveal anything about the machine that made it
// beyond the fingerprint, and no credentials.
func TestTheRecordingsTellNothingTheyNeedNot(t *testing.T) {
	private := regexp.MustCompile(`/(tmp|root|home|work|Users)/|Bearer |BEGIN [A-Z ]*(KEY|CERTIFICATE)|eyJ[A-Za-z0-9_-]{10}|password`)
	err := filepath.WalkDir(testdata, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if found := private.Find(data); found != nil {
			t.Errorf("%s holds %q", path, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
