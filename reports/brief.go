package reports

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// WriteTable writes the report for a terminal: at most 100 columns, no color, and no
// control characters, whatever names contain. dir is the run's folder, whose files are
// listed at the end.
func WriteTable(out io.Writer, r Report, dir string) error {
	if err := document.Terminal(out, brief(&r)); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	files := ""
	for _, f := range []string{HTMLFile, JSONFile, JUnitFile, MarkdownFile} {
		files += "\n" + humanize.Printable(filepath.Join(dir, f))
	}
	_, err := fmt.Fprintln(out, files)
	return err
}

// WriteMarkdown writes summary.md, the same document for a pull request or a step summary.
// See document.Markdown.
func WriteMarkdown(w io.Writer, r Report) error {
	return document.Markdown(w, brief(&r), "see "+JSONFile)
}

// brief is the report in short: the reasons for the verdict, what was compared, and what
// was measured for each profile.
func brief(r *Report) *document.Document {
	d := NewDocument(r)
	d.Add(r.why(), r.invalid())
	for _, group := range Compared(r.Comparisons) {
		s := document.Section{Heading: group.Heading()}
		s.Table(ComparisonTable(group))
		s.List(group.Messages())
		d.Add(s)
	}
	if plan := r.Plan(); plan != "" {
		s := document.Section{Heading: "How it was compared"}
		s.Text("%s", plan)
		d.Add(s)
	}
	for _, name := range r.ProfileNames() {
		d.Add(r.about(name))
	}
	return d
}

// NewDocument returns what every document of the report begins and ends with.
func NewDocument(r *Report) *document.Document {
	d := &document.Document{
		Title: "podburst", Verdict: VerdictCell(r.Verdict), Headline: r.headline(), Origin: []string{"run " + r.Run.ID},
		Footer: []string{"Quantiles are " + cmp.Or(r.Run.Quantile, stats.QuantileDefinition) + ": a quantile is always a duration that was measured.", "pod_startup is the " + cmp.Or(r.Run.SLI, PodStartupDefinition) + "."},
	}
	if r.Run.Provider != "" {
		d.Origin = append(d.Origin, "provider "+r.Run.Provider)
	}
	for i := range r.Profiles {
		version := "Kubernetes " + r.Profiles[i].KubernetesVersion
		if r.Profiles[i].KubernetesVersion != "" && !slices.Contains(d.Origin, version) && len(d.Origin) < 5 {
			d.Origin = append(d.Origin, version)
		}
	}
	if !r.Run.StartedAt.IsZero() {
		d.Origin = append(d.Origin, r.Run.StartedAt.UTC().Format("2 January 2006 15:04 UTC"))
	}
	d.Origin = append(d.Origin, fmt.Sprintf("seed %d", r.Run.Seed))
	return d
}

// why lists the reasons for the verdict.
func (r *Report) why() document.Section {
	s := document.Section{Heading: "Why the verdict is " + VerdictCell(r.Verdict).Text, Conclusion: true}
	s.List(r.Why())
	return s
}

// Why gives the reasons for the verdict, in sentences.
func (r *Report) Why() []string {
	var sentences []string
	for _, reason := range r.Reasons {
		sentences = append(sentences, reason.Message)
	}
	return sentences
}

// ProfileNames returns the planned profiles, then any others that were recorded, each once.
func (r *Report) ProfileNames() []string {
	all := slices.Clone(r.Run.PlannedProfiles)
	for i := range r.Profiles {
		all = append(all, r.Profiles[i].Name)
	}
	for i := range r.Bursts {
		all = append(all, r.Bursts[i].Profile)
	}
	var names []string
	for _, name := range all {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Profile returns the profile of that name; nil if nothing was recorded for it.
func (r *Report) Profile(name string) *Profile {
	for i := range r.Profiles {
		if r.Profiles[i].Name == name {
			return &r.Profiles[i]
		}
	}
	return nil
}

// about is everything that the brief document says about a profile.
func (r *Report) about(name string) document.Section {
	s := document.Section{Heading: "Profile " + humanize.Shorten(name, 100)}
	p := r.Profile(name)
	if p == nil {
		s.Text("Nothing was recorded.")
		return s
	}
	s.Text("%d of %d recorded bursts valid, %s, Kubernetes %s on %s.", p.ValidBursts, p.RecordedBursts, humanize.Count(len(p.Nodes), "node"), humanize.OrDash(p.KubernetesVersion), humanize.OrDash(p.Provider))
	limits := strings.Join(formatEffective(p.Effective), ", ")
	if limits == "" {
		limits = "not known"
	}
	s.Text("Client limits in force, QPS/burst: %s.", limits)
	if p.EffectiveUnavailable != "" {
		s.Text("Not known: %s.", strings.TrimSuffix(p.EffectiveUnavailable, "."))
	}
	if note := r.ProfiledNote(); note != "" {
		s.Text("%s", note)
	}
	for _, line := range passiveLines(r, name) {
		s.Text("%s", line)
	}
	if p.ValidBursts > 0 {
		s.Table(PhaseTable(p))
	} else {
		s.Text("No valid burst, so there are no numbers.")
	}
	r.AddStations(&s, p)
	s.List(append(r.besides(p), r.usageLine(p.Name)...))
	var bursts []int
	for i := range r.Bursts {
		if r.Bursts[i].Profile == name {
			bursts = append(bursts, i)
		}
	}
	s.Table(BurstTable(r, bursts))
	checks := slices.DeleteFunc(slices.Clone(r.SLO), func(c slo.Result) bool { return c.Profile != name })
	s.Table(ObjectiveTable(checks))
	if calls := CallTable(checks, false); len(calls.Rows) > 0 {
		s.Table(calls)
	}
	s.List(r.LeftOutLines(name))
	return s
}

// besides is what changed compared with the run's first profile, and how far the numbers
// can be trusted.
func (r *Report) besides(p *Profile) []string {
	var lines []string
	for _, m := range r.Moves {
		if m.Head == p.Name {
			lines = append(lines, m.Sentence)
		}
	}
	if s := truthLine(r, p.Name); s != "" {
		lines = append(lines, s)
	}
	return lines
}
