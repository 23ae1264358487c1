package listcost

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/preflight"
	"github.com/podburst/podburst/framework/testbed"
	"github.com/podburst/podburst/framework/verdict"
)

// Run is a run in progress.
type Run struct {
	options Options
	record  *recorder
}

// Start checks the plan and makes the run's folder. No cluster is started yet.
func Start(o Options) (*Run, error) {
	o.setDefaults()
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	// The pods run nowhere: assume the smallest burst.
	if err := clusters.CheckPlan(o.Provider, o.Profiles, 1); err != nil {
		return nil, err
	}
	record, err := newRecorder(o)
	if err != nil {
		return nil, err
	}
	return &Run{options: o, record: record}, nil
}

// ID names the run; Dir is its folder.
func (r *Run) ID() string { return r.record.Manifest.ID }

// Dir is the run's folder.
func (r *Run) Dir() string { return r.record.dir }

// Measure measures all profiles, one after the other, each on a cluster that is
// removed afterward. A profile that fails does not stop the next one. The run ends
// when ctx does.
func (r *Run) Measure(ctx context.Context) error {
	var errs []error
	for _, profile := range r.options.Profiles {
		if ctx.Err() != nil {
			break
		}
		errs = append(errs, r.profile(ctx, profile))
	}
	return errors.Join(errs...)
}

func (r *Run) profile(ctx context.Context, profile clusters.Profile) (err error) {
	name := profile.Metadata.Name
	bed, err := testbed.Open(ctx, testbed.Options{
		Provider: r.options.Provider, Profile: profile, RunID: r.ID(), Dir: r.Dir(), Progress: r.options.Progress, Clock: r.options.Clock,
		Described: func(ctx context.Context, bed *testbed.Testbed) error {
			r.options.Progress(fmt.Sprintf("profile %s: all nodes Ready after %.1f s", name, bed.Record.CreateSeconds))
			return mayMeasure(ctx, bed, burst.NamespaceOf(r.ID()))
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.Close(ctx)) }()
	o := r.options
	o.keep = r.record.keep
	began := o.Clock()
	cost, err := Measure(ctx, bed, o)
	if err != nil {
		err = fmt.Errorf("profile %q: %w", name, err)
	}
	err = errors.Join(err, r.record.keep(cost))
	o.Progress(fmt.Sprintf("profile %s: list costs of %d sizes recorded after %.0f s", name, len(cost.Sizes), o.Clock().Sub(began).Round(time.Second).Seconds()))
	if judged, judging := Build(Recording{Observations: []Observation{cost}}); err != nil || judging != nil || judged.Verdict != verdict.Pass {
		err = errors.Join(err, bed.Collect(ctx))
	}
	return err
}

// RightsError says that this user may not measure on a cluster that others run.
type RightsError struct{ missing []string }

func (e RightsError) Error() string {
	return fmt.Sprintf("this user may not %s in the namespaces podburst-*, and the manifest of podburst rbac does not grant it, for bursts need less; "+
		"let an administrator add it: kubectl create clusterrole podburst-list-cost --verb=create,deletecollection --resource=pods, "+
		"and kubectl create clusterrolebinding podburst-list-cost --clusterrole=podburst-list-cost --serviceaccount=podburst:podburst", strings.Join(e.missing, ", "))
}

// mayMeasure asks a cluster that others run about the rights on pods, before anything
// is created there.
func mayMeasure(ctx context.Context, bed *testbed.Testbed, namespace string) error {
	if _, standing := bed.Cluster.(clusters.Standing); !standing {
		return nil
	}
	var missing []string
	for _, verb := range []string{"create", "deletecollection", "list", "patch", "watch"} {
		right := preflight.Permission{Verb: verb, Resource: "pods", Namespaced: true}
		allowed, _, err := preflight.Allowed(ctx, bed.Client, right, namespace)
		if err != nil {
			return err
		}
		if !allowed {
			missing = append(missing, verb+" pods")
		}
	}
	if len(missing) > 0 {
		return RightsError{missing}
	}
	return nil
}

// Finish records how the run ended and writes its reports. interrupted says why it
// ended early; empty if it was completed.
func (r *Run) Finish(interrupted string) (Report, error) {
	ending := r.record.end(interrupted, r.options.Clock())
	report, err := Build(r.record.Recording)
	if err != nil {
		return report, errors.Join(ending, err)
	}
	return report, errors.Join(ending, report.WriteFiles(r.options.Files, r.Dir()))
}
