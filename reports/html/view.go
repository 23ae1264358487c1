package html

import (
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// view is a report with what its figures share.
type view struct {
	*reports.Report
	// profiles are the planned ones, then any others with results; at most svg.Lines.
	// others counts the rest.
	profiles []*profile
	others   int
	// timed: individual pods are known, which they are not for a report read from
	// report.json.
	timed bool
}

// profile is a cluster configuration as the figures show it.
type profile struct {
	// key is the name in the report, name the one for display, short the one for figures.
	key, name, short string
	number           int
	// class is the CSS class of the profile's lines.
	class string
	// result is nil where nothing was recorded.
	result *reports.Profile
	// recorded and valid are indices of Report.Bursts, without warm-ups.
	recorded, valid []int
	// median is the index of the valid burst with the median makespan; -1 if there is none.
	median int
}

func newView(r *reports.Report) *view {
	v := &view{Report: r}
	for i := range r.Bursts {
		v.timed = v.timed || r.Timeline(i) != nil
	}
	names := r.ProfileNames()
	shown := min(len(names), svg.Lines)
	for number, name := range names[:shown] {
		v.profiles = append(v.profiles, v.profile(name, number))
	}
	v.others = len(names) - shown
	return v
}

func (v *view) profile(name string, number int) *profile {
	p := &profile{key: name, name: name, number: number, class: "p" + strconv.Itoa(number), median: -1, result: v.Profile(name)}
	if strings.TrimSpace(p.name) == "" {
		p.name = "(no name)"
	}
	p.short = humanize.Shorten(p.name, 26)
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
	p.median = v.MedianBurst(p.valid)
	return p
}

// find returns the profile of that name; nil for one beyond svg.Lines.
func (v *view) find(name string) *profile {
	for _, p := range v.profiles {
		if p.key == name {
			return p
		}
	}
	return nil
}

// burstsDrawn is the largest number of thin lines in a figure, over all profiles.
const burstsDrawn = 48

// drawn returns the profile's valid bursts that figures draw: all of them, or an even
// selection of very many.
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

// drawnNote says so if figures do not draw every burst.
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

// cellFor names a profile, with the line that figures draw for it.
func cellFor(p *profile) document.Cell {
	k := lineKey(p)
	return document.Cell{Text: p.name, Key: &k}
}

// legend returns a line for each profile that has a valid burst.
func (v *view) legend() []svg.Key {
	var keys []svg.Key
	for _, p := range v.profiles {
		if len(p.valid) > 0 {
			keys = append(keys, lineKey(p))
		}
	}
	return keys
}

// samples returns the durations of a phase over the pods of one burst, in seconds, sorted;
// nil if they are not known.
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

// pods says how many pods the bursts that count have: "100", or "50 to 100".
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

// quantiles is the caption's definition of quantiles.
func quantiles() string { return "Quantiles are " + stats.QuantileDefinition + "." }
