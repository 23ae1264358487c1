package reports

import (
	"fmt"
	"strconv"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// BurstName is the burst's number, or "warm-up".
func BurstName(b *Burst) string {
	if b.Warmup {
		return "warm-up"
	}
	return strconv.Itoa(b.Index)
}

// BurstTable is a table of the given bursts (indices of r.Bursts), in that order.
func BurstTable(r *Report, bursts []int) *document.Table {
	type number struct {
		name string
		of   func(b *Burst) *stats.Seconds
	}
	spread := number{"+creation spread", func(b *Burst) *stats.Seconds { return b.CreationSpreadSeconds }}
	numbers := []number{
		{"makespan", func(b *Burst) *stats.Seconds { return b.MakespanSeconds }}, spread,
		{"+limiter's floor", func(b *Burst) *stats.Seconds { return b.CreationFloorSeconds }},
	}
	if len(bursts) > 0 && r.Bursts[bursts[0]].Passive != nil { // then all of them are
		numbers = []number{{"first create to last ready", func(b *Burst) *stats.Seconds { return b.SpanSeconds }}, spread}
	}
	columns := []string{"+no.", "+ submitted (UTC)", "+ profile", " burst", "+block", "pods ready"}
	for _, n := range numbers {
		columns = append(columns, n.name)
	}
	t := document.NewTable("Bursts in the order of submission", append(columns, " most of it", " measurement")...)
	for n, i := range bursts {
		b := &r.Bursts[i]
		submitted, block, measurement := "-", "-", document.Cell{Text: "valid"}
		if !b.SubmittedAt.IsZero() {
			submitted = b.SubmittedAt.UTC().Format("15:04:05")
		}
		if b.Block > 0 {
			block = strconv.Itoa(b.Block)
		}
		if !b.Valid {
			measurement = document.Cell{Text: "INVALID", Verdict: document.Bad}
		}
		if b.Profiled {
			measurement.Text += ", profiled"
		}
		row := []any{n + 1, submitted, b.Profile, BurstName(b), block, fmt.Sprintf("%d/%d", b.Accounting.Ready, b.Accounting.Expected)}
		for _, number := range numbers {
			row = append(row, number.of(b))
		}
		t.Row(append(row, MostOf(b), measurement)...)
	}
	return t
}

// invalid lists the invalid bursts that need more than the one reason that Report.Reasons
// gives. Report.Reasons leaves out warm-ups and replaced bursts completely.
func (r *Report) invalid() document.Section {
	s := document.Section{Heading: "Invalid bursts", Conclusion: true}
	for i := range r.Bursts {
		if b := &r.Bursts[i]; !b.Valid && (b.Warmup || r.replaced(b) || len(b.InvalidReasons) > 1) {
			AddInvalid(&s, b)
		}
	}
	return s
}

// AddInvalid adds what became of an invalid burst's pods, and all reasons to distrust it.
func AddInvalid(s *document.Section, b *Burst) {
	s.Subheading(humanize.Shorten(b.Profile, 100) + ", burst " + BurstName(b))
	a := b.Accounting
	s.Text("Of %s expected: %d ready, %d failed, %d pending, %d lost; %d replaced, %d foreign. The burst ended for: %s.",
		humanize.Count(a.Expected, "pod"), a.Ready, a.Failed, a.Pending, a.Lost, a.Replaced, a.Foreign, b.EndReason)
	var reasons []string
	for _, p := range b.InvalidReasons {
		reasons = append(reasons, p.Code+": "+p.Detail)
	}
	if len(reasons) == 0 {
		reasons = []string{"no reason was given"}
	}
	s.List(reasons)
}
