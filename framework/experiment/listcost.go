package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/recording"
)

// ListCost measures what listing and watching cost on the arm's cluster, by the
// run's plan, and records it, also where it ends early. The pods that it lists are
// in the arm's namespace, before the eyes of the arm's watcher: what that one asked
// for is recorded, too.
func (a *Arm) ListCost(ctx context.Context) error {
	e := a.experiment
	if e.options.ListCost == nil {
		return errors.New("measure list costs: the run has no plan for it (Options.ListCost)")
	}
	started := e.options.Clock()
	label := "profile " + a.profile.Metadata.Name
	cost, err := listcost.Measure(ctx, listcost.Options{
		Cluster: a.Cluster, Client: a.Client, Namespace: a.Namespace, RunID: e.writer.Manifest().ID,
		Plan: *e.options.ListCost, Seed: e.options.Seed, Audit: a.Audit, AuditUnavailable: a.AuditUnavailable,
		Load: e.options.Load, Now: e.options.Clock,
		Progress: func(s string) { e.progress("%s, %s", label, s) },
	})
	if a.Watcher != nil {
		cost.Watcher, cost.WatcherSeconds = a.Watcher.Requests(), e.options.Clock().Sub(started).Seconds()
	}
	err = errors.Join(err, e.addListCost(cost))
	e.progress("%s: list costs of %d sizes recorded after %.0f s", label, len(cost.Sizes), e.options.Clock().Sub(started).Round(time.Second).Seconds())
	if err != nil {
		return fmt.Errorf("%s: %w", label, err)
	}
	return nil
}

// addListCost records a profile's; a later measurement replaces an earlier one.
func (e *Experiment) addListCost(c recording.ListCost) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.listCosts = append(slices.DeleteFunc(e.listCosts, func(known recording.ListCost) bool { return known.Profile == c.Profile }), c)
	return e.writer.WriteListCost(c)
}
