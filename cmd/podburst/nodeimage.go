package main

import (
	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters/nodeimage"
)

func nodeImageCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "node-image",
		Short: "Build a kind node image without a container registry",
	}
	var force bool
	var mirror string
	build := &cobra.Command{
		Use:   "build",
		Short: "Build podburst/node from Go modules and Debian packages, unless it is up to date",
		Long: `Needs root, a Docker engine, debootstrap, gcc and about 20 minutes the first time on 2
cores. An unchanged input does nothing.`,
		Example: `  podburst node-image build
  podburst node-image build --force`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return internal(nodeimage.Build(cmd.Context(), nodeimage.Options{
				Output: cmd.ErrOrStderr(), Force: force, Mirror: mirror,
			}))
		},
	}
	build.Flags().BoolVar(&force, "force", false, "build even if nothing changed")
	build.Flags().StringVar(&mirror, "mirror", "", "Debian mirror (default: debootstrap's own)")
	parent.AddCommand(build)
	return parent
}
