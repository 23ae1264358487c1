package reports

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
)

// ListCost is what listing and watching pods cost, of a run that measured it
// (framework/listcost) and sent no burst.
type ListCost struct {
	Plan recording.ListCostPlan `json:"plan"`
	// Profiles are those that were measured.
	Profiles []listcost.Result `json:"profiles"`
}

// listCost judges what was recorded; nil for a run that planned none.
func listCost(run recording.Run) (*ListCost, error) {
	if run.Manifest.ListCost == nil {
		return nil, nil // absent, as in report.json
	}
	plan := *run.Manifest.ListCost
	plan.Sizes, plan.Consumers = notNil(plan.Sizes), notNil(plan.Consumers)
	out := &ListCost{Plan: plan, Profiles: []listcost.Result{}}
	for _, cost := range run.ListCosts {
		profile, _ := run.Profile(cost.Profile)
		result, err := listcost.Judge(cost, profile.KubernetesVersion)
		if err != nil {
			return nil, err
		}
		out.Profiles = append(out.Profiles, result)
	}
	return out, nil
}

// of is a profile's result; nil where it has none.
func (l *ListCost) of(profile string) *listcost.Result {
	if l == nil {
		return nil
	}
	i := slices.IndexFunc(l.Profiles, func(r listcost.Result) bool { return r.Profile == profile })
	if i < 0 {
		return nil
	}
	return &l.Profiles[i]
}

// missing says what of the planned profiles was not measured to the end.
func (l *ListCost) missing(planned []string) (why []string) {
	for _, name := range planned {
		switch r := l.of(name); {
		case r == nil:
			why = append(why, fmt.Sprintf("the list costs of profile %s were not measured", name))
		case !r.Complete:
			why = append(why, fmt.Sprintf("the list costs of profile %s were not measured at every size", name))
		}
	}
	return why
}

// concludeListCost adds why list costs are no pass. What the noise leaves open is a
// finding, and no reason.
func (r *Report) concludeListCost(add func(v verdict.Verdict, format string, args ...any)) {
	if r.ListCost == nil {
		return
	}
	for _, why := range r.ListCost.missing(r.Run.PlannedProfiles) {
		add(verdict.Invalid, "%s", why)
	}
	for i := range r.ListCost.Profiles {
		p := &r.ListCost.Profiles[i]
		for _, c := range p.Checks {
			if v := verdict.Verdict(c.Verdict); v == verdict.Fail || v == verdict.Invalid {
				add(v, "%s, %s: %s", p.Profile, c.Name, c.Message)
			}
		}
	}
}
