package html

import "github.com/podburst/podburst/reports"

// document is the whole page.
type document struct {
	// Title is the browser's, Origin the line above the heading.
	Title  string
	Origin []string
	// Verdict is the verdict's word with its class, Headline what it means here.
	Verdict  cell
	Headline string
	Sections []section
	Footer   []string
}

func newDocument(r *reports.Report) document {
	v := newView(r)
	d := document{
		Title:    "podburst " + verdictCell(r.Verdict).Text + ": run " + clean(r.Run.ID),
		Origin:   v.origin(),
		Verdict:  verdictCell(r.Verdict),
		Headline: v.headline(),
		Sections: []section{v.summary()},
		Footer: []string{
			"Quantiles are " + clean(r.Run.Quantile) + ": a quantile is always a duration that was measured.",
			"pod_startup is the " + clean(r.Run.SLI) + ".",
			"The numbers behind this page are in report.json; the recording beside it gives the page again.",
		},
	}
	for _, s := range []section{
		v.comparison(), v.stack(), v.phases(), v.pod(), v.completion(), v.order(), v.limiters(), v.lists(), v.truth(), v.invalid(), v.environment(),
	} {
		if len(s.Blocks) > 0 {
			d.Sections = append(d.Sections, s)
		}
	}
	number := 0
	for i := range d.Sections {
		for _, b := range d.Sections[i].Blocks {
			if b.Figure != nil {
				number++
				b.Figure.Number = number
			}
		}
	}
	return d
}

// origin says which run this is.
func (v *view) origin() []string {
	parts := []string{"run " + clean(v.Run.ID)}
	if v.Run.Provider != "" {
		parts = append(parts, "provider "+clean(v.Run.Provider))
	}
	versions := map[string]bool{}
	for i := range v.Profiles {
		if version := v.Profiles[i].KubernetesVersion; version != "" && !versions[version] && len(versions) < 3 {
			versions[version] = true
			parts = append(parts, "Kubernetes "+clean(version))
		}
	}
	if !v.Run.StartedAt.IsZero() {
		parts = append(parts, v.Run.StartedAt.UTC().Format("2 January 2006 15:04 UTC"))
	}
	return parts
}
