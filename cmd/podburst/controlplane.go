package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters/builder"
	"github.com/podburst/podburst/reports/progress"
)

func controlPlaneCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "controlplane",
		Short: "Build the Kubernetes control plane of the embedded provider",
	}
	build := &cobra.Command{
		Use:     "build",
		Short:   "Compile the control plane unless it is built already, and print its path",
		Example: "  podburst controlplane build",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.ErrOrStderr()
			options := builder.Options{Output: out, Terminal: progress.Terminal(out)}
			path, err := builder.Binary(cmd.Context(), options)
			if err != nil {
				return internal(err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
			return internal(err)
		},
	}
	status := &cobra.Command{
		Use:     "status",
		Short:   "Say whether the control plane is built, and where",
		Example: "  podburst controlplane status",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := builder.Cached(cmd.Context(), builder.Options{})
			if err != nil {
				return internal(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n%s\n", s, s.Path)
			return internal(err)
		},
	}
	parent.AddCommand(build, status)
	return parent
}
