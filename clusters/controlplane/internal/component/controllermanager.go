package component

import (
	"context"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// KubeControllerManager is kube-controller-manager.
func KubeControllerManager() multicall.Program {
	return multicall.Program{Name: "kube-controller-manager", Run: func(context.Context, []string) int {
		return cli.Run(app.NewControllerManagerCommand())
	}}
}
