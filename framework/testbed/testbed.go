// Package testbed opens a cluster for a measurement: it starts the cluster, reads
// back the settings in force, creates the run's namespace, and starts the watcher and
// the audit cursor. Close removes all of it. What to measure is up to the caller.
package testbed

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

// Options of a testbed. Provider, Profile, RunID and Dir are required.
type Options struct {
	Provider clusters.Provider
	Profile  clusters.Profile
	// RunID names the namespace. Dir is the run's folder, for evidence of a failure.
	RunID, Dir string
	// Watch is what to watch. Default: all pods of the run's own namespace, which is
	// created and removed. If Namespace is set, that namespace is watched and left as
	// it is.
	Watch watch.Options
	// Described is called when the cluster is up and Record is filled in, before
	// anything is created in the cluster. Its error ends Open. Default: none.
	Described func(context.Context, *Testbed) error
	// Progress receives one sentence per step. Default: none.
	Progress func(string)
	// Clock defaults to time.Now.
	Clock func() time.Time
}

// Testbed is a live cluster, ready for a measurement.
type Testbed struct {
	Cluster clusters.Cluster
	// Client has no limiter.
	Client kubernetes.Interface
	// Record describes the cluster as it was when it was opened.
	Record recording.Profile
	// Namespace is the run's own, or Options.Watch's, and Watcher watches it.
	Namespace string
	Watcher   *watch.Watcher
	// Audit is nil if the provider has no audit log; AuditUnavailable says why.
	Audit            *audit.Cursor
	AuditUnavailable string

	options Options
}

// Open starts a cluster for the profile. If it fails, it has written the evidence and
// removed what it created.
func Open(ctx context.Context, o Options) (t *Testbed, err error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	name := o.Profile.Metadata.Name
	defer func() {
		if err != nil {
			err = fmt.Errorf("profile %q: %w", name, err)
		}
	}()
	start := o.Clock()
	doing := "starting a cluster"
	if _, adopts := o.Provider.(clusters.Adopter); adopts {
		doing = "looking at the cluster"
	}
	o.Progress(fmt.Sprintf("profile %s: %s", name, doing))
	cluster, err := o.Provider.Create(ctx, o.Profile)
	if err != nil {
		return nil, err
	}
	created := o.Clock().Sub(start)
	t = &Testbed{Cluster: cluster, options: o}
	if err := t.prepare(ctx, created); err != nil {
		return nil, errors.Join(err, t.Collect(ctx), t.Close(ctx))
	}
	return t, nil
}

func (t *Testbed) prepare(ctx context.Context, created time.Duration) (err error) {
	if t.Client, err = burst.NewClient(t.Cluster.RESTConfig()); err != nil {
		return err
	}
	if t.Record, err = Describe(ctx, t.options.Provider.Name(), t.Cluster, t.Client); err != nil {
		return err
	}
	t.Record.CreateSeconds = created.Seconds()
	if t.options.Described != nil {
		if err := t.options.Described(ctx, t); err != nil {
			return err
		}
	}
	watched := t.options.Watch
	if watched.Namespace == "" {
		if watched.Namespace, err = burst.EnsureNamespace(ctx, t.Client, t.options.RunID); err != nil {
			return err
		}
	}
	t.Namespace = watched.Namespace
	if t.Watcher, err = watch.New(t.Cluster.RESTConfig(), watched); err != nil {
		return err
	}
	if err := t.Watcher.Start(ctx); err != nil {
		return err
	}
	t.Audit, t.AuditUnavailable, err = OpenAudit(ctx, t.Cluster)
	return err
}

// OpenAudit checks once whether the cluster has an audit log, so that a provider
// without one can be told from a log that is lost later. If there is none, the cursor
// is nil and unavailable says why.
func OpenAudit(ctx context.Context, cluster clusters.Cluster) (cursor *audit.Cursor, unavailable string, err error) {
	log, err := cluster.AuditLog(ctx)
	switch {
	case errors.Is(err, clusters.ErrUnsupported):
		return nil, err.Error(), nil
	case err != nil:
		return nil, "", err
	}
	return audit.NewCursor(cluster.AuditLog), "", log.Close()
}

// RunID is the run that the testbed was opened for.
func (t *Testbed) RunID() string { return t.options.RunID }

// Collect writes the cluster's evidence to logs/<profile> in the run's folder.
func (t *Testbed) Collect(ctx context.Context) error {
	ctx, cancel := withoutCancel(ctx, 30*time.Second)
	defer cancel()
	name := t.options.Profile.Metadata.Name
	dir := filepath.Join(t.options.Dir, "logs", recording.PathName(name))
	if err := t.Cluster.Collect(ctx, dir); err != nil {
		return fmt.Errorf("collect evidence: %w", err)
	}
	t.options.Progress(fmt.Sprintf("profile %s: evidence is in %s", name, dir))
	return nil
}

// closeTimeout bounds Close. The slowest case is the namespace of a burst that was
// cut off: its pods leave at the Job controller's 20 a second if the observer may not
// remove their finalizers.
const closeTimeout = 2 * time.Minute

// Close stops watching and removes what Open created, even if ctx has ended: the
// cluster, or, for a cluster that outlives the run (clusters.Standing), the run's
// namespace.
func (t *Testbed) Close(ctx context.Context) error {
	ctx, cancel := withoutCancel(ctx, closeTimeout)
	defer cancel()
	if t.Watcher != nil {
		t.Watcher.Stop()
	}
	name, start := t.options.Profile.Metadata.Name, t.options.Clock()
	what := "cluster"
	var errs []error
	_, standing := t.Cluster.(clusters.Standing)
	switch {
	case standing && t.options.Watch.Namespace != "":
		what = "nothing" // everything belongs to others
	case standing && t.Client != nil:
		what = "namespace"
		errs = append(errs, burst.DeleteRunNamespace(ctx, t.Client, t.options.RunID))
	}
	errs = append(errs, t.Cluster.Delete(ctx))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("profile %q: %w", name, err)
	}
	t.options.Progress(fmt.Sprintf("profile %s: %s removed in %.1f s", name, what, t.options.Clock().Sub(start).Seconds()))
	return nil
}

// withoutCancel is for cleaning up, which must happen even when ctx has ended.
func withoutCancel(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}
