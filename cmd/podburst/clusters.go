package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters/embedded"
	"github.com/podburst/podburst/clusters/kind"
)

// madeCluster is a cluster of any provider that podburst made on this machine.
type madeCluster struct {
	provider, name string
	owner          int
	live           bool
	path           string
}

// machine lists and removes clusters; a provider whose engine is absent has none.
type machine struct {
	embedded func(ctx context.Context, baseDir string) ([]embedded.StateDir, error)
	kind     func(ctx context.Context, options kind.Options) ([]kind.Leftover, error)
}

func (m machine) clusters(ctx context.Context) ([]madeCluster, error) {
	var found []madeCluster
	dirs, err := m.embedded(ctx, os.TempDir())
	for _, d := range dirs {
		found = append(found, madeCluster{embedded.ProviderName, d.Cluster, d.OwnerPID, d.Live, d.Path})
	}
	leftovers, kindErr := m.kind(ctx, kind.Options{})
	if errors.Is(kindErr, kind.ErrNoEngine) && len(leftovers) == 0 {
		kindErr = nil
	}
	for _, l := range leftovers {
		found = append(found, madeCluster{kind.ProviderName, l.Cluster, l.OwnerPID, l.Live, l.Path})
	}
	return found, errors.Join(err, kindErr)
}

func clustersCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "clusters",
		Short: "List and remove clusters that a crash left behind",
	}
	list := &cobra.Command{
		Use:     "list",
		Short:   "List podburst's clusters on this machine and whether their owner still runs",
		Example: "  podburst clusters list",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := machine{embedded.List, kind.List}.clusters(cmd.Context())
			if len(found) == 0 {
				if err == nil {
					_, err = fmt.Fprintln(cmd.OutOrStdout(), "no clusters")
				}
				return internal(err)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "PROVIDER\tCLUSTER\tOWNER\tSTATE\tFOLDER")
			for _, c := range found {
				state := "left behind"
				if c.live {
					state = "in use"
				}
				fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", c.provider, c.name, c.owner, state, c.path)
			}
			return internal(errors.Join(err, w.Flush()))
		},
	}
	clean := &cobra.Command{
		Use:     "clean",
		Short:   "Remove clusters whose owner has died; those in use, and those of others, are not touched",
		Example: "  podburst clusters clean",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			removed, err := machine{embedded.Clean, kind.Clean}.clusters(cmd.Context())
			for _, c := range removed {
				fmt.Fprintf(cmd.OutOrStdout(), "removed %s cluster %s (%s)\n", c.provider, c.name, c.path)
			}
			if len(removed) == 0 && err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), "nothing to remove")
			}
			return internal(err)
		},
	}
	parent.AddCommand(list, clean)
	return parent
}
