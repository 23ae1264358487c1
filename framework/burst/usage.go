package burst

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/usage"
)

// sampling is the state of sampling what processes use of this machine. Whatever goes
// wrong with it is noted in the recording, and the burst goes on.
type sampling struct {
	accounts []clusters.Account
	reader   usage.Reader
	sampler  *usage.Sampler
}

// accounts asks which processes there are. Asking may run programs, so it is done well
// before the submission.
func (r *runner) accounts(ctx context.Context) {
	if r.sampling.reader = r.NewUsage(); r.sampling.reader == nil {
		r.burst.UsageUnavailable = "not asked for"
		return
	}
	accountant, ok := r.Cluster.(clusters.Accountant)
	if !ok {
		r.burst.UsageUnavailable = "not available on a cluster that others run"
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.SnapshotTimeout)
	defer cancel()
	accounts, err := accountant.Accounts(ctx)
	if err != nil {
		r.burst.UsageUnavailable = err.Error()
		return
	}
	r.sampling.accounts = append(accounts, clusters.Account{Name: recording.AccountObserver, PIDs: []int{os.Getpid()}})
}

// startSampling takes the first samples right before the submission.
func (r *runner) startSampling(ctx context.Context) {
	if r.burst.UsageUnavailable == "" {
		r.sampling.sampler = usage.Start(ctx, usage.Options{Reader: r.sampling.reader, Accounts: r.sampling.accounts, Now: r.Clock.wall})
	}
}

// stopSampling takes the last samples right after the burst's end.
func (r *runner) stopSampling() {
	if r.sampling.sampler == nil {
		return
	}
	b := r.burst
	b.Usage, b.UsageErrors = r.sampling.sampler.Stop()
	if c, ok := r.sampling.reader.(io.Closer); ok {
		_ = c.Close() // opened for reading only
	}
	if len(b.Usage) == 0 {
		b.UsageUnavailable = fmt.Sprintf("nothing could be read: %s", b.UsageErrors[recording.AccountMachine])
	}
}

// kernel reads this machine's counters.
func kernel() usage.Reader { return usage.NewKernel(os.DirFS("/")) }
