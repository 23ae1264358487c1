package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/testbed"
	"github.com/podburst/podburst/framework/watch"
)

// Arm is one profile's testbed, which bursts are sent to one after another.
type Arm struct {
	*testbed.Testbed
	experiment *Experiment
	profile    clusters.Profile
	// broken is why no further burst can be measured on this cluster.
	broken error
}

// Open starts a cluster for the profile, reads back the settings in force, and
// records both. If it fails, it has removed what it created.
func (e *Experiment) Open(ctx context.Context, profile clusters.Profile) (*Arm, error) {
	a := &Arm{experiment: e, profile: profile}
	name := profile.Metadata.Name
	t := e.options.Load.Terms()
	watched := watch.Options{Namespace: t.Namespace, LabelSelector: t.Selector, WithoutEvents: t.EventsUnavailable != "", WithoutNodes: t.NodesUnavailable != ""}
	bed, err := testbed.Open(ctx, testbed.Options{
		Provider: e.options.Provider, Profile: profile, RunID: e.writer.Manifest().ID, Dir: e.Dir(), Clock: e.options.Clock, Watch: watched,
		Progress: func(message string) { e.options.Progress(Step{Message: message}) },
		Described: func(ctx context.Context, bed *testbed.Testbed) error {
			seconds := bed.Record.CreateSeconds
			e.options.Progress(Step{
				Kind: ClusterReady, State: Live{Profile: name, Elapsed: time.Duration(seconds * float64(time.Second))},
				Message: fmt.Sprintf("profile %s: all nodes Ready after %.1f s", name, seconds),
			})
			a.Testbed = bed
			if err := e.addProfile(bed.Record); err != nil {
				return err
			}
			return a.room(ctx)
		},
	})
	if err != nil {
		return nil, err
	}
	a.Testbed = bed
	return a, nil
}

// Warmup sends the cluster's warm-up burst, which is recorded but not part of any
// result.
func (a *Arm) Warmup(ctx context.Context) error {
	name, plan := a.profile.Metadata.Name, &a.experiment.options.Plan
	return a.burst(ctx, fmt.Sprintf("profile %s, warm-up", name), burst.Options{
		Warmup: true, Index: a.experiment.warmups(name), Spec: burst.Spec{Load: plan.Load.Of(plan.Warmup), Deadline: plan.Deadline},
	})
}

// Burst sends burst number index (from 1), records it, and returns once the cluster
// is quiet again. A burst that cannot be trusted is not an error; it is recorded with
// the reasons. An error means that the arm can no longer be used.
func (a *Arm) Burst(ctx context.Context, index int) error {
	label := fmt.Sprintf("profile %s, burst %d of %d", a.profile.Metadata.Name, index, a.experiment.options.Bursts)
	return a.burst(ctx, label, burst.Options{Index: index, Spec: a.experiment.options.Spec, Profile: a.experiment.options.Profile})
}

func (a *Arm) burst(ctx context.Context, label string, o burst.Options) error {
	if a.broken != nil {
		return fmt.Errorf("%s: not sent: %w", label, a.broken)
	}
	err := a.measure(ctx, label, o)
	if err != nil {
		a.broken = err
		return fmt.Errorf("%s: %w", label, err)
	}
	return nil
}

func (a *Arm) measure(ctx context.Context, label string, o burst.Options) error {
	e := a.experiment
	state := a.live(label, o)
	abort, stop := a.supervise(ctx)
	defer stop()
	o.Cluster, o.Client, o.Watcher = a.Cluster, a.Client, a.Watcher
	o.Audit, o.AuditUnavailable = a.Audit, a.AuditUnavailable
	o.Namespace, o.RunID, o.Abort = a.Namespace, e.writer.Manifest().ID, abort
	o.OnBegin = func(existing int) {
		e.options.Progress(Step{Kind: BurstStart, State: state, Message: label + ": " + o.Load.Doing(existing)})
	}
	o.OnProgress = func(c watch.Counts, elapsed time.Duration) {
		state.Counts, state.Elapsed = c, elapsed
		e.options.Live(state)
	}
	busy := recording.Load{Before: e.machine()}
	recorded, err := burst.Run(ctx, o)
	stop()
	if busy.After = e.machine(); e.options.Machine != nil {
		recorded.Load = &busy
	}
	end := func(how string) {
		e.options.Progress(Step{Kind: BurstEnd, State: state, EndReason: recorded.EndReason, Message: label + ": " + how})
	}
	if recorded.Began().IsZero() {
		end("could not be sent")
		return err
	}
	// Write what was measured before anything else can go wrong.
	if werr := e.addBurst(recorded); err != nil || werr != nil {
		end(describe(recorded))
		return errors.Join(err, werr)
	}
	if o.Load.Terms().Others() {
		end(describe(recorded))
		return nil
	}
	end(describe(recorded) + "; cleaning up")
	cleanup := burst.CleanupOptions{Load: o.Load, Client: a.Client, Watcher: a.Watcher, Audit: a.Audit, Effective: a.Record.Effective}
	if a.Audit == nil {
		cleanup.MinQuiet = burst.Blind(a.Record.Effective, recorded.Pods)
	}
	err = burst.Cleanup(ctx, &recorded, cleanup)
	return errors.Join(err, e.updateBurst(recorded))
}
