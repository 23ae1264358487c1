package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
)

// Group holds the comparisons of one head with one base, one for each endpoint.
type Group []gate.Result

// Compared groups comparisons by head and base, in their order.
func Compared(all []gate.Result) (groups []Group) {
	for _, c := range all {
		if n := len(groups); n > 0 && groups[n-1][0].Base == c.Base && groups[n-1][0].Head == c.Head {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, Group{c})
	}
	return groups
}

// Heading says what was compared, and the verdict on its gated endpoints.
func (g Group) Heading() string {
	var gated []verdict.Verdict
	for _, c := range g {
		if c.Gated {
			gated = append(gated, c.Verdict)
		}
	}
	return fmt.Sprintf("%s against %s: %s", humanize.Shorten(g[0].Head, 100), humanize.Shorten(g[0].Base, 100), VerdictCell(verdict.Gravest(gated...)).Text)
}

// Messages says in sentences what was found.
func (g Group) Messages() []string {
	var messages []string
	for _, c := range g {
		messages = append(messages, c.Message)
	}
	return messages
}

// ComparisonTable shows the comparisons in numbers.
func ComparisonTable(all []gate.Result) *document.Table {
	t := document.NewTable("Medians of base and head, and the ratio of head to base",
		"endpoint", "+ head profile", "+ base profile", "base", "head", "+change", "head/base", "interval", "+low end at", "+high end at",
		"margin", "+floor", "+adjusted p", "+noise", "blocks", "+blocks needed", " verdict")
	for i := range all {
		c := &all[i]
		needed, p := "-", "-"
		if c.BlocksNeeded > 0 {
			needed = strconv.Itoa(c.BlocksNeeded)
		}
		if c.PValue != nil {
			p = strconv.FormatFloat(*c.PValue, 'g', 2, 64)
		}
		interval := "-"
		if c.Low != nil || c.High != nil {
			interval = formatRatio(c.Low, "?") + " to " + formatRatio(c.High, "?")
		}
		t.Row(c.Endpoint, c.Head, c.Base, c.BaseSeconds, c.HeadSeconds, c.ChangeSeconds, formatRatio(c.Ratio, "-"), interval,
			humanize.Percent(c.LowConfidence), humanize.Percent(c.HighConfidence), humanize.Percent(c.Margin), c.FloorSeconds,
			p, formatRatio(c.Noise, "-"), c.Blocks, needed, ComparisonCell(c))
	}
	if slices.ContainsFunc(all, func(c gate.Result) bool { return !c.Gated }) {
		t.Note = "Endpoints with their verdict in brackets are watched, and decide nothing."
	}
	return t
}

// ComparisonCell is the verdict's word, in brackets if it decides nothing.
func ComparisonCell(c *gate.Result) document.Cell {
	if !c.Gated {
		return document.Cell{Text: "(" + string(c.Verdict) + ")"}
	}
	return VerdictCell(c.Verdict)
}

// RatioText is the estimate with its bounds: "0.55 (0.50 to 0.61)". A bound for which there
// are too few blocks is "?".
func RatioText(c *gate.Result) string {
	switch {
	case c.Ratio == nil:
		return ""
	case c.Low == nil && c.High == nil:
		return formatRatio(c.Ratio, "?") + " (no bounds)"
	}
	return formatRatio(c.Ratio, "?") + " (" + formatRatio(c.Low, "?") + " to " + formatRatio(c.High, "?") + ")"
}

// formatRatio prints a ratio with two decimals, and tiny ones with more digits. An unknown
// ratio is printed as none.
func formatRatio(x *float64, none string) string {
	switch {
	case x == nil || math.IsNaN(*x) || math.IsInf(*x, 0):
		return none
	case *x != 0 && math.Abs(*x) < 0.095:
		return strconv.FormatFloat(*x, 'g', 2, 64)
	}
	return strconv.FormatFloat(*x, 'f', 2, 64)
}

// Plan says how a comparison was run: "8 valid blocks of 8, …". It is empty for other runs.
func (r *Report) Plan() string {
	plan := r.Run.Comparison
	if plan == nil {
		return ""
	}
	text := fmt.Sprintf("%d valid blocks of %d", r.validBlocks(), plannedBlocks(plan))
	if plan.Looks > 1 {
		text += fmt.Sprintf(" (extended from %d, which did not decide it)", plan.Blocks)
	}
	replaced := 0
	for i := range r.Bursts {
		if b := &r.Bursts[i]; !b.Warmup && !b.Valid {
			replaced++
		}
	}
	if replaced > 0 {
		text += fmt.Sprintf(", %d more with an invalid burst", replaced)
	}
	text += fmt.Sprintf(", each arm once in each in an order drawn from seed %d; clusters %s", r.Run.Seed, plan.Layout)
	if plan.LayoutReason != "" {
		text += " (" + plan.LayoutReason + ")"
	}
	return text + "."
}
