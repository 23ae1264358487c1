package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/preflight"
)

func doctorCommand() *cobra.Command {
	var provider string
	var cluster existing.Options
	var options preflight.Options
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check before a run whether this machine or a cluster can be measured",
		Long: `For the embedded provider it looks at this machine, for kind at the Docker
engine. For the existing provider it looks at the cluster of a kubeconfig's context: permissions, versions, clocks,
room for the burst, what can be read, and whether quotas or admission would
change or refuse the pods. It starts nothing there; it makes a namespace as a
run does, sends dry runs to it, and removes it.

Exits with 0 where nothing failed (warnings say what to know), else with 2:
what was asked for cannot be measured as things are.`,
		Example: `  podburst doctor
  podburst doctor --provider existing --kubeconfig ~/.kube/config --context staging --pods 300
  podburst doctor --provider existing --namespace team-a`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks, err := examine(cmd.Context(), provider, cluster, options)
			if err != nil {
				return err
			}
			if err := preflight.Write(cmd.OutOrStdout(), checks); err != nil {
				return internal(err)
			}
			if n := preflight.Failed(checks); n > 0 {
				return fmt.Errorf("doctor: %d of %d checks failed", n, len(checks))
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&provider, "provider", providers.Auto, "one of "+strings.Join(providers.Names(), ", "))
	existingFlags(cmd, &cluster)
	flags.IntVar(&options.Pods, "pods", experiment.Pods.Default, "pods of a burst")
	flags.StringVar(&options.Image, "image", os.Getenv("IMAGE"), "image of the burst's pods")
	flags.StringVar(&options.Namespace, "namespace", "", "look at quotas and admission in this namespace (default: a new one)")
	flags.Lookup("image").DefValue = "" // the help must not depend on the environment
	return cmd
}

// existingFlags say which existing cluster is meant.
func existingFlags(cmd *cobra.Command, cluster *existing.Options) {
	flags := cmd.Flags()
	flags.StringVar(&cluster.Kubeconfig, "kubeconfig", os.Getenv("KUBECONFIG"), "kubeconfig of a cluster that exists (default: $KUBECONFIG, else ~/.kube/config)")
	flags.StringVar(&cluster.Context, "context", os.Getenv("KUBECONTEXT"), "its context (default: $KUBECONTEXT, else the current one)")
	flags.StringVar(&cluster.AuditLog, "audit-log", os.Getenv("AUDIT_LOG"), "the API server's audit log, where this machine has the file")
	for _, name := range []string{"kubeconfig", "context", "audit-log"} {
		flags.Lookup(name).DefValue = "" // the help must not depend on the environment
	}
}

func examine(ctx context.Context, name string, cluster existing.Options, options preflight.Options) ([]preflight.Check, error) {
	provider, err := providers.Lookup(name)
	few := experiment.Pods.Check("--pods", options.Pods)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--provider %w", err)
	case few != nil:
		return nil, few
	case provider.Local:
		return preflight.Machine(facts(ctx, provider)), nil
	case !provider.Adopts:
		return []preflight.Check{preflight.Readiness(provider.Ready(ctx))}, nil
	}
	p, err := existing.New(cluster)
	if err != nil {
		return nil, err
	}
	options.Config = p.RESTConfig()
	options.Open = func(ctx context.Context) (clusters.Cluster, error) {
		// The profile that states nothing: settings in force are shown, not judged.
		profile, err := clusters.Resolve("default")
		if err != nil {
			return nil, err
		}
		return p.Create(ctx, profile)
	}
	return preflight.Run(ctx, options)
}

// facts gathers what a provider that runs on this machine needs from it.
func facts(ctx context.Context, provider clusters.Descriptor) preflight.Facts {
	f := preflight.Facts{OS: runtime.GOOS, CPUs: runtime.NumCPU(), Folder: os.TempDir(), Ready: provider.Ready(ctx)}
	f.MemoryBytes, f.FreeBytes = memory(), free(f.Folder)
	// If folders cannot be listed, they cannot be cleaned either.
	left, _ := provider.List(ctx)
	for _, c := range left {
		if !c.Live {
			f.LeftBehind++
		}
	}
	return f
}
