package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/passive"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/formats"
	"github.com/podburst/podburst/reports/progress"
)

// observation is what podburst observe was asked for.
type observation struct {
	cluster existing.Options
	passive passive.Options
	slo     string
	as      string
	// progress is the word for progress.Mode.
	progress string
}

func observeCommand() *cobra.Command {
	var o observation
	cmd := &cobra.Command{
		Use:   "observe",
		Short: "Measure pods that someone else creates, by label selector",
		Long: `Watches a cluster for pods that match a label selector and are created from now
on, by whomever: a Deployment that is scaled up, a Job, a deploy pipeline. It
records them as a burst, judges it, and prints its report. It creates and changes
nothing in the cluster; to list and watch pods is enough (podburst rbac --passive).

It ends when --pods of them have been ready; without --pods, when all that came are
ready and nothing has changed for --settle; and at --for in any case. Pods that were
there before are left out and counted. When pods were submitted is not known, so
there is no makespan and no phase that begins with submit.

Exits with the code of the verdict, as podburst report does. No pod at all is invalid.`,
		Example: `  podburst observe --selector app=web --namespace shop
  podburst observe -l app=web -n shop --pods 30 --for 2m --slo web-slo.yaml
  podburst observe -l batch.kubernetes.io/job-name=report --context staging --format markdown`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.passive.Selector, "selector", "l", "", "which pods, as kubectl takes it: app=web,tier!=cache (required)")
	flags.StringVarP(&o.passive.Namespace, "namespace", "n", "", "their namespace (default: the context's, else default)")
	flags.IntVar(&o.passive.Pods, "pods", 0, "end when so many have been ready (default: as many as come)")
	flags.DurationVar(&o.passive.For, "for", 5*time.Minute, "observe at most so long")
	flags.DurationVar(&o.passive.Settle, "settle", 10*time.Second, "end when all that came are ready and nothing has changed for so long")
	flags.StringVar(&o.passive.Artifacts, "artifacts", "artifacts", "folder that gets a folder for the run")
	flags.StringVar(&o.slo, "slo", "", "file of objectives (default: those of the shipped slo.yaml that need no submission)")
	flags.StringVar(&o.as, "format", "table", "one of "+strings.Join(formatNames(), ", "))
	progressFlag(cmd, &o.progress)
	existingFlags(cmd, &o.cluster)
	return cmd
}

func (o observation) run(ctx context.Context, out, errOut io.Writer) error {
	mode, err := progressMode(o.progress)
	if err != nil {
		return err
	}
	say := progress.New(errOut, mode)
	format, err := findFormat(o.as)
	if err != nil {
		return err
	}
	if o.passive.For <= 0 || o.passive.Settle <= 0 {
		return fmt.Errorf("--for %v, --settle %v: want more than 0", o.passive.For, o.passive.Settle)
	}
	if err := o.passive.Check(); err != nil {
		return err
	}
	objectives, err := slo.LoadForPassive(o.slo)
	if err == nil {
		err = objectives.CheckProfiles([]string{passive.ProfileName})
	}
	if err != nil {
		return err
	}
	o.cluster.Passive, o.cluster.Progress = true, func(line string) { say.Say("%s", line) }
	provider, err := existing.New(o.cluster)
	if err != nil {
		return err
	}
	p := o.passive
	p.Provider, p.ProviderReason = provider, fmt.Sprintf("the cluster of context %q", provider.Context())
	if p.Namespace == "" {
		p.Namespace = provider.Namespace()
	}
	p.Environment = fingerprint.Read(os.DirFS("/"), fingerprint.Commit())
	p.Load = func() recording.LoadSample { return recording.LoadSample(fingerprint.ReadLoad(os.DirFS("/"))) }
	p.Progress, p.Live = say.Step, say.Live
	run, dir, err := passive.Run(ctx, p)
	if dir == "" {
		return err
	}
	report, writing := reports.Build(run, objectives.Spec.Objectives)
	if writing == nil {
		writing = errors.Join(formats.WriteRun(recording.Disk{}, dir, &report), format.Print(out, &report, dir))
	}
	code := report.Verdict.ExitCode(false)
	switch {
	case err == nil && writing == nil:
		tell(say.Verbatim(), report, dir, code)
	case ctx.Err() != nil:
		code = verdict.ExitInterrupted
	default:
		code = verdict.ExitInternal
	}
	say.End(string(report.Verdict), code)
	switch {
	case writing != nil || err != nil && ctx.Err() == nil:
		return internal(errors.Join(err, writing))
	case err != nil:
		return err // interrupted
	case report.Verdict != verdict.Pass:
		return verdictError{report.Verdict}
	}
	return nil
}
