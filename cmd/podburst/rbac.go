package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	files "github.com/podburst/podburst"
)

func rbacCommand() *cobra.Command {
	var kubelets, passive bool
	var namespace string
	cmd := &cobra.Command{
		Use:   "rbac",
		Short: "Print the manifest of what podburst may do on a cluster that exists",
		Long: `Prints a ServiceAccount podburst in namespace podburst, the least it needs to
measure a cluster, and an admission policy that confines its changes to the
namespaces podburst-*. An administrator applies it.

With --passive it prints a ServiceAccount podburst-observer instead, which may only
look: it is for podburst observe, on the pods of --namespace.`,
		Example: `  podburst rbac | kubectl apply -f -
  podburst rbac --kubelets | kubectl apply -f -
  podburst rbac --passive --namespace shop | kubectl apply -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text := files.RBAC
			switch problems := validation.IsDNS1123Label(namespace); {
			case passive && kubelets:
				return fmt.Errorf("--kubelets is for the account podburst, not for --passive: print them apart")
			case passive && len(problems) > 0:
				return fmt.Errorf("--namespace %q: %s", namespace, strings.Join(problems, "; "))
			case passive:
				text = strings.Replace(files.RBACPassive, "namespace: default\n", "namespace: "+namespace+"\n", 1)
			case cmd.Flags().Changed("namespace"):
				return fmt.Errorf("--namespace goes with --passive: bursts of podburst's own get namespaces of their own")
			case kubelets:
				text += "---\n" + files.RBACKubelets
			}
			_, err := io.WriteString(cmd.OutOrStdout(), text)
			return internal(err)
		},
	}
	cmd.Flags().BoolVar(&kubelets, "kubelets", false, "also let it read the kubelets through the API server (nodes/proxy: for test clusters only)")
	cmd.Flags().BoolVar(&passive, "passive", false, "what podburst observe needs: to list and watch")
	cmd.Flags().StringVarP(&namespace, "namespace", "n", "default", "with --passive, the namespace whose pods may be observed")
	return cmd
}
