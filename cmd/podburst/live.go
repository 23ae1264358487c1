package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/github"
	"github.com/podburst/podburst/reports/progress"
	"github.com/podburst/podburst/session"
)

// live is what the commands that send bursts share.
type live struct {
	send sender
	// job and plan are what is sent, and how.
	job                                load.Job
	plan                               experiment.Plan
	provider, layout, format, progress string
	strict                             bool
	// probe marks commands whose answer is not the run's verdict.
	probe bool
}

func (l *live) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&l.provider, "provider", providers.Auto, "one of "+strings.Join(providers.Configuring(), ", "))
	flags.IntVar(&l.job.Pods, "pods", experiment.Pods.Default, "pods of a burst")
	flags.IntVar(&l.plan.Warmup, "warmup", experiment.Warmup.Default, "pods of the warm-up burst of each cluster, which counts for nothing (0: none)")
	flags.DurationVar(&l.plan.Deadline, "deadline", burst.DefaultDeadline, "how long one burst may take")
	flags.Int64Var(&l.plan.Seed, "seed", 0, "of the random order (default: from the clock)")
	flags.StringVar(&l.job.Image, "image", "", "image of the pods (default: the pause image)")
	flags.StringVar(&l.plan.Artifacts, "artifacts", experiment.DefaultArtifacts, "folder that gets a folder for the run")
	flags.StringVar(&l.layout, "layout", "auto", "clusters side-by-side for the whole run, or one at a time, anew for each burst")
	flags.StringVar(&l.format, "format", "table", "one of "+strings.Join(formatNames(), ", "))
	pprofFlag(cmd, &l.plan.Profile)
	flags.BoolVar(&l.strict, "strict", false, "exit with 6 where the verdict is inconclusive")
	progressFlag(cmd, &l.progress)
}

// pprofFlag is the flag of all commands that record bursts.
func pprofFlag(cmd *cobra.Command, profile *bool) {
	cmd.Flags().BoolVar(profile, "pprof", false, "take CPU profiles of the components over each burst, which is then slower and never compared")
}

func (l *live) check() error {
	var errs []error
	switch provider, err := providers.Lookup(l.provider); {
	case err != nil:
		errs = append(errs, fmt.Errorf("--provider %q%s", l.provider, nearest.Hint(l.provider, "providers", providers.Configuring())))
	case provider.Adopts:
		errs = append(errs, fmt.Errorf("--provider %[1]s: its cluster is measured as it is, with one configuration; record a run before a change and one after it (make e2e PROVIDER=%[1]s), and compare them with --base-run and --head-run", l.provider))
	}
	layouts := []string{"auto", string(recording.SideBySide), string(recording.Anew)}
	if !slices.Contains(layouts, l.layout) {
		errs = append(errs, fmt.Errorf("--layout %q%s", l.layout, nearest.Hint(l.layout, "layouts", layouts)))
	}
	errs = append(errs, experiment.Pods.Check("--pods", l.job.Pods), experiment.Warmup.Check("--warmup", l.plan.Warmup), experiment.CheckDuration("--deadline", l.plan.Deadline))
	_, format := findFormat(l.format)
	_, mode := progressMode(l.progress)
	return errors.Join(append(errs, format, mode)...)
}

// compare is a comparison judged by criteria.
func (l *live) compare(base string, criteria gate.Criteria) (*recording.ComparisonPlan, error) {
	plan, err := session.Plan(base, criteria)
	if err == nil && l.layout != "auto" {
		plan.Layout, plan.LayoutReason = recording.Layout(l.layout), "it was asked for"
	}
	return plan, err
}

// run sends the blocks of plan to profiles; see sender.
func (l *live) run(cmd *cobra.Command, profiles []clusters.Profile, plan *recording.ComparisonPlan, objectives []slo.Objective) (outcome, error) {
	if l.plan.Profile && plan != nil && plan.Base != "" {
		return outcome{}, errors.New("--pprof: profiling slows the components, so profiled bursts are never compared; profile in a run of its own (make e2e PPROF=1 PROFILES=...)")
	}
	if l.plan.Seed == 0 {
		l.plan.Seed = time.Now().UnixNano() & 0x7fffffff
	}
	l.plan.Load, l.plan.Profiles, l.plan.Comparison = l.job, profiles, plan
	return l.send(cmd.Context(), session.Options{
		Plan: l.plan, Provider: l.provider, Objectives: objectives, Probe: l.probe,
		Out: cmd.ErrOrStderr(), Progress: progress.Mode(l.progress),
	}, l.strict)
}

// outcome is the result of a run that was sent: its folder, report and exit code.
type outcome struct {
	dir    string
	report reports.Report
	code   int
}

// answered tells whether the run came to a result, good or bad.
func (o outcome) answered() bool {
	return o.code != verdict.ExitInvalid && o.code != verdict.ExitInterrupted && o.code != verdict.ExitInternal
}

// sender sends what a run plans. An error means that there is no report.
type sender func(ctx context.Context, o session.Options, strict bool) (outcome, error)

// send is the sender that starts clusters.
func send(ctx context.Context, o session.Options, strict bool) (outcome, error) {
	s, err := session.Open(ctx, o)
	switch {
	case errors.As(err, new(session.UsageError)), err != nil && ctx.Err() != nil:
		return outcome{}, err
	case err != nil:
		return outcome{}, internal(err)
	}
	if o.Comparison != nil {
		err = s.Blocks(ctx)
	} else {
		err = s.Bursts(ctx)
	}
	if ctx.Err() != nil {
		s.Interrupted(context.Cause(ctx).Error())
	}
	report, code := s.Finish(strict)
	if err != nil && ctx.Err() == nil {
		return outcome{}, internal(fmt.Errorf("%w; what was recorded is in %s", err, s.Dir()))
	}
	return outcome{s.Dir(), report, code}, nil
}

// end prints the report and ends the command with code.
func (l *live) end(cmd *cobra.Command, report reports.Report, dir string, code int) error {
	return show(cmd, l.format, report, dir, code)
}

// show prints the report in a format and ends the command with code.
func show(cmd *cobra.Command, format string, report reports.Report, dir string, code int) error {
	f, err := findFormat(format)
	if err != nil {
		return err
	}
	if err := f.Print(cmd.OutOrStdout(), &report, dir); err != nil {
		return internal(err)
	}
	return exit(code)
}

// recorded is end for a run that was recorded before. Like a live run
// (session.Finish), it tells a step of a GitHub Actions workflow.
func (l *live) recorded(cmd *cobra.Command, report reports.Report, dir string) error {
	code := report.Verdict.ExitCode(l.strict)
	tell(cmd.ErrOrStderr(), report, dir, code)
	return l.end(cmd, report, dir, code)
}

// tell does not fail the command, whose work is done.
func tell(log io.Writer, report reports.Report, dir string, code int) {
	if err := (github.Actions{Log: log}).Tell(github.End{Report: report, Dir: dir, Code: code}); err != nil {
		fmt.Fprintf(log, "podburst: %v\n", err)
	}
}

// exit ends a command that worked, with a code for what it found.
func exit(code int) error {
	if code == verdict.ExitPass {
		return nil
	}
	return codeError(code)
}

type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// profileFor is the profile that a user names; its error names the flag.
func profileFor(flag, nameOrPath string) (clusters.Profile, error) {
	if nameOrPath == "" {
		return clusters.Profile{}, fmt.Errorf("%s is required: a shipped profile (%s) or a file", flag, strings.Join(clusters.Shipped(), ", "))
	}
	p, err := clusters.Resolve(nameOrPath)
	if err != nil {
		return clusters.Profile{}, fmt.Errorf("%s: %w", flag, err)
	}
	return p, nil
}

// renamed is p under another name, for a run that already has an arm of that name.
func renamed(p clusters.Profile, suffix string) clusters.Profile {
	p.Metadata.Name += suffix
	return p
}

// objectivesFrom loads a file of objectives; "" is none, since a comparison needs
// none.
func objectivesFrom(path string, profiles []clusters.Profile) ([]slo.Objective, error) {
	if path == "" {
		return nil, nil
	}
	file, err := slo.LoadOrDefault(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range profiles {
		names = append(names, p.Metadata.Name)
	}
	return file.Spec.Objectives, file.CheckProfiles(names)
}

// writeFile writes a user's output file, readable by others as such files usually
// are.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
