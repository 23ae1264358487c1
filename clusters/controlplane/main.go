// Command controlplane is the multi-call executable of an embedded cluster:
// etcd, kube-apiserver, kube-controller-manager, kube-scheduler, the hollow
// kubelet and the kubelet. It runs the program that it is called as through a
// link, or that its first argument names:
//
//	controlplane kube-scheduler --help
//	ln -s controlplane kube-scheduler && ./kube-scheduler --help
//	controlplane version
//
// A node image needs kubeadm and kubectl as well: see the command in ./node.
package main

import (
	"context"
	"os"

	"github.com/podburst/podburst/clusters/controlplane/internal/component"
	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

func main() {
	os.Exit(multicall.Main(context.Background(), component.ControlPlane(), os.Args, func(args []string) { os.Args = args }, os.Stderr))
}
