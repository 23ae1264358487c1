package component

import (
	"context"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// KubeAPIServer is kube-apiserver.
func KubeAPIServer() multicall.Program {
	return multicall.Program{Name: "kube-apiserver", Run: func(context.Context, []string) int {
		return cli.Run(app.NewAPIServerCommand())
	}}
}
