//go:build integration

package limits_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/test/internal/suite"
)

// kubeletAtClientGosDefault is a profile with one node, whose kubelet is the
// bottleneck.
const kubeletAtClientGosDefault = `apiVersion: podburst.dev/v1alpha1
kind: Profile
metadata: {name: slow-kubelet}
spec:
  topology: {workers: 1}
  kubelet: {kubeAPIQPS: 5, kubeAPIBurst: 10}
`

// TestTheLimitersModelPredictsALiveBurst checks the arithmetic of framework/station
// against a live control plane: requests through a limiter take (requests - burst) /
// QPS. Other work on the machine can only make a burst slower than its model, so of
// several bursts the one closest to the model counts. No burst may be faster.
func TestTheLimitersModelPredictsALiveBurst(t *testing.T) {
	for name, c := range map[string]struct {
		profile      string
		pods, bursts int
		component    clusters.Component
		// floor is the least time that the indispensable requests take.
		floor stats.Seconds
		most  float64
	}{
		// (100 - 30) / 20, plus the Job controller's Events.
		"100 creations through 20/30": {"", 100, 3, clusters.KubeControllerManager, 3.5, 1.10},
		// A GET and a PATCH for at least one status write per pod: (2 * 30 - 10) / 5.
		"30 pods through a kubelet's 5/10": {kubeletAtClientGosDefault, 30, 1, clusters.Kubelet, 10, 1.15},
	} {
		t.Run(name, func(t *testing.T) {
			nearest := math.Inf(1)
			for _, b := range liveBursts(t, c.profile, c.pods, c.bursts) {
				for _, l := range b.Throttle {
					if !strings.HasPrefix(l.Component, string(c.component)) {
						continue
					}
					ratio := float64(l.TookSeconds / l.FloorSeconds)
					t.Logf("burst %d: %d requests, model %.3f s, measured %.3f s, ratio %.3f, %s", b.Index, l.PassedRequests, l.FloorSeconds, l.TookSeconds, ratio, l.Regime)
					if l.RequestsSource != "audit" || l.FloorSeconds < c.floor || !l.HeldUp {
						t.Errorf("burst %d: %+v, want requests counted in the audit log that take %g s or more", b.Index, l, c.floor)
					}
					// Requests are stamped on arrival, a few milliseconds after the
					// limiter let them go.
					if ratio < 0.98 {
						t.Errorf("burst %d took %.3f of what the limiter allows at best: it is not the limiter that the model is of", b.Index, ratio)
					}
					nearest = min(nearest, ratio)
				}
				if !strings.Contains(strings.Join(b.Attribution, " "), ": "+string(c.component)) {
					t.Errorf("burst %d: %q does not name %s", b.Index, b.Attribution, c.component)
				}
			}
			if nearest > c.most {
				t.Errorf("the nearest burst took %.2f times the model's prediction, want at most %.2f", nearest, c.most)
			}
		})
	}
}

// liveBursts sends bursts to an embedded cluster of the profile ("": default).
func liveBursts(t *testing.T, text string, pods, bursts int) []reports.Burst {
	t.Helper()
	profile, err := clusters.Resolve("default")
	if text != "" {
		profile, err = clusters.Parse("profile.yaml", []byte(text))
	}
	suite.Must(t, err)
	run, arm := open(t, profile, experiment.Plan{Spec: burst.Spec{Load: load.Job{Pods: pods}}, Bursts: bursts})
	for i := range bursts {
		suite.Must(t, arm.Burst(t.Context(), i+1))
	}
	report, err := reports.Build(run.Run(), nil)
	suite.Must(t, err)
	return report.Bursts
}

// open starts a run with an embedded cluster of the profile; both end with the test.
func open(t testing.TB, profile clusters.Profile, plan experiment.Plan) (*experiment.Experiment, *experiment.Arm) {
	t.Helper()
	plan.Profiles, plan.Artifacts = []clusters.Profile{profile}, t.TempDir()
	run, err := experiment.Start(experiment.Options{Plan: plan, Provider: suite.Provider(t, embedded.ProviderName)})
	suite.Must(t, err)
	arm, err := run.Open(t.Context(), profile)
	suite.Must(t, err)
	// The test's own context has ended when clean-up runs.
	t.Cleanup(func() { suite.Must(t, arm.Close(context.Background())) })
	return run, arm
}
