package listcost

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// WriteTable writes the report for a terminal.
func (r Report) WriteTable(w io.Writer) error { return document.Terminal(w, r.document()) }

// WriteMarkdown writes summary.md, which includes all checks.
func (r Report) WriteMarkdown(w io.Writer) error {
	return document.Markdown(w, r.document(checks), "see listcost.json")
}

// WritePage writes report.html, which includes all checks and all ratios.
func (r Report) WritePage(w io.Writer) error { return document.Page(w, r.document(checks, ratios)) }

// document describes the report, with additional sections for each profile.
func (r *Report) document(more ...func(*Result) document.Section) *document.Document {
	d := &document.Document{
		Title: fmt.Sprintf("podburst list-cost %s on %s", r.Run.ID, r.Run.Provider), Verdict: word(r.Verdict),
		Origin: []string{"started " + r.Run.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC"), fmt.Sprintf("seed %d", r.Run.Seed), "provider " + r.Run.Provider},
		Footer: []string{
			"Decoded and on the wire are bytes of bodies after and before decompression. Client CPU and live heap are those of the whole process. Server is the audit log's time of a list, and the API server's own histograms of informers.",
			"Quantiles are " + stats.QuantileDefinition + "; p99 of fewer than 100 tries is the largest.",
		},
	}
	d.Add(r.conclusion())
	for i := range r.Profiles {
		p := &r.Profiles[i]
		sections := []document.Section{p.section()}
		for _, section := range more {
			sections = append(sections, section(p))
		}
		for j := range sections {
			sections[j].ID = fmt.Sprintf("%s-%d", sections[j].ID, i+1)
		}
		d.Add(sections...)
	}
	return d
}

// maxOpen bounds how many open checks are listed: with fewer than three sizes, all
// checks of growth are open for the same reason.
const maxOpen = 8

// conclusion gives the reasons for the verdict, and what the noise leaves open.
func (r *Report) conclusion() document.Section {
	s := document.Section{ID: "verdict", Heading: "Verdict: " + word(r.Verdict).Text, Conclusion: true}
	passed, all := 0, 0
	var open []string
	for i := range r.Profiles {
		for _, c := range r.Profiles[i].Checks {
			switch all++; c.Verdict {
			case verdict.Pass:
				passed++
			case verdict.Inconclusive:
				open = append(open, fmt.Sprintf("%s, %s, open: %s", r.Profiles[i].Profile, c.Name, c.Message))
			}
		}
	}
	s.Text("%d of %d checks passed.", passed, all)
	if more := len(open) - maxOpen; more > 0 {
		open = append(open[:maxOpen], fmt.Sprintf("and %d more open checks, see listcost.json", more))
	}
	s.List(slices.Concat(r.Reasons, open))
	return s
}

// section is what is known about a profile.
func (r *Result) section() document.Section {
	of := []string{humanize.Count(len(r.Nodes), "node")}
	if r.KubernetesVersion != "" {
		of = append(of, "Kubernetes "+r.KubernetesVersion)
	}
	s := document.Section{ID: "lists", Heading: fmt.Sprintf("What lists and watches cost in profile %s (%s)", r.Profile, strings.Join(of, ", "))}
	if f := r.figure(); len(f.Panels) > 0 {
		s.Figure(f)
	} else {
		for _, t := range f.Data {
			s.Table(t)
		}
	}
	s.Table(r.growthTable())
	s.Table(r.informerTable())
	if r.AuditUnavailable != "" {
		s.Text("There is no server time of lists: %s.", r.AuditUnavailable)
	}
	if r.MetricsUnavailable != "" {
		s.Text("There are no counters of the API server: %s.", r.MetricsUnavailable)
	}
	s.List(r.Findings)
	return s
}

// checks is a section with all checks.
func checks(r *Result) document.Section {
	s := document.Section{ID: "checks", Heading: "Checks of profile " + r.Profile}
	t := document.NewTable("All checks", "check", " verdict", " what was found")
	for _, c := range r.Checks {
		t.Row(c.Name, word(c.Verdict), c.Message)
	}
	s.Table(t)
	return s
}

// ratios is a section with the differences and their intervals.
func ratios(r *Result) document.Section {
	s := document.Section{ID: "ratios", Heading: "How many times as much in profile " + r.Profile}
	t := document.NewTable("Medians of rounds with 99 % intervals: each list against the list "+reference+", private informers against a shared one",
		"what", "pods", " of", "ratio", " beyond noise")
	row := func(what string, pods int, quantity string, ratio Ratio) {
		beyond := "no"
		if ratio.Beyond {
			beyond = "yes"
		}
		t.Row(what, pods, quantity, ratio.String(), beyond)
	}
	for _, d := range r.ListDifferences {
		row(d.List, d.Pods, d.Quantity, d.Ratio)
	}
	for _, d := range r.Differences {
		row("private informers, "+humanize.Count(d.Consumers, "consumer"), d.Pods, d.Quantity, d.Ratio)
	}
	s.Table(t)
	return s
}

// listTables are the lists, one table for each number of pods.
func (r *Result) listTables() (tables []*document.Table) {
	by := map[int]*document.Table{}
	for i := range r.Strategies {
		for _, p := range r.Strategies[i].Points {
			t := by[p.Pods]
			if t == nil {
				t = document.NewTable(fmt.Sprintf("Lists of %d pods (limit %d), from sending to the last pod decoded", p.Pods, r.Limit),
					"list", "answers", "decoded", "on the wire", "first byte", "p50", "p99", "server p50", "n", "+failed")
				by[p.Pods], tables = t, append(tables, t)
			}
			t.Row(r.Strategies[i].Name, p.Pages, humanize.Bytes(p.Bytes), humanize.Bytes(p.WireBytes),
				p50(p.FirstByteSeconds), p50(p.Seconds), p99(p.Seconds), p50(p.ServerSeconds), p.Tries-p.Failed, p.Failed)
		}
	}
	return tables
}

func (r *Result) growthTable() *document.Table {
	t := document.NewTable("Growth with the number of pods, as exponent ± standard error (1: linear)", "list", "bytes", "client", "server")
	for i := range r.Strategies {
		s := &r.Strategies[i]
		cells, fitted := map[string]document.Cell{"bytes": {Text: "-"}, "seconds": {Text: "-"}, "serverSeconds": {Text: "-"}}, false
		for _, g := range s.Growth {
			if g.Exponent != nil && g.StandardError != nil {
				cells[g.Quantity], fitted = g.cell(), true
			}
		}
		if fitted {
			t.Row(s.Name, cells["bytes"], cells["seconds"], cells["serverSeconds"])
		}
	}
	return t
}

// cell stands out if the growth check failed; "?" marks what the noise leaves open.
func (g Growth) cell() document.Cell {
	c := document.Cell{Text: fmt.Sprintf("%.2f ± %.2f", *g.Exponent, *g.StandardError)}
	switch g.Verdict {
	case verdict.Fail:
		c.Text, c.Verdict = c.Text+" FAIL", document.Bad
	case verdict.Inconclusive:
		c.Text += " ?"
	}
	return c
}

func (r *Result) informerTable() *document.Table {
	t := document.NewTable("Informers (medians): private, one for each consumer; shared, one for all",
		"style", "consumers", "pods", "reads", "watches", "synced", "decoded", "server", "client CPU", "live heap")
	for i := range r.Informers {
		x := &r.Informers[i]
		t.Row(x.Style, x.Consumers, x.Pods, x.FullReads, x.Watches, p50(x.SyncedSeconds), humanize.Bytes(x.SyncBytes),
			p50(x.ServerSeconds), p50(x.CPUSeconds), humanize.Bytes(x.LiveBytes))
	}
	return t
}

// word is a verdict as people read it: anything but a pass stands out.
func word(v verdict.Verdict) document.Cell {
	switch v {
	case verdict.Pass:
		return document.Cell{Text: string(v), Verdict: document.Good}
	case verdict.Inconclusive:
		return document.Cell{Text: strings.ToUpper(string(v)), Verdict: document.Open}
	}
	return document.Cell{Text: strings.ToUpper(string(v)), Verdict: document.Bad}
}

// p50 and p99 are nil if nothing was measured.
func p50(s *stats.Summary) *float64 {
	if s == nil {
		return nil
	}
	return &s.P50
}

func p99(s *stats.Summary) *float64 {
	if s == nil {
		return nil
	}
	return &s.P99
}
