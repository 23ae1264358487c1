package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/preflight"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/reports/progress"
	"github.com/podburst/podburst/session"
)

// observation is what podburst observe was asked for.
type observation struct {
	send    sender
	cluster existing.Options
	load    load.Observe
	plan    experiment.Plan
	// slo is a file; format and progress are words.
	slo, format, progress string
}

func observeCommand(send sender) *cobra.Command {
	o := observation{send: send, plan: experiment.Plan{Bursts: 1}}
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
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.load.Selector, "selector", "l", "", "which pods, as kubectl takes it: app=web,tier!=cache (required)")
	flags.StringVarP(&o.load.Namespace, "namespace", "n", "", "their namespace (default: the context's, else default)")
	flags.IntVar(&o.load.Pods, "pods", 0, "end when so many have been ready (default: as many as come)")
	flags.DurationVar(&o.plan.Deadline, "for", load.DefaultFor, "observe at most so long")
	flags.DurationVar(&o.load.Settle, "settle", load.DefaultSettle, "end when all that came are ready and nothing has changed for so long")
	flags.StringVar(&o.plan.Artifacts, "artifacts", experiment.DefaultArtifacts, "folder that gets a folder for the run")
	flags.StringVar(&o.slo, "slo", "", "file of objectives (default: those of the shipped slo.yaml that need no submission)")
	flags.StringVar(&o.format, "format", "table", "one of "+strings.Join(formatNames(), ", "))
	pprofFlag(cmd, &o.plan.Profile)
	progressFlag(cmd, &o.progress)
	existingFlags(cmd, &o.cluster)
	return cmd
}

func (o observation) run(cmd *cobra.Command) error {
	o.plan.Load = o.load
	_, format := findFormat(o.format)
	_, mode := progressMode(o.progress)
	err := errors.Join(mode, format, experiment.CheckDuration("--for", o.plan.Deadline), experiment.CheckDuration("--settle", o.load.Settle))
	if err == nil {
		err = o.plan.Spec.Check()
	}
	if err != nil {
		return err
	}
	profile, err := clusters.Resolve("default")
	if err != nil {
		return err
	}
	profile.Metadata = clusters.Metadata{Name: "observed", Description: "A cluster that others run, as it is."}
	o.plan.Profiles = []clusters.Profile{profile}
	objectives, err := slo.LoadForPassive(o.slo)
	if err == nil {
		err = objectives.CheckProfiles([]string{profile.Metadata.Name})
	}
	if err != nil {
		return err
	}
	if o.plan.Load, err = o.allowed(cmd.Context()); err != nil {
		return err
	}
	sent, err := o.send(cmd.Context(), session.Options{
		Plan: o.plan, Provider: existing.ProviderName, Kubeconfig: o.cluster.Kubeconfig, Context: o.cluster.Context, AuditLog: o.cluster.AuditLog,
		Objectives: objectives.Spec.Objectives, Out: cmd.ErrOrStderr(), Progress: progress.Mode(o.progress),
	}, false)
	if err != nil {
		return err
	}
	return show(cmd, o.format, sent.report, sent.dir, sent.code)
}

// allowed is the load, as far as the cluster lets this user see it. Asking before the
// run begins means that no run is left behind if the pods may not be seen.
func (o observation) allowed(ctx context.Context) (load.Load, error) {
	provider, err := existing.New(o.cluster)
	if err != nil {
		return nil, err
	}
	if o.load.Namespace == "" {
		o.load.Namespace = provider.Namespace()
	}
	client, err := burst.NewClient(provider.RESTConfig())
	if err != nil {
		return nil, err
	}
	refused, err := preflight.Ask(ctx, client, o.load.Namespace)
	o.load.EventsUnavailable, o.load.NodesUnavailable = refused.Events, refused.Nodes
	return o.load, err
}
