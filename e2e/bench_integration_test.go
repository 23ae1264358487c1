//go:build integration

package e2e

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/formats"
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
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"default", "tuned"} {
		b.Run(name, func(b *testing.B) {
			profiles, err := clusters.LoadSet([]string{name})
			if err != nil {
				b.Fatal(err)
			}
			provider, reason, err := providers.Choose(b.Context(), "embedded", providers.Options{Out: io.Discard})
			if err != nil {
				b.Fatal(err)
			}
			run, err := experiment.Start(experiment.Options{Provider: provider, ProviderReason: reason, Artifacts: b.TempDir(),
				Profiles: profiles, Pods: 100, Bursts: b.N, WarmupPods: 10, Deadline: 2 * time.Minute})
			if err != nil {
				b.Fatal(err)
			}
			arm, err := run.Open(b.Context(), profiles[0])
			if err != nil {
				b.Fatal(err)
			}
			// The benchmark's own context has ended by the time of its clean-up.
			b.Cleanup(func() { _ = arm.Close(context.Background()) })
			if err := arm.Warmup(b.Context()); err != nil {
				b.Fatal(err)
			}
			var reporting time.Duration
			var report reports.Report
			b.ResetTimer()
			for i := 1; b.Loop(); i++ {
				if err := arm.Burst(b.Context(), i); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				if report, err = reports.Build(run.Run(), objectives.Spec.Objectives); err != nil {
					b.Fatal(err)
				}
				if err := formats.WriteRun(recording.Disk{}, run.Dir(), &report); err != nil {
					b.Fatal(err)
				}
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
		spread += *burst.CreationSpreadSeconds
		floor += *burst.CreationFloorSeconds
		makespan += *burst.MakespanSeconds
		between += burst.CleanupSeconds
	}
	for unit, sum := range map[string]float64{"spread-s": spread, "floor-s": floor, "makespan-s": makespan, "between-s": between, "report-s": reporting.Seconds()} {
		b.ReportMetric(sum/n, unit)
	}
}
