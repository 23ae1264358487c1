package experiment

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// Arm is one profile's live cluster, with its watcher and namespace. Its bursts
// run one after another.
type Arm struct {
	experiment *Experiment
	profile    clusters.Profile
	cluster    clusters.Cluster
	effective  clusters.Effective

	client  kubernetes.Interface
	watcher *watch.Watcher
	// audit is nil where the provider has no audit log; auditUnavailable says why.
	audit            *audit.Cursor
	auditUnavailable string
	namespace        string
	// broken is why no further burst can be measured on this cluster.
	broken error
}

// Open starts a cluster for the profile, reads back what is in force, and
// records both. When it fails, it has removed what it made.
func (e *Experiment) Open(ctx context.Context, profile clusters.Profile) (arm *Arm, err error) {
	name := profile.Metadata.Name
	start := e.options.Clock()
	doing := "starting a cluster"
	if _, adopts := e.options.Provider.(clusters.Adopter); adopts {
		doing = "looking at the cluster"
	}
	e.progress("profile %s: %s", name, doing)
	cluster, err := e.options.Provider.Create(ctx, profile)
	if err != nil {
		return nil, fmt.Errorf("profile %q: %w", name, err)
	}
	a := &Arm{experiment: e, profile: profile, cluster: cluster}
	defer func() {
		if err != nil {
			arm = nil
			err = errors.Join(err, a.Collect(ctx), a.Close(ctx))
		}
	}()
	created := e.options.Clock().Sub(start)
	e.options.Progress(Step{
		Kind: ClusterReady, State: Live{Profile: name, Elapsed: created},
		Message: fmt.Sprintf("profile %s: all nodes Ready after %.1f s", name, created.Seconds()),
	})

	if a.client, err = burst.NewClient(cluster.RESTConfig()); err != nil {
		return a, fmt.Errorf("profile %q: %w", name, err)
	}
	record, err := Describe(ctx, e.options.Provider.Name(), cluster, a.client)
	if err != nil {
		return a, fmt.Errorf("profile %q: %w", name, err)
	}
	record.CreateSeconds, a.effective = created.Seconds(), record.Effective
	if err := e.addProfile(record); err != nil {
		return a, err
	}

	if err := a.room(ctx); err != nil {
		return a, err
	}
	a.namespace, err = burst.EnsureNamespace(ctx, a.client, e.writer.Manifest().ID)
	if err != nil {
		return a, fmt.Errorf("profile %q: %w", name, err)
	}
	if a.watcher, err = watch.New(cluster.RESTConfig(), watch.Options{Namespace: a.namespace}); err != nil {
		return a, fmt.Errorf("profile %q: %w", name, err)
	}
	if err := a.watcher.Start(ctx); err != nil {
		return a, fmt.Errorf("profile %q: %w", name, err)
	}
	return a, a.openAudit(ctx)
}

// dropped are the settings beside the limits that the profile asks for and that
// are not in force, where the provider can tell.
func dropped(ctx context.Context, cluster clusters.Cluster) (problems []recording.Problem) {
	reader, ok := cluster.(clusters.SettingsReader)
	if !ok {
		return nil
	}
	found, err := reader.DroppedSettings(ctx)
	if err != nil {
		found = append(found, fmt.Sprintf("settings could not be read back: %v", err))
	}
	for _, f := range found {
		problems = append(problems, recording.Problem{Code: recording.ProblemSettingsMismatch, Detail: f})
	}
	return problems
}

// openAudit looks once whether there is an audit log, so that a provider without
// one is told from a log that is lost later.
func (a *Arm) openAudit(ctx context.Context) error {
	log, err := a.cluster.AuditLog(ctx)
	switch {
	case errors.Is(err, clusters.ErrUnsupported):
		a.auditUnavailable = err.Error()
		return nil
	case err != nil:
		return fmt.Errorf("profile %q: %w", a.profile.Metadata.Name, err)
	}
	a.audit = audit.NewCursor(a.cluster.AuditLog)
	return log.Close()
}

// Warmup sends the cluster's warm-up burst, recorded and left out of all results.
func (a *Arm) Warmup(ctx context.Context) error {
	name := a.profile.Metadata.Name
	return a.burst(ctx, fmt.Sprintf("profile %s, warm-up", name), burst.Options{
		Warmup: true, Index: a.experiment.warmups(name), Pods: a.experiment.options.WarmupPods,
	})
}

// Burst sends burst number index (from 1), records it, and returns once the
// cluster is quiet again. A burst that cannot be trusted is no error; it is
// recorded with its reasons. An error means that the arm is of no more use.
func (a *Arm) Burst(ctx context.Context, index int) error {
	label := fmt.Sprintf("profile %s, burst %d of %d", a.profile.Metadata.Name, index, a.experiment.options.Bursts)
	return a.burst(ctx, label, burst.Options{Index: index, Pods: a.experiment.options.Pods})
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
	e.options.Progress(Step{Kind: BurstStart, State: state, Message: fmt.Sprintf("%s: sending %d pods", label, o.Pods)})
	abort, stop := a.supervise(ctx)
	defer stop()
	o.Cluster, o.Client, o.Watcher = a.cluster, a.client, a.watcher
	o.Audit, o.AuditUnavailable = a.audit, a.auditUnavailable
	o.Namespace, o.RunID = a.namespace, e.writer.Manifest().ID
	o.Image, o.Deadline, o.Abort = e.options.Image, e.options.Deadline, abort
	o.OnProgress = func(c watch.Counts, elapsed time.Duration) {
		state.Counts, state.Elapsed = c, elapsed
		e.options.Live(state)
	}
	load := recording.Load{Before: e.load()}
	recorded, err := burst.Run(ctx, o)
	stop()
	if load.After = e.load(); e.options.Load != nil {
		recorded.Load = &load
	}
	end := func(how string) {
		e.options.Progress(Step{Kind: BurstEnd, State: state, EndReason: recorded.EndReason, Message: label + ": " + how})
	}
	if recorded.Submit.IsZero() {
		end("could not be sent")
		return err
	}
	// What was measured is written before anything else can go wrong.
	if werr := e.addBurst(recorded); err != nil || werr != nil {
		end(describe(recorded))
		return errors.Join(err, werr)
	}
	end(describe(recorded) + "; cleaning up")
	cleanup := burst.CleanupOptions{Client: a.client, Watcher: a.watcher, Audit: a.audit, Effective: a.effective}
	if a.audit == nil {
		cleanup.MinQuiet = burst.Blind(a.effective, o.Pods)
	}
	err = burst.Cleanup(ctx, &recorded, cleanup)
	return errors.Join(err, e.updateBurst(recorded))
}

// Collect writes the cluster's evidence to logs/<profile> in the run's folder.
func (a *Arm) Collect(ctx context.Context) error {
	ctx, cancel := withoutCancel(ctx, 30*time.Second)
	defer cancel()
	dir := filepath.Join(a.experiment.Dir(), "logs", recording.PathName(a.profile.Metadata.Name))
	if err := a.cluster.Collect(ctx, dir); err != nil {
		return fmt.Errorf("collect evidence: %w", err)
	}
	a.experiment.progress("profile %s: evidence is in %s", a.profile.Metadata.Name, dir)
	return nil
}

// Close stops watching and removes what the arm made, also when ctx has ended: the
// cluster, or on one that outlives the run (clusters.Standing) the run's namespace.
func (a *Arm) Close(ctx context.Context) error {
	ctx, cancel := withoutCancel(ctx, closeTimeout)
	defer cancel()
	if a.watcher != nil {
		a.watcher.Stop()
	}
	start := a.experiment.options.Clock()
	what := "cluster"
	var errs []error
	if _, standing := a.cluster.(clusters.Standing); standing && a.client != nil {
		what = "namespace"
		errs = append(errs, burst.DeleteRunNamespace(ctx, a.client, a.experiment.writer.Manifest().ID))
	}
	errs = append(errs, a.cluster.Delete(ctx))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("profile %q: %w", a.profile.Metadata.Name, err)
	}
	a.experiment.progress("profile %s: %s removed in %.1f s", a.profile.Metadata.Name, what, a.experiment.options.Clock().Sub(start).Seconds())
	return nil
}
