//go:build integration

package e2e

import (
	"context"
	"io"
	"math"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/reports"
)

// TestTheLimitersModelPredictsALiveBurst holds the arithmetic of
// framework/throttle against a live control plane: creating 100 pods through the
// Job controller's 20/30 takes what (requests - burst) / QPS says, within 10 %.
// Other work on the machine can only make a burst slower than its model, so that
// of three bursts the nearest to it counts; that no burst is faster is held
// against each of them.
func TestTheLimitersModelPredictsALiveBurst(t *testing.T) {
	const bursts = 3
	profiles, err := clusters.LoadSet([]string{"default"})
	if err != nil {
		t.Fatal(err)
	}
	provider, reason, err := providers.Choose(t.Context(), "embedded", providers.Options{Out: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	run, err := experiment.Start(experiment.Options{Provider: provider, ProviderReason: reason, Artifacts: t.TempDir(),
		Profiles: profiles, Pods: 100, Bursts: bursts, Deadline: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	arm, err := run.Open(t.Context(), profiles[0])
	if err != nil {
		t.Fatal(err)
	}
	// The test's own context has ended by the time of its clean-up.
	t.Cleanup(func() { _ = arm.Close(context.Background()) })
	for i := range bursts {
		if err := arm.Burst(t.Context(), i+1); err != nil {
			t.Fatal(err)
		}
	}
	report, err := reports.Build(run.Run(), nil)
	if err != nil {
		t.Fatal(err)
	}
	nearest := math.Inf(1)
	for _, b := range report.Bursts {
		for _, l := range b.Throttle {
			if l.Component != string(clusters.KubeControllerManager) {
				continue
			}
			ratio := l.TookSeconds / l.FloorSeconds
			t.Logf("burst %d: %d requests, model %.3f s, measured %.3f s, ratio %.3f, %s", b.Index, l.PassedRequests, l.FloorSeconds, l.TookSeconds, ratio, l.Regime)
			if l.RequestsSource != "audit" || l.FloorSeconds < 3.5 || !l.HeldUp {
				t.Errorf("burst %d: %+v, want at least the 3.5 s of 100 creations, counted in the audit log", b.Index, l)
			}
			// Requests are stamped on arrival, some milliseconds after the limiter let them go.
			if ratio < 0.98 {
				t.Errorf("burst %d took %.3f of what the limiter allows at best: it is not the limiter that the model is of", b.Index, ratio)
			}
			nearest = min(nearest, ratio)
		}
	}
	if nearest > 1.10 {
		t.Errorf("the nearest burst took %.2f times the model's prediction, want at most 1.10", nearest)
	}
}
