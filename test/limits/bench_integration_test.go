//go:build integration

package limits_test

import (
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/formats"
	"github.com/podburst/podburst/test/internal/suite"
)

// BenchmarkBurst sends bursts of 100 pods to one embedded cluster per profile
// and reports, as means over the bursts:
//
//	spread-s     first to last pod created
//	floor-s      the least that the Job controller's limiter allows for it
//	makespan-s   submission to the last pod ready
//	between-s    last pod ready to the next submission (clean-up and quiet)
//	report-s     analysis and all report files of the run so far
func BenchmarkBurst(b *testing.B) {
	objectives, err := slo.Default()
	suite.Must(b, err)
	for _, name := range []string{"default", "tuned"} {
		b.Run(name, func(b *testing.B) {
			profile, err := clusters.Resolve(name)
			suite.Must(b, err)
			run, arm := open(b, profile, experiment.Plan{Spec: burst.Spec{Load: load.Job{Pods: 100}}, Bursts: b.N, Warmup: 10})
			suite.Must(b, arm.Warmup(b.Context()))
			var reporting time.Duration
			var report reports.Report
			b.ResetTimer()
			for i := 1; b.Loop(); i++ {
				suite.Must(b, arm.Burst(b.Context(), i))
				start := time.Now()
				report, err = reports.Build(run.Run(), objectives.Spec.Objectives)
				suite.Must(b, err)
				suite.Must(b, formats.WriteRun(recording.Disk{}, run.Dir(), &report))
				reporting += time.Since(start)
			}
			b.StopTimer()
			reportMeans(b, report, reporting)
		})
	}
}

func reportMeans(b *testing.B, report reports.Report, reporting time.Duration) {
	b.Helper()
	var n, spread, floor, makespan, between float64
	for _, burst := range report.Bursts {
		if burst.Warmup {
			continue
		}
		if !burst.Valid || burst.MakespanSeconds == nil || burst.CreationSpreadSeconds == nil || burst.CreationFloorSeconds == nil {
			b.Fatalf("burst %d is invalid: %v", burst.Index, burst.InvalidReasons)
		}
		n++
		spread += float64(*burst.CreationSpreadSeconds)
		floor += float64(*burst.CreationFloorSeconds)
		makespan += float64(*burst.MakespanSeconds)
		between += float64(burst.CleanupSeconds)
	}
	for unit, sum := range map[string]float64{"spread-s": spread, "floor-s": floor, "makespan-s": makespan, "between-s": between, "report-s": reporting.Seconds()} {
		b.ReportMetric(sum/n, unit)
	}
}
