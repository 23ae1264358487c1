package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/internal/span"
)

// usageWindow is the time over which usage is summed up: from the submission (or the
// beginning of observing) until the last pod was ready, or to the burst's end if not all
// became ready.
func usageWindow(b *recording.Burst, t *timeline.Timeline) span.Span {
	window := span.Span{From: b.Began(), To: b.End}
	if !t.Submit.At.IsZero() {
		window.From = t.Submit.At // as the makespan counts
	}
	if t.Accounting.Ready == 0 || t.Accounting.Ready < t.Accounting.Expected {
		return window
	}
	var last time.Time
	for i := range t.Pods {
		if ready, ok := t.Pods[i].Primary(timeline.Ready); ok && !t.Pods[i].Replacement && ready.At.After(last) {
			last = ready.At
		}
	}
	if last.After(window.From) {
		window.To = last
	}
	return window
}

// usageRows is how many components a page shows.
const usageRows = 24

// UsageSection says what each component used of its machine in a burst. of names the
// burst, as "tuned, burst 2".
func UsageSection(b *Burst, of string) document.Section {
	s := document.Section{ID: "usage", Heading: "Processors and memory"}
	s.Table(UsageTable(b, of))
	s.List(usageNotes(b))
	s.Table(WritesTable(b, of))
	if len(b.Writes) == 0 {
		s.Text("Who wrote how much is not known: %s.", cmp.Or(b.AuditUnavailable, "the recording has no audit log"))
	}
	return s
}

// WritesTable shows how many writes each component sent to the API server.
func WritesTable(b *Burst, of string) *document.Table {
	t := document.NewTable("Writes to the API server by the audit log: "+of, "component", "writes", "mean per second", "most per second", "+ in each "+intervalOf(b))
	t.Most = usageRows
	for i := range b.Writes {
		p := &b.Writes[i]
		each := make([]string, 0, len(p.PerInterval))
		most := 0
		for _, n := range p.PerInterval {
			each = append(each, strconv.Itoa(n))
			most = max(most, n)
		}
		t.Row(p.Component, p.Writes, rate(p.Writes, b.UsageWindowSeconds), rate(most, p.IntervalSeconds), humanize.Shorten(strings.Join(each, " "), 120))
	}
	return t
}

// intervalOf is the length of the intervals in which writes are counted: "second".
func intervalOf(b *Burst) string {
	if len(b.Writes) == 0 || b.Writes[0].IntervalSeconds == 1 {
		return "second"
	}
	return b.Writes[0].IntervalSeconds.String()
}

func rate(n int, seconds stats.Seconds) string {
	if seconds <= 0 {
		return "-"
	}
	return humanize.Significant(float64(n) / float64(seconds))
}

// UsageTable shows what each component used, the machine first and then the largest user
// of processor time.
func UsageTable(b *Burst, of string) *document.Table {
	t := document.NewTable("Processors and memory: "+of, "component", "processor time", "+between", "processors in use", "waited for a processor", "peak memory", "+ read from")
	t.Most = usageRows
	for _, c := range usersOf(b.Usage) {
		if b.UsageUnavailable != "" && c.Source == usage.Unknown {
			continue // usageNotes names them
		}
		between, inUse, memory, source := "-", "-", "-", "samples"
		processor := any(c.CPUSeconds)
		if c.PeakMemoryBytes != nil {
			memory = humanize.Bytes(*c.PeakMemoryBytes)
		}
		switch c.Source {
		case usage.Sampled:
			between = c.CPULowSeconds.String() + " to " + c.CPUHighSeconds.String()
			inUse = humanize.Significant(float64(*c.CPUSeconds / c.CoveredSeconds))
		case usage.BeforeAfter:
			processor, source = "at most "+c.CPUHighSeconds.String(), "its metrics before and after"
			if c.PeakMemoryBytes != nil {
				memory = "at least " + memory
			}
		default:
			processor, source = document.Cell{Text: "not known", Verdict: document.Open}, "-"
		}
		t.Row(c.Component, processor, between, inUse, c.RunQueueSeconds, memory, source)
	}
	return t
}

// usersOf sorts components by the processor time that they used, the machine first.
func usersOf(all []usage.Component) []usage.Component {
	sorted := slices.Clone(all)
	rank := func(c *usage.Component) float64 {
		switch {
		case c.Component == recording.AccountMachine:
			return -2
		case c.CPUHighSeconds == nil:
			return 1
		case c.CPUSeconds != nil:
			return -1
		}
		return 0
	}
	amount := func(c *usage.Component) stats.Seconds {
		for _, s := range []*stats.Seconds{c.CPUSeconds, c.CPUHighSeconds} {
			if s != nil {
				return *s
			}
		}
		return 0
	}
	slices.SortStableFunc(sorted, func(x, y usage.Component) int {
		return cmp.Or(cmp.Compare(rank(&x), rank(&y)), cmp.Compare(amount(&y), amount(&x)))
	})
	return sorted
}

// usageNotesShown is how many notes there are at most.
const usageNotesShown = 8

// usageNotes say what the table's numbers mean, and what is not known.
func usageNotes(b *Burst) []string {
	if b.UsageUnavailable != "" {
		return notSampledNotes(b)
	}
	notes := []string{fmt.Sprintf("Over %s from the submission on, by the kernel's counters. Waits add up over threads that wait side by side; of the machine it is the time in which at least one task waited.", b.UsageWindowSeconds)}
	if slices.ContainsFunc(b.Usage, func(c usage.Component) bool { return strings.HasPrefix(c.Component, "node ") }) {
		notes = append(notes, "A node's container holds all that runs in it, the components with rows of their own included.")
	}
	for i := range b.Usage {
		c := &b.Usage[i]
		switch {
		case len(notes) >= usageNotesShown:
		case c.UnknownReason != "":
			notes = append(notes, fmt.Sprintf("%s: %s.", c.Component, c.UnknownReason))
		case c.CoveredSeconds < 0.99*b.UsageWindowSeconds:
			notes = append(notes, fmt.Sprintf("%s: %s of %s have samples.", c.Component, c.CoveredSeconds, b.UsageWindowSeconds))
		}
	}
	return notes
}

// notSampledNotes are those of a burst without samples.
func notSampledNotes(b *Burst) []string {
	notes := []string{fmt.Sprintf("Not sampled: %s.", strings.TrimSuffix(b.UsageUnavailable, "."))}
	var unknown []string
	bounded := false
	for i := range b.Usage {
		if c := &b.Usage[i]; c.Source == usage.BeforeAfter {
			bounded = true
		} else {
			unknown = append(unknown, c.Component)
		}
	}
	if bounded {
		notes = append(notes, "At most: what the component itself says it used from right before until right after the burst, which is longer than the burst. What other processes used is not known.")
	}
	if n := len(unknown); n > 0 {
		notes = append(notes, fmt.Sprintf("Not known: %s (%s).", humanize.Shorten(strings.Join(unknown, ", "), 300), cause(b, unknown[0])))
	}
	return notes
}

// cause says why nothing is known of a component, beyond that it was not sampled.
func cause(b *Burst, component string) string {
	i := slices.IndexFunc(b.Usage, func(c usage.Component) bool { return c.Component == component })
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(b.Usage[i].UnknownReason, b.UsageUnavailable), "; "), "nothing is recorded of it")
}

// usersShown is how many components the brief document names.
const usersShown = 4

// usageLine says in a sentence what used most of the processors in a profile's median
// burst. There is none without a valid burst.
func (r *Report) usageLine(profile string) []string {
	median := r.MedianBurst(r.valid(profile))
	if median < 0 {
		return nil
	}
	b := &r.Bursts[median]
	name, users := "burst "+BurstName(b), users(b)
	switch {
	case len(users) == 0:
		return []string{fmt.Sprintf("Processors and memory in %s: not sampled (%s), and no component's metrics tell.", name, cmp.Or(b.UsageUnavailable, "no account could be read"))}
	case b.UsageUnavailable != "":
		return []string{fmt.Sprintf("Processors and memory in %s: not sampled (%s). From before to after it, by their own metrics, components used at most: %s.", name, b.UsageUnavailable, strings.Join(users, ", "))}
	}
	line := fmt.Sprintf("Processor time in %s, over %s: %s", name, b.UsageWindowSeconds, strings.Join(users, ", "))
	for _, c := range b.Usage {
		if c.Component == recording.AccountMachine && c.CPUSeconds != nil {
			line += fmt.Sprintf("; all that ran on the machine %s", c.CPUSeconds)
		}
	}
	return []string{line + "."}
}

// users are the largest users of processor time, with how much they used: "2 kubelets
// 1.14 s". Kubelets count together; nodes and the machine contain the others.
func users(b *Burst) []string {
	type user struct {
		name  string
		n     int
		spent stats.Seconds
	}
	var found []*user
	for _, c := range b.Usage {
		spent := cmp.Or(c.CPUSeconds, c.CPUHighSeconds)
		if spent == nil || c.Component == recording.AccountMachine || b.UsageUnavailable != "" && c.Component == recording.AccountObserver || strings.HasPrefix(c.Component, "node ") {
			continue
		}
		name := c.Component
		if clusters.ParseInstance(name).Component == clusters.Kubelet {
			name = string(clusters.Kubelet)
		}
		i := slices.IndexFunc(found, func(u *user) bool { return u.name == name })
		if i < 0 {
			i = len(found)
			found = append(found, &user{name: name})
		}
		found[i].n++
		found[i].spent += *spent
	}
	slices.SortStableFunc(found, func(x, y *user) int { return cmp.Compare(y.spent, x.spent) })
	var named []string
	for i, u := range found {
		if i >= usersShown && u.name != recording.AccountObserver {
			continue
		}
		if u.n > 1 {
			u.name = humanize.Count(u.n, u.name)
		}
		named = append(named, u.name+" "+u.spent.String())
	}
	return named
}
