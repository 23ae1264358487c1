package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters/embedded"
)

func clustersCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "clusters",
		Short: "List and remove clusters that a crash left behind",
	}
	list := &cobra.Command{
		Use:     "list",
		Short:   "List clusters on this machine and whether their owner still runs",
		Example: "  podburst clusters list",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := embedded.List(cmd.Context(), os.TempDir())
			if err != nil {
				return internal(err)
			}
			if len(found) == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "no clusters")
				return internal(err)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "PROVIDER\tCLUSTER\tOWNER\tSTATE\tFOLDER")
			for _, c := range found {
				state := "left behind"
				if c.Live {
					state = "in use"
				}
				fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", embedded.ProviderName, c.Cluster, c.OwnerPID, state, c.Path)
			}
			return internal(w.Flush())
		},
	}
	clean := &cobra.Command{
		Use:     "clean",
		Short:   "Remove clusters whose owner has died; those in use are not touched",
		Example: "  podburst clusters clean",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			removed, err := embedded.Clean(cmd.Context(), os.TempDir())
			for _, c := range removed {
				fmt.Fprintf(cmd.OutOrStdout(), "removed %s (%s)\n", c.Cluster, c.Path)
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
