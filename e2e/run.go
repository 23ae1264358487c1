package e2e

import (
	"context"
	"io"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/session"
)

// Run is one run of the suite.
type Run struct {
	*session.Session
	Config Config
}

// Prepare checks all input, builds the control plane if the provider needs one, and
// creates the run's folder. No cluster is started yet.
func Prepare(ctx context.Context, c Config, out io.Writer) (*Run, error) {
	if err := c.plan(); err != nil {
		return nil, session.UsageError{Err: err}
	}
	var err error
	var objectives slo.SLO
	if c.Comparison == nil || c.SLO != "" {
		if objectives, err = slo.LoadOrDefault(c.SLO); err != nil {
			return nil, session.UsageError{Err: err}
		}
	}
	var names []string
	for _, p := range c.Profiles {
		names = append(names, p.Metadata.Name)
	}
	if err := objectives.CheckProfiles(names); err != nil {
		return nil, session.UsageError{Err: err}
	}
	s, err := session.Open(ctx, session.Options{
		Plan: c.Plan, Provider: c.Provider, Kubeconfig: c.Kubeconfig, Context: c.Context, AuditLog: c.AuditLog,
		Objectives: objectives.Spec.Objectives, Out: out, Progress: c.Progress,
	})
	if err != nil {
		return nil, err
	}
	return &Run{Session: s, Config: c}, nil
}

// plan finds the profiles and, if two are compared, plans their blocks.
func (c *Config) plan() (err error) {
	if c.Base == "" {
		c.Profiles, err = clusters.LoadSet(c.ProfileNames)
		return err
	}
	if c.Profiles, err = clusters.LoadPair(c.Base, c.Head); err != nil {
		return err
	}
	criteria, err := gate.LoadCriteria(c.Criteria)
	if err == nil {
		criteria, err = criteria.WithBlocks(c.Blocks, c.MaxBlocks)
	}
	if err != nil {
		return err
	}
	c.Comparison, err = session.Plan(c.Profiles[0].Metadata.Name, criteria)
	return err
}

// Finish closes the run, prints the table and returns the exit code. tests is the
// test framework's own exit code.
func (r *Run) Finish(tests int, out io.Writer) int {
	report, code := r.Session.Finish(false)
	err := reports.WriteTable(out, report, r.Dir())
	switch {
	case err != nil && code != verdict.ExitInterrupted:
		r.Progress.Error(err)
		return verdict.ExitInternal
	case code == verdict.ExitPass && tests != 0:
		// Everything measured is fine, but a spec failed (say, a cluster could not be
		// removed).
		return verdict.ExitInternal
	}
	return code
}
