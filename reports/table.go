package reports

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
)

// tableWidth is what a terminal and a CI log show without wrapping.
const tableWidth = 100

// shownPhases are the rows of a phase table: the chain from submission to the
// watcher, then what spans it, last the three-stage view.
func shownPhases() []string {
	var names []string
	for _, ph := range timeline.Chain() {
		names = append(names, ph.Name)
	}
	return append(names, "pod_startup", "submit_to_ready", "scheduling", "creation", "startup")
}

// WriteTable writes the report for a terminal: at most 100 columns, no color,
// no control characters whatever names hold. dir is the run's folder, whose
// files are listed at the end.
func WriteTable(out io.Writer, r Report, dir string) error {
	w := &tableWriter{Writer: bufio.NewWriter(out)}
	w.wrapped(fmt.Sprintf("podburst run %s on %s: %s", shorten(r.Run.ID, 60), shorten(r.Run.Provider, 20), verdictWord(r.Verdict)))
	w.comparisons(&r)
	for _, name := range profileNames(&r) {
		w.line("")
		w.profile(&r, name)
	}
	w.reasons(&r)
	w.line("")
	for _, f := range []string{HTMLFile, JSONFile, JUnitFile, MarkdownFile} {
		w.line("%s", Printable(filepath.Join(dir, f)))
	}
	return w.Flush()
}

// profileNames are the profiles planned, then any others that were recorded,
// each once.
func profileNames(r *Report) []string {
	all := slices.Clone(r.Run.PlannedProfiles)
	for i := range r.Profiles {
		all = append(all, r.Profiles[i].Name)
	}
	var names []string
	for _, name := range all {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func findProfile(r *Report, name string) *Profile {
	for i := range r.Profiles {
		if r.Profiles[i].Name == name {
			return &r.Profiles[i]
		}
	}
	return nil
}

// tableWriter writes lines; bufio keeps the first error for Flush.
type tableWriter struct{ *bufio.Writer }

func (w *tableWriter) line(format string, args ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", args...)
}

// wrapped writes a paragraph within the table's width, further lines indented.
func (w *tableWriter) wrapped(paragraph string) {
	const indent = "    "
	lines := strings.Split(text.WrapSoft(Printable(paragraph), tableWidth-len(indent)), "\n")
	for i, line := range lines {
		if i > 0 {
			line = indent + line
		}
		w.line("%s", strings.TrimRight(line, " "))
	}
}

func (w *tableWriter) profile(r *Report, name string) {
	p := findProfile(r, name)
	if p == nil {
		w.wrapped(fmt.Sprintf("Profile %s: nothing was recorded.", shorten(name, 60)))
		return
	}
	version := ""
	if p.KubernetesVersion != "" {
		version = ", Kubernetes " + p.KubernetesVersion
	}
	w.wrapped(fmt.Sprintf("Profile %s (%s, %d nodes%s): %d of %d recorded bursts valid",
		shorten(p.Name, 60), shorten(p.Provider, 20), len(p.Nodes), version, p.ValidBursts, p.RecordedBursts))
	if limits := formatEffective(p.Effective); len(limits) > 0 {
		w.wrapped("Client limits in force, QPS/burst: " + strings.Join(limits, ", "))
	} else {
		w.line("Client limits in force: not known")
	}
	if p.EffectiveUnavailable != "" {
		w.wrapped("Not known: " + shorten(p.EffectiveUnavailable, 1000))
	}
	for _, s := range passiveLines(r, name) {
		w.wrapped(s)
	}
	w.phases(p)
	w.attribution(r, p)
	w.bursts(r, name)
	w.checks(r, name)
}

func (w *tableWriter) phases(p *Profile) {
	if p.ValidBursts == 0 {
		w.line("No valid burst, so there are no numbers.")
		return
	}
	w.line("")
	t := newTable(table.Row{"phase", "p50", "p90", "p99", "max", "n", "missing", "source"}, 2, 3, 4, 5, 6, 7)
	for _, name := range shownPhases() {
		ph := p.Phases[name]
		switch {
		case ph == nil:
			t.AppendRow(table.Row{name, "-", "-", "-", "-", "-", "-", "not available"})
		case ph.Count == 0:
			t.AppendRow(table.Row{name, "-", "-", "-", "-", 0, ph.Missing, "-"})
		default:
			t.AppendRow(table.Row{name, FormatSeconds(ph.P50), FormatSeconds(ph.P90), FormatSeconds(ph.P99), FormatSeconds(ph.Max), ph.Count, ph.Missing, ph.Source})
		}
	}
	w.table(t)
	w.line("Pods of all valid bursts together; quantiles are %s.", stats.QuantileDefinition)
}

func (w *tableWriter) attribution(r *Report, p *Profile) {
	lines := attributionLines(r, p)
	if len(lines) > 0 {
		w.line("")
	}
	for _, s := range lines {
		w.wrapped("- " + shorten(s, 1000))
	}
}

func (w *tableWriter) bursts(r *Report, profile string) {
	var t table.Writer
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Profile != profile {
			continue
		}
		state := "valid"
		if !b.Valid {
			state = "INVALID"
		}
		header, row := table.Row{"burst", "pods ready"}, table.Row{burstName(b), fmt.Sprintf("%d/%d", b.Accounting.Ready, b.Accounting.Expected)}
		for _, n := range burstNumbers(b) {
			header, row = append(header, n.name), append(row, formatOptional(n.seconds))
		}
		if t == nil {
			t = newTable(append(header, "measurement"), 2, 3, 4, 5)
		}
		t.AppendRow(append(row, state))
	}
	if t == nil {
		return
	}
	w.line("")
	w.table(t)
}

func burstName(b *Burst) string {
	if b.Warmup {
		return "warm-up"
	}
	return fmt.Sprint(b.Index)
}

func (w *tableWriter) checks(r *Report, profile string) {
	t := newTable(table.Row{"objective", "burst", "observed", "limit", "n", "verdict"}, 3, 4, 5)
	for _, c := range r.SLO {
		if c.Profile == profile {
			t.AppendRow(table.Row{Printable(shorten(c.Name, 40)), checkScope(c), formatOptional(c.ObservedSeconds), FormatSeconds(c.LimitSeconds), c.Samples, verdictWord(c.Verdict)})
		}
	}
	if t.Length() == 0 {
		return
	}
	w.line("")
	w.table(t)
}

// checkScope says what a check was judged on: a burst's number, or "all".
func checkScope(c slo.Result) string {
	if c.Burst == 0 {
		return "all"
	}
	return fmt.Sprint(c.Burst)
}

// reasons lists why the verdict is not pass, and what that leaves out of the
// reasons of invalid bursts.
func (w *tableWriter) reasons(r *Report) {
	if len(r.Reasons) > 0 {
		w.line("")
		w.line("Why the verdict is %s:", verdictWord(r.Verdict))
	}
	for _, reason := range r.Reasons {
		w.wrapped("- " + shorten(reason.Message, 1000))
	}
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if !hasMoreReasons(r, b) {
			continue
		}
		w.line("")
		w.wrapped(fmt.Sprintf("INVALID: %s burst %s", shorten(b.Profile, 60), burstName(b)))
		for _, p := range b.InvalidReasons {
			w.wrapped("- " + p.Code + ": " + shorten(p.Detail, 1000))
		}
	}
}

// comparisons come first: they are what such a run was for.
func (w *tableWriter) comparisons(r *Report) {
	for _, group := range comparedTo(r.Comparisons) {
		w.line("")
		w.wrapped(fmt.Sprintf("%s against %s: %s", shorten(group[0].Head, 60), shorten(group[0].Base, 100), verdictWord(overall(group))))
		t := newTable(table.Row{"endpoint", "base", "head", "head/base", "interval", "margin", "blocks", "verdict"}, 2, 3, 4, 5, 6, 7)
		for _, c := range group {
			t.AppendRow(table.Row{Printable(shorten(c.Endpoint, 40)), formatOptional(c.BaseSeconds), formatOptional(c.HeadSeconds), formatRatio(c.Ratio, "-"),
				formatInterval(c), fmt.Sprintf("%+.0f %%", 100*c.Margin), c.Blocks, formatVerdict(c)})
		}
		w.table(t)
		for _, c := range group {
			w.wrapped("- " + shorten(c.Message, 1000))
		}
		if slices.ContainsFunc(group, func(c gate.Result) bool { return !c.Gated }) {
			w.line("Endpoints with their verdict in brackets are watched, and decide nothing.")
		}
	}
	if plan := formatPlan(r); plan != "" {
		w.line("")
		w.wrapped(upperFirst(plan) + ".")
	}
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// hasMoreReasons tells whether the burst is invalid for more than the one
// reason that Report.Reasons gives; that leaves out warm-ups and replaced bursts altogether.
func hasMoreReasons(r *Report, b *Burst) bool {
	return !b.Valid && (b.Warmup || r.replaced(b) || len(b.InvalidReasons) > 1)
}

func newTable(header table.Row, rightAligned ...int) table.Writer {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true, SeparateColumns: false}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.AppendHeader(header)
	var columns []table.ColumnConfig
	for _, n := range rightAligned {
		columns = append(columns, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(columns)
	return t
}

func (w *tableWriter) table(t table.Writer) {
	for line := range strings.SplitSeq(t.Render(), "\n") {
		w.line("%s", strings.TrimRight(line, " "))
	}
}
