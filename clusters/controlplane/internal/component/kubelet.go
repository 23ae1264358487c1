package component

import (
	"context"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kubelet/app"

	"github.com/podburst/podburst/clusters/controlplane/internal/hollow"
	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// Kubelet is the kubelet, for machines that have a container runtime.
func Kubelet() multicall.Program {
	return multicall.Program{Name: "kubelet", Run: func(ctx context.Context, _ []string) int {
		return cli.Run(app.NewKubeletCommand(ctx))
	}}
}

// HollowKubelet is the kubelet over a simulated container runtime.
func HollowKubelet() multicall.Program {
	return multicall.Program{Name: hollow.CommandName, Run: func(ctx context.Context, _ []string) int {
		return cli.Run(hollow.NewCommand(ctx))
	}}
}
