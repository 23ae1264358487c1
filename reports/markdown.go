package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
)

// MaxMarkdownSize bounds summary.md, in bytes: GitHub takes 1 MiB of step
// summary for a whole step.
const MaxMarkdownSize = 200_000

// WriteMarkdown writes summary.md: the facts of the terminal's table for a pull
// request or a step summary. Names are escaped, so that one cannot inject
// markup, links or mentions; what would grow past MaxMarkdownSize is cut off
// with a note.
func WriteMarkdown(w io.Writer, r Report) error {
	m := &markdown{}
	m.line("## podburst: %s", verdictWord(r.Verdict))
	m.line("")
	m.line("Run %s on %s, seed %d.", escape(r.Run.ID), escape(r.Run.Provider), r.Run.Seed)
	if len(r.Reasons) > 0 {
		m.line("")
		m.line("### Why")
		m.line("")
		for _, reason := range r.Reasons {
			m.line("- %s", escape(shorten(reason.Message, 1000)))
		}
	}
	m.comparisons(&r)
	for _, name := range profileNames(&r) {
		m.profile(&r, name)
	}
	m.invalid(&r)
	m.line("")
	m.line("Quantiles are %s. %s is the %s.", stats.QuantileDefinition, code("pod_startup"), escape(PodStartupDefinition))
	_, err := w.Write(m.bounded())
	if err != nil {
		return fmt.Errorf("write summary: %w", err)
	}
	return nil
}

type markdown struct{ bytes.Buffer }

func (m *markdown) line(format string, args ...any) {
	_, _ = fmt.Fprintf(m, format+"\n", args...) // a buffer does not fail
}

// row writes cells as a table's row.
func (m *markdown) row(cells ...string) { m.line("| %s |", strings.Join(cells, " | ")) }

// header writes a table's head; align has a letter, l or r, for each column.
func (m *markdown) header(align string, cells ...string) {
	m.line("")
	m.row(cells...)
	rule := make([]string, len(cells))
	for i := range rule {
		rule[i] = "---"
		if align[i] == 'r' {
			rule[i] = "---:"
		}
	}
	m.row(rule...)
}

// bounded is the text, cut at a line's end where it is too long.
func (m *markdown) bounded() []byte {
	const note = "\n\n*The rest was left out: see report.json.*\n"
	text := m.Bytes()
	if len(text) <= MaxMarkdownSize {
		return text
	}
	text = text[:MaxMarkdownSize-len(note)]
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return append(text, note...)
}

func (m *markdown) profile(r *Report, name string) {
	m.line("")
	m.line("### Profile %s", escape(shorten(name, 100)))
	m.line("")
	p := findProfile(r, name)
	if p == nil {
		m.line("Nothing was recorded.")
		return
	}
	m.line("%d of %d recorded bursts valid, %d nodes, Kubernetes %s on %s.", p.ValidBursts, p.RecordedBursts, len(p.Nodes), escape(orDash(p.KubernetesVersion)), escape(p.Provider))
	if limits := formatEffective(p.Effective); len(limits) > 0 {
		m.line("Client limits in force, QPS/burst: %s.", escape(strings.Join(limits, ", ")))
	}
	if p.EffectiveUnavailable != "" {
		m.line("")
		m.line("Not known: %s.", escape(shorten(p.EffectiveUnavailable, 1000)))
	}
	for _, s := range passiveLines(r, name) {
		m.line("")
		m.line("%s", escape(s))
	}
	if p.ValidBursts > 0 {
		m.header("lrrrrrrl", "phase", "p50", "p90", "p99", "max", "n", "missing", "source")
		for _, phase := range shownPhases() {
			ph := p.Phases[phase]
			switch {
			case ph == nil:
				m.row(code(phase), "-", "-", "-", "-", "-", "-", "not available")
			case ph.Count == 0:
				m.row(code(phase), "-", "-", "-", "-", "0", fmt.Sprint(ph.Missing), "-")
			default:
				m.row(code(phase), FormatSeconds(ph.P50), FormatSeconds(ph.P90), FormatSeconds(ph.P99), FormatSeconds(ph.Max), fmt.Sprint(ph.Count), fmt.Sprint(ph.Missing), ph.Source)
			}
		}
	}
	m.attribution(r, p)
	m.bursts(r, name)
	m.checks(r, name)
}

func (m *markdown) attribution(r *Report, p *Profile) {
	lines := attributionLines(r, p)
	if len(lines) > 0 {
		m.line("")
	}
	for _, s := range lines {
		m.line("- %s", escape(shorten(s, 1000)))
	}
}

func (m *markdown) bursts(r *Report, profile string) {
	first := true
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Profile != profile {
			continue
		}
		header, row := []string{"burst", "pods ready"}, []string{burstName(b), fmt.Sprintf("%d/%d", b.Accounting.Ready, b.Accounting.Expected)}
		for _, n := range burstNumbers(b) {
			header, row = append(header, n.name), append(row, formatOptional(n.seconds))
		}
		if first {
			first = false
			m.header("l"+strings.Repeat("r", len(header)-1)+"l", append(header, "measurement")...)
		}
		state := "valid"
		if !b.Valid {
			state = "**INVALID**"
		}
		m.row(append(row, state)...)
	}
}

func (m *markdown) checks(r *Report, profile string) {
	first := true
	for _, c := range r.SLO {
		if c.Profile != profile {
			continue
		}
		if first {
			first = false
			m.header("llrrrl", "objective", "burst", "observed", "limit", "n", "verdict")
		}
		word := verdictWord(c.Verdict)
		if c.Verdict != verdict.Pass {
			word = "**" + word + "**"
		}
		m.row(escape(shorten(c.Name, 100)), checkScope(c), formatOptional(c.ObservedSeconds), FormatSeconds(c.LimitSeconds), fmt.Sprint(c.Samples), word)
	}
}

func (m *markdown) comparisons(r *Report) {
	for _, group := range comparedTo(r.Comparisons) {
		m.line("")
		m.line("### %s against %s: %s", escape(shorten(group[0].Head, 100)), escape(shorten(group[0].Base, 100)), verdictWord(overall(group)))
		m.header("lrrrrrrl", "endpoint", "base", "head", "head/base", "interval", "margin", "blocks", "verdict")
		for _, c := range group {
			word := formatVerdict(c)
			if c.Gated && c.Verdict != verdict.Pass {
				word = "**" + word + "**"
			}
			m.row(escape(c.Endpoint), formatOptional(c.BaseSeconds), formatOptional(c.HeadSeconds), formatRatio(c.Ratio, "-"), formatInterval(c),
				fmt.Sprintf("%+.0f %%", 100*c.Margin), fmt.Sprint(c.Blocks), word)
		}
		m.line("")
		for _, c := range group {
			m.line("- %s", escape(shorten(c.Message, 1000)))
		}
		if slices.ContainsFunc(group, func(c gate.Result) bool { return !c.Gated }) {
			m.line("")
			m.line("Endpoints with their verdict in brackets are watched, and decide nothing.")
		}
	}
	if plan := formatPlan(r); plan != "" {
		m.line("")
		m.line("%s.", escape(upperFirst(plan)))
	}
}

func (m *markdown) invalid(r *Report) {
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if !hasMoreReasons(r, b) {
			continue
		}
		m.line("")
		m.line("**INVALID**: %s burst %s", escape(shorten(b.Profile, 100)), burstName(b))
		m.line("")
		for _, p := range b.InvalidReasons {
			m.line("- %s: %s", escape(p.Code), escape(shorten(p.Detail, 1000)))
		}
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// code is a name of our own as inline code.
func code(name string) string { return "`" + name + "`" }

// escape makes s plain text in Markdown: every punctuation mark that can
// begin markup gets a backslash, '<', '>' and '&' become entities, line breaks and
// control characters are replaced. An empty comment breaks what GitHub would
// still turn into a mention or a link, for which neither of these helps.
func escape(s string) string {
	var out strings.Builder
	for _, r := range unlinked.Replace(Printable(s)) {
		switch {
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '&':
			out.WriteString("&amp;")
		case r == breakMark:
			out.WriteString("<!-- -->")
		case strings.ContainsRune("\\`*_[]#|~$", r):
			out.WriteByte('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// breakMark stands for an empty comment; printable leaves none in a name.
const breakMark = '\u2063'

var unlinked = strings.NewReplacer("@", "@\u2063", "://", ":\u2063//", "www.", "www\u2063.")
