//go:build integration

package causes

import (
	"context"
	"errors"
	"sync"
	"testing"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/load"
)

// runner sends a plan's bursts.
type runner struct {
	testing.TB
	pods       int
	injections map[*Cause]*injection
	run        *experiment.Experiment
	note       Note

	mu sync.Mutex
	// now is the burst that is being sent; nil during a warm-up and without the cause.
	now *bench
	// end ends the injection's part during the burst; done has its error.
	end  context.CancelFunc
	done chan error
}

func (r *runner) send(ctx context.Context, arm *experiment.Arm, index int, next one) (err error) {
	b := &bench{TB: r.TB, cause: next.cause, pods: r.pods, in: r.injections[next.cause], cluster: embeddedOf(arm.Cluster), client: arm.Client, namespace: arm.Namespace}
	b.note = BurstNote{Cause: next.cause.Name, Profile: arm.Record.Name, Index: index, Injected: next.injected}
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		r.note.Bursts = append(r.note.Bursts, b.note)
		err = errors.Join(err, r.note.Write(r.run.Dir()))
	}()
	if !next.injected {
		return arm.Burst(ctx, index)
	}
	r.set(b)
	defer r.set(nil)
	defer func() {
		err = errors.Join(err, r.finish())
		if b.in.stop != nil {
			err = errors.Join(err, b.in.stop(context.WithoutCancel(ctx), b))
		}
	}()
	if b.in.start != nil {
		if err := b.in.start(ctx, b); err != nil {
			return err
		}
	}
	return arm.Burst(ctx, index)
}

func (r *runner) set(b *bench) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = b
}

func (r *runner) change(job *batchv1.Job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil && r.now.in.job != nil {
		r.now.in.job(job)
	}
}

// begin starts what is done during a burst.
func (r *runner) begin(at load.Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil {
		return
	}
	b := r.now
	b.burst = at.Name
	if b.in.during == nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	r.end, r.done = cancel, make(chan error, 1)
	go func() { r.done <- b.in.during(ctx, b) }()
}

// live ends the injection when every pod is ready, before metrics are read.
func (r *runner) live(state experiment.Live) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if state.Pods > 0 && state.Counts.Ready >= state.Pods && r.end != nil && !state.Warmup {
		r.end()
	}
}

// finish waits for what is done during a burst.
func (r *runner) finish() error {
	r.mu.Lock()
	end, done := r.end, r.done
	r.end, r.done = nil, nil
	r.mu.Unlock()
	if end == nil {
		return nil
	}
	end()
	return <-done
}
