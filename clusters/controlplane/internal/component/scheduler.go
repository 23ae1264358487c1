package component

import (
	"context"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// KubeScheduler is kube-scheduler.
func KubeScheduler() multicall.Program {
	return multicall.Program{Name: "kube-scheduler", Run: func(context.Context, []string) int {
		return cli.Run(app.NewSchedulerCommand())
	}}
}
