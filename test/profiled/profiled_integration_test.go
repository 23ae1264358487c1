//go:build integration

// Package profiled_test takes CPU profiles of a live control plane during a burst.
package profiled_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/test/internal/suite"
)

// own is part of the names of functions that a busy component runs during a burst.
var own = map[clusters.Component]string{clusters.KubeAPIServer: "k8s.io/apiserver/", clusters.Kubelet: "k8s.io/"}

// Whatever the machine's pace, every component of an embedded cluster gives a profile of
// the whole burst, and those with much to do name code of their own in it.
func TestProfilesOfALiveBurstNameTheComponentsFunctions(t *testing.T) {
	shipped, err := clusters.Resolve("tuned")
	suite.Must(t, err)
	run, err := experiment.Start(experiment.Options{
		Plan: experiment.Plan{
			Spec: burst.Spec{Load: load.Job{Pods: 150}}, Profiles: []clusters.Profile{shipped}, Bursts: 1, Warmup: 10,
			Artifacts: t.TempDir(), Profile: true,
		},
		Provider: suite.Provider(t, embedded.ProviderName),
	})
	suite.Must(t, err)
	arm, err := run.Open(t.Context(), shipped)
	suite.Must(t, err)
	// The test's own context has ended when clean-up runs.
	t.Cleanup(func() { suite.Must(t, arm.Close(context.Background())) })
	suite.Must(t, arm.Warmup(t.Context()))
	suite.Must(t, arm.Burst(t.Context(), 1))

	// As the files tell it.
	recorded, err := recording.Read(run.Dir())
	suite.Must(t, err)
	for _, b := range recorded.Bursts {
		if b.Profiled == b.Warmup {
			t.Errorf("%s: profiled %t", b.OrderName(), b.Profiled)
		}
		if b.Warmup {
			continue
		}
		// On a busy machine there are gaps, and the recording says so.
		for name, why := range b.ProfileErrors {
			if !strings.Contains(why, "between its") {
				t.Errorf("%s is not profiled: %s", name, why)
			}
		}
		took := b.End.Sub(b.Submit)
		for _, instance := range arm.Cluster.Instances() {
			p, err := profile.Parse(bytes.NewReader(b.CPUProfiles[instance.String()]))
			if err != nil {
				t.Errorf("%s: %v", filepath.Join(b.Path(), recording.PprofFile(instance.String())), err)
				continue
			}
			if covered := float64(p.DurationNanos) / float64(took); covered < 0.9 && b.ProfileErrors[instance.String()] == "" {
				t.Errorf("%s was profiled for %.2f of a burst of %v, and nothing says so", instance, covered, took)
			}
			if want := own[instance.Component]; !names(p, want) {
				t.Errorf("the profile of %s has %d samples and no function of %s", instance, len(p.Sample), want)
			}
		}
	}
	report, err := reports.Build(recorded, nil)
	suite.Must(t, err)
	for _, b := range report.Bursts {
		if !b.Warmup && (len(b.CPUProfiles) != len(arm.Cluster.Instances()) || b.Comparable()) {
			t.Errorf("the report has %d profiles of %d components, comparable %t", len(b.CPUProfiles), len(arm.Cluster.Instances()), b.Comparable())
		}
	}
}

// names tells whether a sampled function has that in its name; any will do for an empty
// one.
func names(p *profile.Profile, part string) bool {
	for _, f := range p.Function {
		if strings.Contains(f.Name, part) {
			return true
		}
	}
	return part == ""
}
