package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters/providers"
)

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
			found, err := providers.List(cmd.Context())
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
				if c.Live {
					state = "in use"
				}
				fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", c.Provider, c.Cluster, c.OwnerPID, state, c.Path)
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
			removed, err := providers.Clean(cmd.Context())
			for _, c := range removed {
				fmt.Fprintf(cmd.OutOrStdout(), "removed %s cluster %s (%s)\n", c.Provider, c.Cluster, c.Path)
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
