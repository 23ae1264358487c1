package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/reports/progress"
)

// listCost is what podburst list-cost was asked for.
type listCost struct {
	provider               string
	profiles               []string
	cluster                existing.Options
	options                listcost.Options
	format, from, progress string
}

func listCostCommand() *cobra.Command {
	l := listCost{options: listcost.Options{Plan: listcost.DefaultPlan()}}
	plan := &l.options.Plan
	cmd := &cobra.Command{
		Use:   "list-cost",
		Short: "Measure what listing and watching pods cost an API server and its clients",
		Long: `Makes pods that never run and reads them in eight ways (whole or in pages, from
the watch cache, as JSON, as metadata, as a stream), and with informers of their own
and a shared one. It counts bytes, seconds and requests at the client and in the API
server, and checks that no list grows faster than the number of pods.

It exits with 0 if all checks pass (what is too noisy to tell is a finding), 3 if not
everything was measured, 4 if a check failed.

Formats:
` + listCostFormats(),
		Example: `  podburst list-cost
  podburst list-cost --pods 100,500,1000,5000 --rounds 50 --provider embedded
  podburst list-cost --provider existing --context staging --limit 100
  podburst list-cost --from artifacts/20261129T150405Z-1f3a --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return l.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&l.provider, "provider", providers.Auto, "one of "+strings.Join(providers.Names(), ", "))
	flags.StringSliceVar(&l.profiles, "profile", []string{"default"}, "profiles to measure, one after the other: shipped ones or files")
	flags.IntSliceVar(&plan.Sizes, "pods", plan.Sizes, "numbers of pods, ascending")
	flags.IntVar(&plan.Rounds, "rounds", plan.Rounds, "tries of each way to list")
	flags.IntVar(&plan.Limit, "limit", plan.Limit, "page size of the ways that ask for pages")
	flags.Int64Var(&l.options.Seed, "seed", 0, "of the random order (default: from the clock)")
	flags.StringVar(&l.options.Artifacts, "artifacts", "artifacts", "folder that gets a folder for the run")
	existingFlags(cmd, &l.cluster)
	progressFlag(cmd, &l.progress)
	flags.StringVar(&l.from, "from", "", "render the run in this folder again; no cluster is started")
	for _, measuring := range []string{"provider", "profile", "pods", "rounds", "limit", "seed", "artifacts"} {
		cmd.MarkFlagsMutuallyExclusive("from", measuring)
	}
	flags.StringVar(&l.format, "format", "table", "one of "+strings.Join(listCostFormatNames(), ", "))
	return cmd
}

func listCostFormatNames() (names []string) {
	for _, f := range listcost.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// listCostFormats has one line per format.
func listCostFormats() string {
	var lines []string
	for _, f := range listcost.Formats() {
		lines = append(lines, fmt.Sprintf("  %-12s %s", f.Name, f.Help))
	}
	return strings.Join(lines, "\n")
}

func (l *listCost) run(cmd *cobra.Command) error {
	i := slices.Index(listCostFormatNames(), l.format)
	if i < 0 {
		return fmt.Errorf("unknown --format %q%s", l.format, nearest.Hint(l.format, "formats", listCostFormatNames()))
	}
	printed := func(r listcost.Report) error { return listcost.Formats()[i].Write(r, cmd.OutOrStdout()) }
	if l.from == "" {
		return l.measure(cmd, printed)
	}
	recorded, err := listcost.Read(l.from)
	if err != nil {
		return err
	}
	report, err := listcost.Build(recorded)
	if err != nil {
		return err
	}
	if err := printed(report); err != nil {
		return internal(err)
	}
	return exit(report.Verdict.ExitCode(false))
}

func (l *listCost) measure(cmd *cobra.Command, printed func(listcost.Report) error) error {
	ctx := cmd.Context()
	mode, err := progressMode(l.progress)
	if err != nil {
		return err
	}
	say := progress.New(cmd.ErrOrStderr(), mode)
	run, err := l.start(cmd, say)
	if err != nil {
		return err
	}
	say.Step(experiment.Step{Kind: experiment.RunStart, Run: run.ID(), Dir: run.Dir(), Message: fmt.Sprintf("run %s: artifacts in %s", run.ID(), run.Dir())})
	restore, err := traceSlowLists(say.Verbatim())
	if err != nil {
		return internal(err)
	}
	failed := run.Measure(ctx)
	restore()
	interrupted := ""
	if ctx.Err() != nil {
		interrupted = context.Cause(ctx).Error()
	}
	report, err := run.Finish(interrupted)
	failed = errors.Join(failed, err)
	if err == nil {
		failed = errors.Join(failed, printed(report))
	}
	code := report.Verdict.ExitCode(false)
	switch {
	case interrupted != "":
		code = verdict.ExitInterrupted
	case errors.As(failed, new(listcost.RightsError)):
		code = verdict.ExitUsage
	case failed != nil:
		code = verdict.ExitInternal
	}
	if failed != nil {
		say.Error(failed)
	}
	say.Say("reports and recording are in %s", run.Dir())
	say.End(string(report.Verdict), code)
	return exit(code)
}

// start checks all input and chooses the provider; no cluster is started yet.
func (l *listCost) start(cmd *cobra.Command, say *progress.Printer) (*listcost.Run, error) {
	asked, err := providers.Lookup(l.provider)
	if err != nil {
		return nil, fmt.Errorf("--provider %w", err)
	}
	o := l.options
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	if o.Profiles, err = clusters.LoadSet(l.profiles); err != nil {
		return nil, err
	}
	o.Provider, o.ProviderReason, err = providers.Choose(cmd.Context(), l.provider, clusters.OpenOptions{
		Out: say, Terminal: say.Mode() == progress.Live, Kubeconfig: l.cluster.Kubeconfig, Context: l.cluster.Context, AuditLog: l.cluster.AuditLog,
	})
	switch {
	case err != nil && (asked.Adopts || cmd.Context().Err() != nil):
		// Nothing was asked of an existing cluster yet, so the kubeconfig is wrong.
		return nil, err
	case err != nil:
		return nil, internal(err)
	}
	say.Say("%s", o.ProviderReason)
	if o.Seed == 0 {
		o.Seed = time.Now().UnixNano() & 0x7fffffff
	}
	o.Environment = fingerprint.Read(os.DirFS("/"), fingerprint.Commit())
	o.Load = func() fingerprint.Load { return fingerprint.ReadLoad(os.DirFS("/")) }
	o.Progress = func(sentence string) { say.Say("%s", sentence) }
	run, err := listcost.Start(o)
	if recording.DiskFailed(err) {
		return nil, internal(err) // the plan is good
	}
	return run, err
}

// traceSlowLists adds the traces of slow lists (k8s.io/utils/trace) to the output.
// restore undoes it.
func traceSlowLists(out io.Writer) (restore func(), err error) {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	// The traces come at verbosity 2, where other code logs too much.
	if err := flags.Set("vmodule", "trace=2"); err != nil {
		return nil, err
	}
	klog.LogToStderr(false)
	klog.SetOutput(out)
	return func() {
		klog.Flush()
		klog.LogToStderr(true)
		_ = flags.Set("vmodule", "") // cannot fail
	}, nil
}
