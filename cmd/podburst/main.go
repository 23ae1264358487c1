// Command podburst judges, compares and renders recorded runs, builds the
// control plane of the embedded provider, and removes what a crash left. The
// bursts themselves are run by the suite (make e2e).
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
