// Package nodetool holds the programs that only a node image needs: kubeadm
// and kubectl.
package nodetool

import (
	"context"

	"k8s.io/kubernetes/cmd/kubeadm/app"
	kubeadmerrors "k8s.io/kubernetes/cmd/kubeadm/app/util/errors"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// Kubeadm is kubeadm. It ends the process itself when it fails.
func Kubeadm() multicall.Program {
	return multicall.Program{Name: "kubeadm", Run: func(context.Context, []string) int {
		kubeadmerrors.HandleError(app.Run())
		return 0
	}}
}
