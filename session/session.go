// Package session turns a user's request into a run: it checks all input before
// anything is started, chooses the provider, takes the machine's fingerprint, and
// writes the reports of whatever is recorded, so that a run leaves a report whenever
// it ends. The suite and the CLI run their bursts through it; it asserts nothing.
package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/formats"
	"github.com/podburst/podburst/reports/github"
	"github.com/podburst/podburst/reports/progress"
)

// UsageError is bad input: exit code 2.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e UsageError) Unwrap() error { return e.Err }

// Options is a run as a user asks for it.
type Options struct {
	// Plan is what to send, and where. The layout of a Comparison may be empty;
	// ChooseLayout then chooses it.
	experiment.Plan
	// Provider is one of providers.Names. Only the existing provider reads
	// Kubeconfig, Context and AuditLog.
	Provider                      string
	Kubeconfig, Context, AuditLog string
	// Objectives judge the run; a run that compares needs none.
	Objectives []slo.Objective
	// Probe marks a run whose verdict does not answer the user's question (calibrate,
	// self-test, sweep); see github.End.
	Probe bool
	// Out receives progress, in the mode Progress.
	Out      io.Writer
	Progress progress.Mode

	// files is the disk, which tests replace.
	files recording.FileSystem
}

// Session is a run in progress.
type Session struct {
	Experiment *experiment.Experiment
	// Progress writes to Options.Out; others should write there only through it.
	Progress *progress.Printer

	options Options
	builder *reports.Builder

	mu          sync.Mutex
	interrupted string
	failure     error
}

// Open checks all input, builds the control plane if the provider needs one, and
// creates the run's folder. No cluster is started yet. Bad input is a UsageError.
func Open(ctx context.Context, o Options) (*Session, error) {
	asked, err := providers.Lookup(o.Provider)
	if err != nil {
		return nil, UsageError{Err: fmt.Errorf("PROVIDER=%w", err)}
	}
	if err := o.Spec.Check(); err != nil {
		return nil, UsageError{Err: err}
	}
	for _, p := range o.Profiles {
		// Check this before compiling a control plane in vain; experiment.Start
		// checks the rest.
		if err := p.CheckBurst(o.Load.Terms().Pods); err != nil && !asked.Adopts {
			return nil, UsageError{Err: err}
		}
	}
	say := progress.New(o.Out, o.Progress)
	s := &Session{options: o, Progress: say, builder: reports.NewBuilder(o.Objectives)}
	provider, reason, err := providers.Choose(ctx, o.Provider, clusters.OpenOptions{
		Out: say, Terminal: say.Mode() == progress.Live, Kubeconfig: o.Kubeconfig, Context: o.Context, AuditLog: o.AuditLog,
		Passive: o.Load.Terms().Others(),
	})
	switch {
	case err != nil && asked.Adopts:
		// Nothing was asked of the cluster yet, so the kubeconfig is wrong.
		return nil, UsageError{Err: err}
	case err != nil:
		return nil, err
	}
	say.Say("%s", reason)
	environment := fingerprint.Read(os.DirFS("/"), fingerprint.Commit())
	if c := o.Comparison; c != nil && c.Layout == "" {
		chosen, err := providers.Lookup(provider.Name())
		if err != nil {
			return nil, err
		}
		c.Layout, c.LayoutReason = ChooseLayout(chosen.Idle, len(o.Profiles), environment)
		say.Say("clusters %s: %s", c.Layout, c.LayoutReason)
	}
	s.Experiment, err = experiment.Start(experiment.Options{
		Plan: o.Plan, Provider: provider, ProviderReason: reason, Environment: environment,
		Machine:  func() recording.LoadSample { return recording.LoadSample(fingerprint.ReadLoad(os.DirFS("/"))) },
		Progress: say.Step, Live: say.Live, FileSystem: o.files,
	})
	switch {
	case recording.DiskFailed(err):
		// The plan is good, so the disk is at fault.
		return nil, fmt.Errorf("start the run: %w", err)
	case err != nil:
		// The plan cannot work, or the folder may not be written.
		return nil, UsageError{Err: err}
	}
	id := s.Experiment.Run().Manifest.ID
	say.Step(experiment.Step{Kind: experiment.RunStart, Run: id, Dir: s.Dir(), Message: fmt.Sprintf("run %s: artifacts in %s", id, s.Dir())})
	return s, nil
}

// Dir is the run's folder.
func (s *Session) Dir() string { return s.Experiment.Dir() }

// Interrupted records why the run ends early; the first reason stays.
func (s *Session) Interrupted(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interrupted == "" {
		s.interrupted = reason
	}
}

// Report computes the report of all that is recorded so far and writes those of its
// files that say how the run stands; Finish writes all of them.
func (s *Session) Report() reports.Report { return s.report(formats.WriteDraft) }

func (s *Session) report(write func(recording.FileSystem, string, *reports.Report) error) reports.Report {
	report, err := s.builder.Build(s.Experiment.Run())
	if err == nil {
		err = write(recording.Disk{}, s.Dir(), &report)
	}
	if err != nil {
		s.failed(err)
		s.Progress.Error(fmt.Errorf("write reports: %w", err))
	}
	return report
}

// Blocks sends the blocks of a run that compares, and as many again if the first ones
// do not decide it.
func (s *Session) Blocks(ctx context.Context) error {
	return s.Experiment.Blocks(ctx, func(recording.Run) (bool, error) {
		for _, c := range s.Report().Comparisons {
			if c.Gated && c.Verdict == verdict.Inconclusive {
				return true, nil
			}
		}
		return false, nil
	})
}

// Bursts sends the bursts of a run that compares nothing, one profile after another,
// each to a cluster that is started for it and then removed.
func (s *Session) Bursts(ctx context.Context) error {
	for _, profile := range s.options.Profiles {
		if err := s.arm(ctx, profile); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) arm(ctx context.Context, profile clusters.Profile) (err error) {
	arm, err := s.Experiment.Open(ctx, profile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, arm.Close(ctx)) }()
	if s.options.Warmup > 0 {
		if err := arm.Warmup(ctx); err != nil {
			return errors.Join(err, arm.Collect(ctx))
		}
	}
	for i := 1; i <= s.options.Bursts; i++ {
		if err := arm.Burst(ctx, i); err != nil {
			return errors.Join(err, arm.Collect(ctx))
		}
	}
	return nil
}

// Finish closes the run, writes its final reports, and returns the exit code of the
// result: the verdict's, or that of an interrupt or a failed write. In a GitHub
// Actions workflow, it also tells the step.
func (s *Session) Finish(strict bool) (reports.Report, int) {
	s.mu.Lock()
	interrupted := s.interrupted
	s.mu.Unlock()
	if interrupted != "" {
		s.failed(s.Experiment.Interrupt(interrupted))
	} else {
		s.failed(s.Experiment.Finish())
	}
	report := s.report(formats.WriteRun)
	code := s.code(interrupted != "", report.Verdict.ExitCode(strict))
	actions := github.Actions{Log: s.Progress.Verbatim()}
	if err := actions.Tell(github.End{Report: report, Dir: s.Dir(), Code: code, Probe: s.options.Probe}); err != nil {
		s.Progress.Error(err)
	}
	s.Progress.End(string(report.Verdict), code)
	return report, code
}

func (s *Session) code(interrupted bool, found int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case interrupted:
		return verdict.ExitInterrupted
	case s.failure != nil:
		s.Progress.Error(s.failure)
		return verdict.ExitInternal
	}
	return found
}

func (s *Session) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.failure == nil {
		s.failure = err
	}
}
