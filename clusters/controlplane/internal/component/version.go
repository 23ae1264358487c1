package component

import (
	"context"
	"fmt"
	"os"

	etcd "go.etcd.io/etcd/api/v3/version"
	kubernetes "k8s.io/component-base/version"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// Version prints the versions that the executable was built from.
func Version() multicall.Program {
	return multicall.Program{Name: "version", Run: func(context.Context, []string) int {
		fmt.Fprintf(os.Stdout, "kubernetes %s\netcd v%s\n", kubernetes.Get().GitVersion, etcd.Version)
		return 0
	}}
}
