package main

import (
	"io"

	"github.com/spf13/cobra"

	files "github.com/podburst/podburst"
)

func rbacCommand() *cobra.Command {
	var kubelets bool
	cmd := &cobra.Command{
		Use:   "rbac",
		Short: "Print the manifest of what podburst may do on a cluster that exists",
		Long: `Prints a ServiceAccount podburst in namespace podburst, the least it needs to
measure a cluster, and an admission policy that confines its changes to the
namespaces podburst-*. An administrator applies it.`,
		Example: `  podburst rbac | kubectl apply -f -
  podburst rbac --kubelets | kubectl apply -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text := files.RBAC
			if kubelets {
				text += "---\n" + files.RBACKubelets
			}
			_, err := io.WriteString(cmd.OutOrStdout(), text)
			return internal(err)
		},
	}
	cmd.Flags().BoolVar(&kubelets, "kubelets", false, "also let it read the kubelets through the API server (nodes/proxy: for test clusters only)")
	return cmd
}
