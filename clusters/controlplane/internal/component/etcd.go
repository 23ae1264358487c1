package component

import (
	"context"

	"go.etcd.io/etcd/server/v3/etcdmain"

	"github.com/podburst/podburst/clusters/controlplane/internal/multicall"
)

// Etcd is the etcd server. It ends the process itself when it fails.
func Etcd() multicall.Program {
	return multicall.Program{Name: "etcd", Run: func(_ context.Context, args []string) int {
		etcdmain.Main(args)
		return 0
	}}
}
