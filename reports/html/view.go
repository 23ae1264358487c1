package html

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// view is a report with what the figures share.
type view struct {
	*reports.Report
	// profiles are those planned, then any others with results; at most
	// svg.Lines, and others names the rest.
	profiles []*profile
	others   []string
	// timed: single pods are known, as they are not from report.json.
	timed bool
}

// profile is a cluster configuration as the figures draw it.
type profile struct {
	// key is the name in the report; name is made for display, short for figures.
	key, name, short string
	number           int
	// class is that of the profile's lines.
	class string
	// result is nil where nothing was recorded.
	result *reports.Profile
	// recorded and valid are indices of Report.Bursts, warm-ups left out.
	recorded, valid []int
	// median is the index of the valid burst with the median makespan; -1
	// without one.
	median int
}

func newView(r *reports.Report) *view {
	v := &view{Report: r}
	names := slices.Clone(r.Run.PlannedProfiles)
	for i := range r.Profiles {
		names = append(names, r.Profiles[i].Name)
	}
	for i := range r.Bursts {
		names = append(names, r.Bursts[i].Profile)
		v.timed = v.timed || r.Timeline(i) != nil
	}
	seen := map[string]bool{}
	for _, name := range names {
		switch {
		case seen[name]:
		case len(v.profiles) < svg.Lines:
			v.profiles = append(v.profiles, v.profile(name, len(v.profiles)))
		default:
			v.others = append(v.others, name)
		}
		seen[name] = true
	}
	return v
}

func (v *view) profile(name string, number int) *profile {
	p := &profile{key: name, name: name, number: number, class: "p" + strconv.Itoa(number), median: -1}
	if strings.TrimSpace(p.name) == "" {
		p.name = "(no name)"
	}
	p.short = humanize.Shorten(p.name, 26)
	for i := range v.Profiles {
		if v.Profiles[i].Name == name {
			p.result = &v.Profiles[i]
		}
	}
	for i := range v.Bursts {
		b := &v.Bursts[i]
		if b.Profile != name || b.Warmup {
			continue
		}
		p.recorded = append(p.recorded, i)
		if b.Valid {
			p.valid = append(p.valid, i)
		}
	}
	p.median = v.medianBurst(p.valid)
	return p
}

// medianBurst is the burst whose makespan is the median (nearest rank) of those
// given; -1 without one. Of bursts that others sent, which have no makespan, the
// time from the first creation to the last pod ready counts.
func (v *view) medianBurst(bursts []int) int {
	if len(bursts) == 0 {
		return -1
	}
	length := func(i int) float64 {
		for _, s := range []*stats.Seconds{v.Bursts[i].MakespanSeconds, v.Bursts[i].SpanSeconds} {
			if value, ok := known(s); ok {
				return value
			}
		}
		return 0
	}
	sorted := slices.Clone(bursts)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(length(a), length(b)) })
	return sorted[(len(sorted)-1)/2]
}

// find is the profile of that name; nil for one beyond svg.Lines.
func (v *view) find(name string) *profile {
	for _, p := range v.profiles {
		if p.key == name {
			return p
		}
	}
	return nil
}

// burstsDrawn bounds the thin lines of a figure, over all profiles.
const burstsDrawn = 48

// drawn are the profile's valid bursts that figures draw: all of them, or evenly
// chosen ones of very many.
func (v *view) drawn(p *profile) []int {
	limit := max(1, burstsDrawn/max(1, len(v.profiles)))
	n := len(p.valid)
	if n <= limit {
		return p.valid
	}
	var some []int
	for i := range limit {
		some = append(some, p.valid[i*n/limit])
	}
	return some
}

// drawnNote says so where figures do not draw every burst.
func (v *view) drawnNote() string {
	all, some := 0, 0
	for _, p := range v.profiles {
		all, some = all+len(p.valid), some+len(v.drawn(p))
	}
	if all == some {
		return ""
	}
	return "Of " + humanize.Count(all, "valid burst") + " " + strconv.Itoa(some) + " are drawn."
}

// cellFor names a profile with the line that figures draw for it.
func cellFor(p *profile) document.Cell {
	k := lineKey(p)
	return document.Cell{Text: p.name, Key: &k}
}

// legend is a line for each profile that has a valid burst.
func (v *view) legend() []svg.Key {
	var keys []svg.Key
	for _, p := range v.profiles {
		if len(p.valid) > 0 {
			keys = append(keys, lineKey(p))
		}
	}
	return keys
}

// samples are a phase's durations of the pods of one burst, in seconds, sorted;
// nil where they are not known.
func (v *view) samples(burst int, ph timeline.Phase) []float64 {
	t := v.Timeline(burst)
	if t == nil {
		return nil
	}
	var all []float64
	for i := range t.Pods {
		if t.Pods[i].Replacement {
			continue
		}
		if d, _, _, ok := t.Pods[i].Duration(ph); ok {
			all = append(all, d.Seconds())
		}
	}
	slices.Sort(all)
	return all
}

func burstName(b *reports.Burst) string {
	if b.Warmup {
		return "warm-up"
	}
	return strconv.Itoa(b.Index)
}

// pods says how many pods each burst has that counts: "100", or "50 to 100".
func (v *view) pods() string {
	low, high := 0, 0
	for i := range v.Bursts {
		switch n := v.Bursts[i].Pods; {
		case v.Bursts[i].Warmup:
		case high == 0:
			low, high = n, n
		default:
			low, high = min(low, n), max(high, n)
		}
	}
	if low == high {
		return strconv.Itoa(high)
	}
	return strconv.Itoa(low) + " to " + strconv.Itoa(high)
}

// shownPhases are the phases of tables: the chain, then what spans it.
func shownPhases() []timeline.Phase {
	all := timeline.Chain()
	for _, name := range []string{"pod_startup", "submit_to_ready", "scheduling", "creation", "startup"} {
		for _, ph := range timeline.Derived() {
			if ph.Name == name {
				all = append(all, ph)
			}
		}
	}
	return all
}

// quantiles names their definition in a caption.
func quantiles() string { return "Quantiles are " + stats.QuantileDefinition + "." }

// verdictCell is a verdict's word.
func verdictCell(v verdict.Verdict) document.Cell {
	word := string(v)
	if v != verdict.Pass && v != verdict.Improved {
		word = strings.ToUpper(word)
	}
	return document.Cell{Text: word, Verdict: verdictClass(v)}
}

// verdictClass is a class of the style sheet, whatever the report holds.
func verdictClass(v verdict.Verdict) document.Class {
	switch v {
	case verdict.Pass, verdict.Improved:
		return document.Good
	case verdict.Fail, verdict.Regressed, verdict.Invalid:
		return document.Bad
	}
	return document.Open
}
