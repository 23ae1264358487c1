package reports

import (
	"fmt"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/podburst/podburst/framework/listcost"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/junit"
)

// grid is a table for people, in whatever format. The first left columns are
// words, the others numbers.
type grid struct {
	title  string
	left   int
	header []string
	rows   [][]string
}

// measuredBursts says how many bursts of a profile count.
func measuredBursts(r *Report, p *Profile) string {
	if r.ListCost != nil && p.RecordedBursts == 0 {
		return "what lists and watches cost; no burst was planned"
	}
	return fmt.Sprintf("%d of %d recorded bursts valid", p.ValidBursts, p.RecordedBursts)
}

// listGrids are a profile's list costs: a table for each number of pods, how they
// grow, and the informers.
func listGrids(r *listcost.Result) []grid {
	var grids []grid
	for _, pods := range sizesOf(r) {
		g := grid{left: 1, header: []string{"list", "answers", "decoded", "on the wire", "first byte", "p50", "p99", "server p50", "n"}}
		for i := range r.Strategies {
			s := &r.Strategies[i]
			for j := range s.Points {
				p := &s.Points[j]
				if p.Pods != pods {
					continue
				}
				g.rows = append(g.rows, []string{s.Name, fmt.Sprint(p.Pages), formatBytes(p.Bytes), formatBytes(p.WireBytes),
					median(p.FirstByteSeconds), median(p.Seconds), tail(p.Seconds), median(p.ServerSeconds), fmt.Sprint(p.Tries - p.Failed)})
			}
		}
		g.title = fmt.Sprintf("Lists of %d pods (limit %d), from sending to the last pod decoded:", pods, r.Limit)
		grids = append(grids, g)
	}
	growth := grid{title: "Growth with the number of pods, as exponent ± standard error (1: linear):", left: 1,
		header: []string{"list", "bytes", "client", "server"}}
	for i := range r.Strategies {
		s := &r.Strategies[i]
		row := []string{s.Name, "-", "-", "-"}
		for _, g := range s.Growth {
			for column, quantity := range []string{"bytes", "seconds", "serverSeconds"} {
				if g.Quantity == quantity {
					row[column+1] = exponent(g)
				}
			}
		}
		growth.rows = append(growth.rows, row)
	}
	informers := grid{title: "Informers (medians): private, one for each consumer; shared, one for all:", left: 1,
		header: []string{"style", "consumers", "pods", "reads", "watches", "synced", "decoded", "server", "client CPU", "live heap"}}
	for i := range r.Informers {
		x := &r.Informers[i]
		informers.rows = append(informers.rows, []string{x.Style, fmt.Sprint(x.Consumers), fmt.Sprint(x.Pods), fmt.Sprint(x.FullReads), fmt.Sprint(x.Watches),
			median(x.SyncedSeconds), formatBytes(x.SyncBytes), median(x.ServerSeconds), median(x.CPUSeconds), formatBytes(x.LiveBytes)})
	}
	for _, g := range []grid{growth, informers} {
		if len(g.rows) > 0 {
			grids = append(grids, g)
		}
	}
	return grids
}

// sizesOf are the numbers of pods that were listed.
func sizesOf(r *listcost.Result) (sizes []int) {
	seen := map[int]bool{}
	for i := range r.Strategies {
		for _, p := range r.Strategies[i].Points {
			if !seen[p.Pods] {
				seen[p.Pods] = true
				sizes = append(sizes, p.Pods)
			}
		}
	}
	return sizes
}

func median(s *stats.Summary) string {
	if s == nil {
		return "-"
	}
	return FormatSeconds(s.P50)
}

func tail(s *stats.Summary) string {
	if s == nil {
		return "-"
	}
	return FormatSeconds(s.P99)
}

// exponent stands out where it failed; "?" marks one that the noise leaves open.
func exponent(g listcost.Growth) string {
	if g.Exponent == nil || g.StandardError == nil {
		return "-"
	}
	text := fmt.Sprintf("%.2f ± %.2f", *g.Exponent, *g.StandardError)
	switch g.Verdict {
	case listcost.Fail:
		text += " FAIL"
	case listcost.Inconclusive:
		text += " ?"
	}
	return text
}

// formatBytes is a number of bytes for people: "800 B", "71.4 KiB", "7.0 MiB".
func formatBytes(n int64) string {
	const kib, mib = 1 << 10, 1 << 20
	switch abs := math.Abs(float64(n)); {
	case abs < kib:
		return fmt.Sprintf("%d B", n)
	case abs < mib:
		return fmt.Sprintf("%.1f KiB", float64(n)/kib)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/mib)
}

// listNotes say what is not there, and what the numbers include.
func listNotes(r *listcost.Result) []string {
	notes := []string{"Decoded and on the wire are bytes of bodies after and before decompression. Client CPU and live heap are those of the whole test process. p99 of fewer than 100 tries is the largest."}
	if r.AuditUnavailable != "" {
		notes = append(notes, "No server time of lists: "+shorten(r.AuditUnavailable, 300))
	}
	if r.MetricsUnavailable != "" {
		notes = append(notes, "No counters of the API server: "+shorten(r.MetricsUnavailable, 300))
	}
	return notes
}

// maxOpenChecks bounds how many the table lists: with fewer than 3 sizes all of
// growth are open, for the same reason.
const maxOpenChecks = 8

// openChecks are those that did not pass, and how many did.
func openChecks(r *listcost.Result) (open []listcost.Check, passed int) {
	for _, c := range r.Checks {
		if c.Verdict == listcost.Pass {
			passed++
			continue
		}
		open = append(open, c)
	}
	return open, passed
}

// listCost writes a profile's list costs for a terminal.
func (w *tableWriter) listCost(r *Report, profile string) {
	result := r.ListCost.of(profile)
	if result == nil {
		return
	}
	for _, g := range listGrids(result) {
		w.line("")
		w.wrapped(g.title)
		header := make(table.Row, 0, len(g.header))
		var right []int
		for i, name := range g.header {
			header = append(header, name)
			if i >= g.left {
				right = append(right, i+1)
			}
		}
		t := newTable(header, right...)
		for _, cells := range g.rows {
			row := make(table.Row, 0, len(cells))
			for _, cell := range cells {
				row = append(row, Printable(shorten(cell, 40)))
			}
			t.AppendRow(row)
		}
		w.table(t)
	}
	for _, note := range listNotes(result) {
		w.wrapped(note)
	}
	w.line("")
	for _, f := range result.Findings {
		w.wrapped("- " + shorten(f, 1000))
	}
	open, passed := openChecks(result)
	w.line("")
	w.line("%d of %d checks passed.", passed, passed+len(open))
	for i, c := range open {
		if i == maxOpenChecks {
			w.line("- and %d more: see %s.", len(open)-i, JSONFile)
			break
		}
		w.wrapped(fmt.Sprintf("- %s: %s: %s", verdictWord(verdict.Verdict(c.Verdict)), c.Name, shorten(c.Message, 1000)))
	}
}

// listCost writes a profile's list costs as Markdown.
func (m *markdown) listCost(r *Report, profile string) {
	result := r.ListCost.of(profile)
	if result == nil {
		return
	}
	for _, g := range listGrids(result) {
		m.line("")
		m.line("%s", escape(g.title))
		m.header(strings.Repeat("l", g.left)+strings.Repeat("r", len(g.header)-g.left), g.header...)
		for _, cells := range g.rows {
			row := make([]string, 0, len(cells))
			for _, cell := range cells {
				row = append(row, escape(shorten(cell, 100)))
			}
			m.row(row...)
		}
	}
	for _, note := range listNotes(result) {
		m.line("")
		m.line("%s", escape(note))
	}
	m.line("")
	for _, f := range result.Findings {
		m.line("- %s", escape(shorten(f, 1000)))
	}
	m.header("lll", "check", "verdict", "what was found")
	for _, c := range result.Checks {
		word := verdictWord(verdict.Verdict(c.Verdict))
		if c.Verdict != listcost.Pass {
			word = "**" + word + "**"
		}
		m.row(escape(shorten(c.Name, 100)), word, escape(shorten(c.Message, 300)))
	}
}

// junitListCost is a case for each check. What the noise leaves open is no failure.
func junitListCost(r *Report, classname, profile string) (cases []junit.Case) {
	result := r.ListCost.of(profile)
	if result == nil {
		return nil
	}
	for _, check := range result.Checks {
		c := junit.Case{Classname: classname, Name: check.Name, Properties: []junit.Property{
			{Name: "verdict", Value: string(check.Verdict)}, {Name: "message", Value: check.Message},
		}}
		switch check.Verdict {
		case listcost.Fail:
			c.Outcome = &junit.Outcome{Kind: junit.Failure, Type: "listcost", Message: check.Message}
		case listcost.Invalid:
			c.Outcome = invalidOutcome("INVALID: "+check.Message, nil)
		}
		cases = append(cases, c)
	}
	return cases
}
