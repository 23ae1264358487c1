// Package passive measures pods that someone else creates: it watches for those
// that match a label selector, on a cluster that exists, and records them as a burst
// that reports judge as any other. It creates nothing in the cluster, changes nothing,
// and needs no more than to list and watch pods.
//
// What a submission would tell (when it was, and so the makespan) is not known then,
// and is recorded as such. What happens during the observation is burst.Observe's work;
// this package prepares the run around it.
package passive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/experiment"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/testbed"
	"github.com/podburst/podburst/framework/watch"
)

// ProfileName names the profile of a passive run: the cluster as it is.
const ProfileName = "observed"

// Options of a passive run. Provider, Artifacts, Namespace and Selector are required.
type Options struct {
	// Provider takes the cluster as it is. ProviderReason is the sentence that says
	// which cluster that is.
	Provider       clusters.Provider
	ProviderReason string
	// Artifacts is the folder that gets a folder for this run.
	Artifacts string
	// Namespace and Selector (as kubectl takes one) say which pods.
	Namespace, Selector string
	// Pods is how many are waited for; 0: as many as come until nothing changes
	// for Settle. For bounds the observation. Defaults as in burst.ObserveOptions.
	Pods        int
	For, Settle time.Duration
	// Environment is the observer's fingerprint; Load reads how busy its machine
	// is, before and after; nil for not at all.
	Environment any
	Load        func() recording.LoadSample
	// Progress receives every step, Live how far the pods are, several times a
	// second; nil for none.
	Progress func(experiment.Step)
	Live     func(experiment.Live)
	// Clock defaults to time.Now.
	Clock func() time.Time
}

// Check is an error for what no cluster could make work.
func (o Options) Check() error {
	selector, err := labels.Parse(o.Selector)
	switch {
	case err != nil:
		return fmt.Errorf("selector %q: %w (as kubectl takes it: app=web,tier!=cache)", o.Selector, err)
	case selector.Empty():
		return errors.New("no selector: say which pods to observe, such as app=web")
	case o.Pods < 0:
		return fmt.Errorf("%d pods: want 0 (as many as come) or more", o.Pods)
	case o.For < 0 || o.Settle < 0:
		return fmt.Errorf("observe for %v, settled after %v: want more than 0", o.For, o.Settle)
	case o.For > 0 && o.Settle > o.For:
		return fmt.Errorf("settled after %v: that is longer than the %v of observing", o.Settle, o.For)
	}
	return nil
}

// Run observes one burst, records it, and returns what was recorded and its folder.
// The folder is empty where nothing was: the cluster cannot be observed, and the error
// says what is missing. With a folder, the error is why the run ended early.
func Run(ctx context.Context, o Options) (run recording.Run, dir string, err error) {
	if err := o.Check(); err != nil {
		return run, "", fmt.Errorf("plan observation: %w", err)
	}
	if o.Progress == nil {
		o.Progress = func(experiment.Step) {}
	}
	if o.Live == nil {
		o.Live = func(experiment.Live) {}
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	profile, err := clusters.Resolve("default")
	if err != nil {
		return run, "", err
	}
	profile.Metadata = clusters.Metadata{Name: ProfileName, Description: "A cluster that others run, as it is."}
	cluster, err := o.Provider.Create(ctx, profile)
	if err != nil {
		return run, "", err
	}
	client, err := burst.NewClient(cluster.RESTConfig())
	if err != nil {
		return run, "", err
	}
	may, err := Ask(ctx, client, o.Namespace)
	if err != nil {
		return run, "", err
	}
	record, err := testbed.Describe(ctx, o.Provider.Name(), cluster, client)
	if err != nil {
		return run, "", err
	}
	observed := burst.ObserveOptions{
		Cluster: cluster, Client: client, Namespace: o.Namespace, Selector: o.Selector, Pods: o.Pods, For: o.For, Settle: o.Settle,
		EventsUnavailable: may.Events, NodesUnavailable: may.Nodes,
	}
	if observed.Audit, observed.AuditUnavailable, err = testbed.OpenAudit(ctx, cluster); err != nil {
		return run, "", err
	}
	observed.Watcher, err = watch.New(cluster.RESTConfig(), watch.Options{
		Namespace: o.Namespace, LabelSelector: o.Selector, WithoutEvents: may.Events != "", WithoutNodes: may.Nodes != "",
	})
	if err != nil {
		return run, "", err
	}
	defer observed.Watcher.Stop()
	return o.record(ctx, record, observed)
}

// record makes the run's folder before the observation, so that it is known to be
// writable, and fills it.
func (o Options) record(ctx context.Context, profile recording.Profile, observed burst.ObserveOptions) (run recording.Run, dir string, err error) {
	environment, err := json.Marshal(o.Environment)
	if err != nil {
		return run, "", fmt.Errorf("plan observation: encode environment: %w", err)
	}
	w, err := recording.Create(o.Artifacts, recording.Manifest{
		StartedAt: o.Clock(), Provider: o.Provider.Name(), ProviderReason: o.ProviderReason, Profiles: []string{profile.Name},
		BurstsPerProfile: 1, PodsPerBurst: o.Pods, Environment: environment,
	}, recording.WithClock(o.Clock))
	if err != nil {
		return run, "", err
	}
	if err := w.WriteProfile(profile); err != nil {
		return run, "", err
	}
	id := w.Manifest().ID
	o.Progress(experiment.Step{Kind: experiment.RunStart, Run: id, Dir: w.Dir(), Message: fmt.Sprintf("run %s: artifacts in %s", id, w.Dir())})
	state := experiment.Live{Label: "observed", Profile: profile.Name, Index: 1, Bursts: 1, Pods: o.Pods}
	observed.RunID = id
	observed.OnBegin = func(existing int) {
		o.Progress(experiment.Step{Kind: experiment.BurstStart, State: state,
			Message: fmt.Sprintf("observing pods in namespace %s that match %s; left out: %d that are there already", o.Namespace, o.Selector, existing)})
	}
	observed.OnProgress = func(c watch.Counts, elapsed time.Duration) {
		state.Counts, state.Elapsed = c, elapsed
		o.Live(state)
	}
	load := recording.Load{Before: o.load()}
	b, observing := burst.Observe(ctx, observed)
	if b.Passive == nil {
		return run, "", errors.Join(observing, w.Interrupt("the observation did not begin"))
	}
	if load.After = o.load(); o.Load != nil {
		b.Load = &load
	}
	err = w.WriteBurst(b)
	if observing != nil {
		err = errors.Join(err, w.Interrupt(observing.Error()))
	} else {
		err = errors.Join(err, w.Finish())
	}
	o.Progress(experiment.Step{Kind: experiment.BurstEnd, State: state, EndReason: b.EndReason, Message: describe(b)})
	run = recording.Run{Manifest: w.Manifest(), Profiles: []recording.Profile{profile}, Bursts: []recording.Burst{b}}
	return run, w.Dir(), errors.Join(observing, err)
}

func (o Options) load() recording.LoadSample {
	if o.Load == nil {
		return recording.LoadSample{}
	}
	return o.Load()
}

// describe says in a few words how the observation ended.
func describe(b recording.Burst) string {
	took := b.End.Sub(b.Began()).Seconds()
	switch {
	case b.EndReason == recording.EndAllReady:
		return fmt.Sprintf("all %d pods were ready, after %.1f s", b.Pods, took)
	case b.EndReason == recording.EndSettled:
		return fmt.Sprintf("%d pods came, and nothing has changed for %.0f s, after %.1f s", b.Pods, b.Passive.SettleSeconds, took)
	case b.EndReason == recording.EndDeadline && len(b.Watch) == 0:
		return fmt.Sprintf("no pod came within %.0f s", b.DeadlineSeconds)
	case b.EndReason == recording.EndDeadline:
		return fmt.Sprintf("observed for the whole %.0f s", b.DeadlineSeconds)
	}
	return fmt.Sprintf("ended as %s after %.1f s", b.EndReason, took)
}
