package e2e

import (
	"context"
	"io"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/session"
)

// Run is one run of the suite.
type Run struct {
	*session.Session
	Config   Config
	Profiles []clusters.Profile
}

// Prepare checks all input, builds the control plane if the provider needs
// one, and makes the run's folder. No cluster is started yet.
func Prepare(ctx context.Context, c Config, out io.Writer) (*Run, error) {
	profiles, plan, err := planned(c)
	if err != nil {
		return nil, session.UsageError{Err: err}
	}
	var objectives slo.SLO
	if plan == nil || c.SLO != "" {
		if objectives, err = slo.LoadOrDefault(c.SLO); err != nil {
			return nil, session.UsageError{Err: err}
		}
	}
	var names []string
	for _, p := range profiles {
		names = append(names, p.Metadata.Name)
	}
	if err := objectives.CheckProfiles(names); err != nil {
		return nil, session.UsageError{Err: err}
	}
	s, err := session.Open(ctx, session.Options{
		Provider: c.Provider, Kubeconfig: c.Kubeconfig, Context: c.Context, AuditLog: c.AuditLog,
		Profiles: profiles, Pods: c.Pods, Bursts: c.Bursts, Warmup: c.Warmup, Image: c.Image, Deadline: c.Deadline,
		Seed: c.Seed, Objectives: objectives.Spec.Objectives, Comparison: plan, Artifacts: c.Artifacts, Out: out, Progress: c.Progress,
	})
	if err != nil {
		return nil, err
	}
	return &Run{Session: s, Config: c, Profiles: profiles}, nil
}

// planned are the profiles and, where two are compared, the plan of their blocks.
func planned(c Config) ([]clusters.Profile, *recording.ComparisonPlan, error) {
	if c.Base == "" {
		profiles, err := clusters.LoadSet(c.Profiles)
		return profiles, nil, err
	}
	profiles, err := clusters.LoadPair(c.Base, c.Head)
	if err != nil {
		return nil, nil, err
	}
	criteria, err := gate.LoadCriteria(c.Criteria)
	if err == nil {
		criteria, err = criteria.WithBlocks(c.Blocks, c.MaxBlocks)
	}
	if err != nil {
		return nil, nil, err
	}
	plan, err := session.Plan(profiles[0].Metadata.Name, criteria)
	return profiles, plan, err
}

// Finish closes the run, prints the table and returns the exit code. tests is
// what the test framework says of the specs.
func (r *Run) Finish(tests int, out io.Writer) int {
	report, code := r.Session.Finish(false)
	err := reports.WriteTable(out, report, r.Dir())
	switch {
	case err != nil && code != verdict.ExitInterrupted:
		r.Progress.Error(err)
		return verdict.ExitInternal
	case code == verdict.ExitPass && tests != 0:
		// All that was measured is fine, yet a spec failed (a cluster that could not be removed).
		return verdict.ExitInternal
	}
	return code
}
