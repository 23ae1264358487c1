package burst

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// ObserveOptions of a passive burst. Cluster, Client, Watcher, RunID, Namespace and
// Selector are required.
type ObserveOptions struct {
	// Cluster gives metrics, logs and the nodes' names, as far as it can.
	Cluster clusters.Cluster
	// Client marks the audit log (by a GET); it must have no limiter (see NewClient).
	Client kubernetes.Interface
	// Watcher watches Namespace by Selector and is not started yet: Observe starts
	// it, and leaves stopping it to the caller.
	Watcher *watch.Watcher
	// Audit is a cursor of the audit log; nil: it is not read, and the recording
	// says AuditUnavailable.
	Audit            *audit.Cursor
	AuditUnavailable string

	RunID, Namespace string
	// Selector is the watcher's, for the record.
	Selector string
	// Pods is how many pods are waited for. Default 0: as many as come until
	// nothing changes for Settle.
	Pods int
	// For is how long is observed at most. Default: 5 min.
	For time.Duration
	// Settle is for how long nothing may change until the burst counts as over,
	// once all pods that came are ready. Default: 10 s.
	Settle time.Duration
	// EventsUnavailable and NodesUnavailable say why the watcher leaves these out.
	EventsUnavailable, NodesUnavailable string

	// OnBegin is told how many matching pods were there before, when the watch
	// stands: what comes from now on is measured. nil: nobody.
	OnBegin func(existing int)
	// OnProgress is as Options.OnProgress.
	OnProgress func(counts watch.Counts, elapsed time.Duration)
	// Clock stamps what the observer itself does. Default: SystemClock().
	Clock Clock
}

// Observe records a burst that others send: the pods that match a selector and are
// created from now on. It asks the API server for nothing but what a watch takes
// (and metrics right before and after), and changes nothing.
//
// It ends when Pods pods have been ready, when all that came are ready (or have
// failed) and nothing has changed for Settle, at For, or when ctx ends. A recording
// whose Passive is nil began to record nothing. The error is nil but for the last
// case and for a watch that cannot be opened.
func Observe(ctx context.Context, o ObserveOptions) (recording.Burst, error) {
	b, err := o.plan()
	if err != nil {
		return recording.Burst{}, err
	}
	r := &runner{burst: &b, Options: Options{
		Cluster: o.Cluster, Client: o.Client, Watcher: o.Watcher, Audit: o.Audit, AuditUnavailable: b.AuditUnavailable,
		RunID: o.RunID, Namespace: o.Namespace, Pods: o.Pods, Deadline: o.For, OnProgress: o.OnProgress, Clock: o.Clock,
	}}
	r.setDefaults()
	if err := r.beginPassive(ctx, o); err != nil {
		return recording.Burst{}, fmt.Errorf("observe pods %q: %w", o.Selector, err)
	}
	err = r.waitPassive(ctx, o.Settle)
	b.Pods = b.Passive.Wanted
	if b.Pods == 0 {
		b.Pods = r.tracker.Counts().Seen
	}
	r.finish(ctx)
	if err != nil {
		return b, fmt.Errorf("observe pods %q: %w", o.Selector, err)
	}
	return b, nil
}

func (o *ObserveOptions) plan() (recording.Burst, error) {
	setDuration(&o.For, 5*time.Minute)
	setDuration(&o.Settle, 10*time.Second)
	switch {
	case o.Cluster == nil || o.Client == nil || o.Watcher == nil || o.Namespace == "" || o.RunID == "" || o.Selector == "":
		return recording.Burst{}, errors.New("plan observation: Cluster, Client, Watcher, RunID, Namespace and Selector are required")
	case o.Pods < 0 || o.For < 0 || o.Settle < 0:
		return recording.Burst{}, fmt.Errorf("plan observation: %d pods, for %v, settled after %v: none may be negative", o.Pods, o.For, o.Settle)
	}
	if o.Audit == nil && o.AuditUnavailable == "" {
		o.AuditUnavailable = "not asked for"
	}
	b := recording.Burst{
		Profile: o.Cluster.Profile().Metadata.Name, Index: 1, Pods: o.Pods, Namespace: o.Namespace,
		BurstID: "observed-" + strings.ToLower(o.RunID), DeadlineSeconds: o.For.Seconds(),
		WorkerNodes: o.Cluster.WorkerNodes(), AuditUnavailable: o.AuditUnavailable,
		Passive: &recording.Passive{
			Selector: o.Selector, Wanted: o.Pods, SettleSeconds: o.Settle.Seconds(),
			EventsUnavailable: o.EventsUnavailable, NodesUnavailable: o.NodesUnavailable,
		},
	}
	if problems := validation.IsDNS1123Subdomain(b.BurstID); len(problems) > 0 {
		return b, fmt.Errorf("plan observation: run ID %q cannot mark the audit log: %s", o.RunID, strings.Join(problems, "; "))
	}
	return b, nil
}

// beginPassive returns when the watch stands.
func (r *runner) beginPassive(ctx context.Context, o ObserveOptions) (err error) {
	r.before = r.snapshot(ctx)
	r.audited.disabled = true
	if r.Audit != nil {
		if err := r.startAudit(ctx); err != nil {
			return err
		}
	}
	if r.tracker, err = r.Watcher.TrackMatching(); err != nil {
		return err
	}
	if err := r.Watcher.Start(ctx); err != nil {
		return err
	}
	p := r.burst.Passive
	p.Existing = r.tracker.Begin()
	r.submitted = r.Clock()
	p.Began = r.submitted.Wall
	if o.OnBegin != nil {
		o.OnBegin(p.Existing)
	}
	return nil
}

// waitPassive returns when the burst has ended; like wait, it asks nobody.
func (r *runner) waitPassive(ctx context.Context, settle time.Duration) error {
	deadline := time.NewTimer(r.Deadline)
	defer deadline.Stop()
	quiet := time.NewTimer(settle)
	defer quiet.Stop()
	ticks, stop := r.ticks()
	defer stop()
	for {
		select {
		case <-r.tracker.Changed():
			if c := r.tracker.Counts(); r.Pods > 0 && c.WasReady >= r.Pods {
				r.end(recording.EndAllReady)
				return nil
			}
			quiet.Reset(settle)
		case <-quiet.C:
			if c := r.tracker.Counts(); c.Seen > 0 && c.Seen >= r.Pods && c.Settled == c.Seen {
				r.end(recording.EndSettled)
				return nil
			}
			// Pods that are still to come, or to become ready, start it anew.
		case <-deadline.C:
			r.end(recording.EndDeadline)
			return nil
		case <-ctx.Done():
			r.end(recording.EndInterrupted)
			c := r.tracker.Counts()
			r.problem(recording.ProblemInterrupted, "%v with %d of %d pods seen ready", context.Cause(ctx), c.WasReady, c.Seen)
			return context.Cause(ctx)
		case <-ticks:
			r.progress()
		}
	}
}
