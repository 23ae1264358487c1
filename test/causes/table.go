package causes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/humanize"
)

// leastAccounted is the part of a makespan that known stations must account for, widest
// half the width of a predicted interval in parts of its middle.
const leastAccounted, widest = 0.9, 0.3

// Header is what the table says above itself.
type Header struct {
	// Seeds are those of the orders; more than one where several labs are judged together.
	Seeds []int64
	// Machine and Kubernetes describe what the bursts ran on.
	Machine, Kubernetes string
}

// row is a cause in the table.
type row struct {
	cause *Cause
	// bursts are those with the cause, complete ones only in what follows.
	bursts, named        int
	failed               []string
	contains, amounts    int
	heldLow, heldHigh    []float64
	accounted            []float64
	others               []float64
	gainLow, gainHigh    []float64
	observed             float64
	lifted               int
	inside, cases        int
	narrow, useless      int
	makespan, makespanBy []float64
}

// rows sums bursts up by cause, in the order of All.
func rows(bursts []Burst) []row {
	var all []row
	for _, c := range All() {
		r := row{cause: c, observed: math.NaN()}
		var lifted []float64
		for i := range bursts {
			if b := &bursts[i]; b.Cause.Name == c.Name && !b.Note.Injected && b.Makespan() > 0 {
				lifted = append(lifted, b.Makespan().Seconds())
				r.useless += len(b.Useless())
			}
		}
		for i := range bursts {
			if b := &bursts[i]; b.Cause.Name == c.Name && b.Note.Injected {
				r.add(b, median(lifted))
			}
		}
		if r.bursts == 0 {
			continue
		}
		r.lifted = len(lifted)
		if len(lifted) > 0 && !c.observed() {
			r.observed = median(r.makespan) - median(lifted)
		}
		r.makespanBy = lifted
		all = append(all, r)
	}
	return all
}

func (r *row) add(b *Burst, lifted float64) {
	r.bursts++
	r.useless += len(b.Useless())
	if b.Right() {
		r.named++
	} else {
		r.failed = append(r.failed, fmt.Sprintf("%s/%s of %s: %s", b.Note.Profile, b.Recorded.Folder(), b.Dir, b.Said()))
	}
	low, high, contains, known := b.Held()
	r.heldLow, r.heldHigh = append(r.heldLow, low.Seconds()), append(r.heldHigh, high.Seconds())
	if known {
		r.amounts++
	}
	if contains {
		r.contains++
	}
	if b.Makespan() == 0 {
		return
	}
	if share, ok := b.Others(); ok {
		r.others = append(r.others, share)
	}
	r.accounted = append(r.accounted, b.Accounted())
	r.makespan = append(r.makespan, b.Makespan().Seconds())
	p, ok := b.Predicted()
	if !ok || math.IsNaN(lifted) {
		return
	}
	gainLow, gainHigh := float64(p.GainLowSeconds), float64(p.GainHighSeconds)
	r.gainLow, r.gainHigh = append(r.gainLow, gainLow), append(r.gainHigh, gainHigh)
	r.cases++
	if gain := b.Makespan().Seconds() - lifted; gainLow <= gain && gain <= gainHigh {
		r.inside++
	}
	if half(gainLow, gainHigh) <= widest {
		r.narrow++
	}
}

// half is half the width of an interval in parts of its middle.
func half(low, high float64) float64 {
	middle := (low + high) / 2
	if middle <= 0 {
		return math.Inf(1)
	}
	return (high - low) / 2 / middle
}

// median is NaN of nothing.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Table is the lab's result as Markdown: the causes, and the totals against what the lab
// must reach.
func Table(h Header, bursts []Burst) string {
	all := rows(bursts)
	var out strings.Builder
	most := 0
	for _, r := range all {
		most = max(most, r.bursts)
	}
	var seeds []string
	for _, seed := range h.Seeds {
		seeds = append(seeds, fmt.Sprint(seed))
	}
	fmt.Fprintf(&out, "Seed %s, %d bursts with and as many without each cause, %s, Kubernetes %s.\n\n", humanize.And(seeds), most, h.Machine, h.Kubernetes)
	out.WriteString("| cause | injected | named first | held | contains what was injected | makespan with and without | processors used by others | accounted for (median, least) | predicted gain | observed gain | inside | half width |\n")
	out.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		out.WriteString(r.String())
	}
	out.WriteString("\n" + totals(all))
	return out.String()
}

func (r *row) String() string {
	injected := r.cause.Injected
	if r.cause.Few != "" {
		injected += fmt.Sprintf(" (%d pods: %s)", r.cause.Pods, r.cause.Few)
	}
	contains := "not known exactly"
	if r.cause.Amount != nil {
		contains = fmt.Sprintf("%d of %d", r.contains, r.amounts)
	}
	predicted, inside, width := "not predicted: "+r.cause.Unpredicted, "–", "–"
	if r.cases > 0 {
		low, high := median(r.gainLow), median(r.gainHigh)
		predicted, inside = between(low, high), fmt.Sprintf("%d of %d", r.inside, r.cases)
		width = "±" + humanize.Percent(half(low, high))
		if math.IsInf(half(low, high), 1) {
			width = "no gain"
		}
	} else if r.cause.WhatIf != nil {
		predicted = "not predicted: the replay does not give the bursts"
	}
	return fmt.Sprintf("| %s | %s | %d of %d | %s | %s | %s, %s | %s | %s, %s | %s | %s | %s | %s |\n",
		r.cause.Name, injected, r.named, r.bursts, between(median(r.heldLow), median(r.heldHigh)), contains,
		shown(median(r.makespan)), shown(median(r.makespanBy)), part(median(r.others)),
		part(median(r.accounted)), part(least(r.accounted)), predicted, shown(r.observed), inside, width)
}

func totals(all []row) string {
	var named, bursts, contains, amounts, inside, cases, narrow, useless, accounted, complete int
	for _, r := range all {
		named, bursts = named+r.named, bursts+r.bursts
		contains, amounts = contains+r.contains, amounts+r.amounts
		inside, cases, narrow = inside+r.inside, cases+r.cases, narrow+r.narrow
		useless += r.useless
		complete += len(r.accounted)
		for _, a := range r.accounted {
			if a >= leastAccounted {
				accounted++
			}
		}
	}
	return fmt.Sprintf(`| | reached | wanted |
|---|---|---|
| bursts in which the cause is named first | %s | at least 95 %% |
| advice that would gain nothing | %d | 0 |
| held intervals that contain what was injected | %s | all |
| gains inside the predicted interval | %s | at least 90 %% |
| predicted intervals of at most ±30 %% | %s | most |
| bursts of which known stations account for 90 %% | %s | all |
`, of(named, bursts), useless, of(contains, amounts), of(inside, cases), of(narrow, cases), of(accounted, complete))
}

// Missed are the bursts whose cause was not named first, and what was said instead.
func Missed(bursts []Burst) (missed []string) {
	for _, r := range rows(bursts) {
		missed = append(missed, r.failed...)
	}
	slices.SortFunc(missed, cmp.Compare[string])
	return missed
}

func of(k, n int) string {
	if n == 0 {
		return "none looked at"
	}
	return fmt.Sprintf("%d of %d (%s)", k, n, humanize.Percent(float64(k)/float64(n)))
}

func between(low, high float64) string { return shown(low) + " to " + shown(high) }

func shown(s float64) string {
	if math.IsNaN(s) {
		return "–"
	}
	return stats.Seconds(s).String()
}

func part(p float64) string {
	if math.IsNaN(p) {
		return "–"
	}
	return humanize.Percent(p)
}

func least(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Min(values)
}
