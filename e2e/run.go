package e2e

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/reports"
)

// UsageError is bad input: exit code 2.
type UsageError struct{ error }

// Unwrap gives the cause.
func (e UsageError) Unwrap() error { return e.error }

// Run is one run of the suite.
type Run struct {
	Config     Config
	Profiles   []clusters.Profile
	Experiment *experiment.Experiment

	slo slo.SLO
	out io.Writer

	mu          sync.Mutex
	interrupted string
	failure     error
}

// Prepare checks all input, builds the control plane if the provider needs
// one, and makes the run's folder. No cluster is started yet.
func Prepare(ctx context.Context, c Config, out io.Writer) (*Run, error) {
	r := &Run{Config: c, out: out}
	var err error
	if r.Profiles, err = clusters.LoadSet(c.Profiles); err != nil {
		return nil, UsageError{err}
	}
	if r.slo, err = slo.LoadOrDefault(c.SLO); err != nil {
		return nil, UsageError{err}
	}
	if err := providers.Check(c.Provider); err != nil {
		return nil, UsageError{err}
	}
	var names []string
	for _, p := range r.Profiles {
		names = append(names, p.Metadata.Name)
		// Before a control plane is compiled in vain; experiment.Start checks the rest.
		if err := p.CheckBurst(c.Pods); err != nil && c.Provider != existing.ProviderName {
			return nil, UsageError{err}
		}
	}
	if err := r.slo.CheckProfiles(names); err != nil {
		return nil, UsageError{err}
	}
	provider, reason, err := providers.Choose(ctx, c.Provider, providers.Options{
		Out: out, Terminal: Terminal(out), Kubeconfig: c.Kubeconfig, Context: c.Context, AuditLog: c.AuditLog,
	})
	switch {
	case err != nil && c.Provider == existing.ProviderName:
		// Nothing was asked of the cluster yet: what is wrong is the kubeconfig.
		return nil, UsageError{err}
	case err != nil:
		return nil, err
	}
	r.say("%s", reason)
	r.Experiment, err = experiment.Start(experiment.Options{
		Provider: provider, ProviderReason: reason, Artifacts: c.Artifacts, Profiles: r.Profiles,
		Pods: c.Pods, Bursts: c.Bursts, WarmupPods: c.Warmup, Image: c.Image, Deadline: c.Deadline, Seed: c.Seed,
		Environment: fingerprint.Read(os.DirFS("/"), fingerprint.Commit()),
		Load:        func() recording.LoadSample { return recording.LoadSample(fingerprint.ReadLoad(os.DirFS("/"))) },
		Progress:    func(s string) { r.say("%s", s) },
	})
	if err != nil {
		// All that can fail here is a plan that cannot work and a folder that cannot be written.
		return nil, UsageError{err}
	}
	r.say("run %s: artifacts in %s", r.Experiment.Run().Manifest.ID, r.Dir())
	return r, nil
}

// Dir is the run's folder.
func (r *Run) Dir() string { return r.Experiment.Dir() }

// Interrupted notes why the run ends early; the first reason stays.
func (r *Run) Interrupted(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.interrupted == "" {
		r.interrupted = reason
	}
}

// Report computes the report of all that is recorded so far and writes its
// files, so that a run which ends at any moment leaves one.
func (r *Run) Report() reports.Report {
	report, err := reports.Build(r.Experiment.Run(), r.slo.Spec.Objectives)
	if err == nil {
		err = reports.WriteAll(r.Dir(), report)
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.failure = err
		r.say("write reports: %v", err)
	}
	return report
}

// Finish closes the run, prints the table and returns the exit code. tests is
// what the test framework says of the specs.
func (r *Run) Finish(tests int, out io.Writer) int {
	if r.interrupted != "" {
		r.failed(r.Experiment.Interrupt(r.interrupted))
	} else {
		r.failed(r.Experiment.Finish())
	}
	report := r.Report()
	r.failed(reports.WriteTable(out, report, r.Dir()))
	code := report.Verdict.ExitCode(false)
	switch {
	case r.interrupted != "":
		return reports.ExitInterrupted
	case r.failure != nil:
		fmt.Fprintf(out, "podburst: %v\n", r.failure)
		return reports.ExitInternal
	case code == reports.ExitPass && tests != 0:
		// All that was measured is fine, yet a spec failed (a cluster that could not be removed).
		return reports.ExitInternal
	}
	return code
}

func (r *Run) failed(err error) {
	if err != nil && r.failure == nil {
		r.failure = err
	}
}

func (r *Run) say(format string, args ...any) {
	fmt.Fprintf(r.out, "podburst: "+format+"\n", args...)
}

// Terminal reports whether w is a terminal on which colors and rewritten lines
// are welcome.
func Terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
