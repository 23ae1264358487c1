package html

import (
	"fmt"
	"slices"

	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/reports"
)

// full is the document of the page: by theme over all profiles, with figures.
func full(r *reports.Report) *document.Document {
	v := newView(r)
	d := &document.Document{
		Title:    "podburst run " + r.Run.ID + on(r.Run.Provider),
		Verdict:  verdictCell(r.Verdict),
		Headline: v.headline(),
		Origin:   v.origin(),
		Footer: []string{
			"Quantiles are " + r.Run.Quantile + ": a quantile is always a duration that was measured.",
			"pod_startup is the " + r.Run.SLI + ".",
			"The numbers behind this page are in report.json; the recording beside it gives the page again.",
		},
	}
	d.Sections = []document.Section{v.summary()}
	d.Add(v.comparison(), v.stack(), v.phases(), v.pod(), v.completion(), v.order(), v.limiters(), v.truth(), v.invalid(), v.environment())
	return d
}

func on(provider string) string {
	if provider == "" {
		return ""
	}
	return " on " + provider
}

// origin are the versions, the time and the seed of the run.
func (v *view) origin() []string {
	var parts []string
	for i := range v.Profiles {
		version := "Kubernetes " + v.Profiles[i].KubernetesVersion
		if v.Profiles[i].KubernetesVersion != "" && !slices.Contains(parts, version) && len(parts) < 3 {
			parts = append(parts, version)
		}
	}
	if !v.Run.StartedAt.IsZero() {
		parts = append(parts, v.Run.StartedAt.UTC().Format("2 January 2006 15:04 UTC"))
	}
	return append(parts, fmt.Sprintf("seed %d", v.Run.Seed))
}
