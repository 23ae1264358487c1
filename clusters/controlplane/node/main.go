// Command node is the multi-call executable of a kind node image: all that the
// controlplane command has, and kubeadm and kubectl. These two are apart
// because an embedded cluster does without them and they would make its first
// build longer; see the README for figures.
package main

import (
	"context"
	"os"

	"github.com/podburst/podburst/clusters/controlplane/internal/component"
	"github.com/podburst/podburst/clusters/controlplane/internal/component/nodetool"
	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

func main() {
	programs := append(component.ControlPlane(), nodetool.Kubeadm(), nodetool.Kubectl())
	os.Exit(multicall.Main(context.Background(), programs, os.Args, func(args []string) { os.Args = args }, os.Stderr))
}
