package nodetool

import (
	"context"

	// The ways to authenticate that a kubeconfig can name.
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// Kubectl is kubectl. It ends the process itself when it fails.
func Kubectl() multicall.Program {
	return multicall.Program{Name: "kubectl", Run: func(_ context.Context, args []string) int {
		// Making the command already logs (plugins, the kuberc file), before
		// its flags are parsed: the verbosity has to be in force by then. One
		// that is not a number is reported when the flags are parsed.
		_, _ = logs.GlogSetter(cmd.GetLogVerbosity(args))
		if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
			// CheckErr explains the error and exits with the code that belongs to it.
			util.CheckErr(err)
			return 1
		}
		return 0
	}}
}
