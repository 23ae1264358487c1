package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/clusters/builder"
	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/clusters/existing"
	"github.com/podburst/podburst/clusters/kind"
	"github.com/podburst/podburst/clusters/providers"
	"github.com/podburst/podburst/framework/preflight"
	"github.com/podburst/podburst/internal/nearest"
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
	flags.IntVar(&options.Pods, "pods", 100, "pods of a burst")
	flags.StringVar(&options.Image, "image", os.Getenv("IMAGE"), "image of the burst's pods")
	flags.StringVar(&options.Namespace, "namespace", "", "look at quotas and admission in this namespace (default: a new one)")
	flags.Lookup("image").DefValue = "" // the help must not depend on the environment
	return cmd
}

// existingFlags say which cluster that exists is meant.
func existingFlags(cmd *cobra.Command, cluster *existing.Options) {
	flags := cmd.Flags()
	flags.StringVar(&cluster.Kubeconfig, "kubeconfig", os.Getenv("KUBECONFIG"), "kubeconfig of a cluster that exists (default: $KUBECONFIG, else ~/.kube/config)")
	flags.StringVar(&cluster.Context, "context", os.Getenv("KUBECONTEXT"), "its context (default: $KUBECONTEXT, else the current one)")
	flags.StringVar(&cluster.AuditLog, "audit-log", os.Getenv("AUDIT_LOG"), "the API server's audit log, where this machine has the file")
	for _, name := range []string{"kubeconfig", "context", "audit-log"} {
		flags.Lookup(name).DefValue = "" // the help must not depend on the environment
	}
}

func examine(ctx context.Context, provider string, cluster existing.Options, options preflight.Options) ([]preflight.Check, error) {
	switch {
	case !slices.Contains(providers.Names(), provider):
		return nil, fmt.Errorf("--provider %q%s", provider, nearest.Hint(provider, "providers", providers.Names()))
	case options.Pods < 1:
		return nil, fmt.Errorf("--pods %d: a burst takes at least 1", options.Pods)
	case provider == kind.ProviderName:
		return []preflight.Check{engine(ctx)}, nil
	case provider != existing.ProviderName:
		return preflight.Machine(facts(ctx)), nil
	}
	p, err := existing.New(cluster)
	if err != nil {
		return nil, err
	}
	options.Config = p.RESTConfig()
	options.Open = func(ctx context.Context) (clusters.Cluster, error) {
		// The profile that states nothing: what is in force is looked at, not judged.
		profile, err := clusters.Resolve("default")
		if err != nil {
			return nil, err
		}
		return p.Create(ctx, profile)
	}
	return preflight.Run(ctx, options)
}

// engine says whether the kind provider can start a cluster.
func engine(ctx context.Context) preflight.Check {
	found, err := kind.Available(ctx, kind.Options{})
	switch {
	case err != nil:
		return preflight.Check{Status: preflight.Fail, Name: "Docker engine", Detail: err.Error(), Advice: "start one, or use PROVIDER=embedded, which needs none"}
	case !found.Present:
		return preflight.Check{Status: preflight.Warn, Name: "node image", Detail: fmt.Sprintf("Docker %s answers but has no node image", found.Engine),
			Advice: "make node-image, or docker pull " + found.Image}
	}
	return preflight.Check{Status: preflight.OK, Name: "node image", Detail: fmt.Sprintf("Docker %s answers and has %s", found.Engine, found.Image)}
}

// facts gathers what the embedded provider needs of this machine.
func facts(ctx context.Context) preflight.Facts {
	f := preflight.Facts{OS: runtime.GOOS, CPUs: runtime.NumCPU(), Folder: os.TempDir()}
	f.MemoryBytes, f.FreeBytes = memory(), free(f.Folder)
	// Finding out asks the go command for its version, so it fails without one.
	status, err := builder.Cached(ctx, builder.Options{})
	f.Built, f.BuildStatus, f.BuildError = status.Ready, status.String(), err
	// Folders that cannot be listed are none that could be cleaned.
	left, _ := embedded.List(ctx, f.Folder)
	for _, c := range left {
		if !c.Live {
			f.LeftBehind++
		}
	}
	return f
}
