//go:build integration

package limits_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/station"
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
// QPS, no burst is faster, and the limiter is named as what held the pods up for so long.
func TestTheLimitersModelPredictsALiveBurst(t *testing.T) {
	for name, c := range map[string]struct {
		profile      string
		pods, bursts int
		component    clusters.Component
		limits       clusters.Limits
		// requests that each pod needs at least.
		requests int
	}{
		"100 creations through 20/30": {"", 100, 3, clusters.KubeControllerManager, clusters.Limits{KubeAPIQPS: 20, KubeAPIBurst: 30}, 1},
		// A GET and a PATCH for at least one status write per pod.
		"30 pods through a kubelet's 5/10": {kubeletAtClientGosDefault, 30, 1, clusters.Kubelet, clusters.Limits{KubeAPIQPS: 5, KubeAPIBurst: 10}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			floor := station.Spread(c.requests*c.pods, c.limits).Seconds()
			for _, b := range liveBursts(t, c.profile, c.pods, c.bursts) {
				if b.MakespanSeconds == nil || float64(*b.MakespanSeconds) < 0.98*floor {
					t.Fatalf("burst %d took %v, less than the limiter allows at best (%.2f s): it is not the limiter that the model is of", b.Index, b.MakespanSeconds, floor)
				}
				first, _ := b.Analysis.First()
				i := slices.IndexFunc(b.Stations, func(st station.Station) bool {
					return st.Station == station.ClientLimiter && st.Component == string(c.component)
				})
				held := b.Stations[i].Held
				t.Logf("burst %d: floor %.2f s, makespan %s, held %s, most of it: %s", b.Index, floor, b.MakespanSeconds, held, first)
				// The mean over the last twentieth of the pods, which need not be the last pod's.
				if !b.Stations[i].Known || float64(held.HighSeconds) < 0.85*floor || held.LowSeconds > *b.MakespanSeconds {
					t.Errorf("burst %d: held for %s, want about %.2f s or more", b.Index, held, floor)
				}
				if first.Station != station.ClientLimiter || first.Component != string(c.component) {
					t.Errorf("burst %d: most of the makespan: %s, want %s's limiter:\n%s", b.Index, first, c.component, strings.Join(b.Sentences, "\n"))
				}
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
