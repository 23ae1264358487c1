package trace

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// Threads of a burst that are not pods. Pods begin at firstPod.
const (
	burstThread = 1 + iota
	creationThread
	floorThread
	firstPod
)

// burst is one burst being drawn.
type burst struct {
	report *reports.Burst
	// controller is who made the pods, as text.
	controller string
	timeline   *timeline.Timeline
	process    int
	// base is the burst's time 0.
	base time.Time
	// marks are the pods' drawn marks.
	marks [][]mark
}

// mark is a mark of a pod as it is drawn.
type mark struct {
	timeline.Mark
	// at is in microseconds after the base, and never earlier than the mark before.
	at int64
	// measured is the reading as it was measured.
	measured timeline.Stamp
}

func newBurst(r *reports.Report, i int) *burst {
	b := &burst{report: &r.Bursts[i], controller: r.Workload().Controller, timeline: r.Timeline(i), process: i + 1}
	b.base = origin(b.timeline)
	chain := []timeline.Mark{timeline.Submit}
	for _, ph := range timeline.Chain() {
		chain = append(chain, ph.To)
	}
	for p := range b.timeline.Pods {
		var drawn []mark
		last := int64(0)
		for _, m := range chain {
			if stamp, ok := b.timeline.Pods[p].Primary(m); ok {
				last = max(last, micros(b.base, stamp.At))
				drawn = append(drawn, mark{m, last, stamp})
			}
		}
		b.marks = append(b.marks, drawn)
	}
	return b
}

// origin is the burst's submission, or the earliest mark if it has none.
func origin(t *timeline.Timeline) time.Time {
	if !t.Submit.At.IsZero() {
		return t.Submit.At
	}
	var earliest time.Time
	for i := range t.Pods {
		for _, m := range timeline.Marks() {
			if s, ok := t.Pods[i].Primary(m); ok && (earliest.IsZero() || s.At.Before(earliest)) {
				earliest = s.At
			}
		}
	}
	return earliest
}

func (b *burst) write(out *writer) {
	b.name(out, "process_name", 0, burstName(b.report))
	b.sort(out, "process_sort_index", 0, b.process)
	b.overview(out)
	b.phases(out)
	for p := range b.timeline.Pods {
		b.pod(out, p)
	}
}

// overview draws the burst as a whole.
func (b *burst) overview(out *writer) {
	b.thread(out, burstThread, "burst")
	if at := b.timeline.Submit.At; !at.IsZero() {
		out.event(event{
			Phase: instant, Name: "submit", Category: "burst", Process: b.process, Thread: burstThread, Scope: "p",
			Args: map[string]any{"at": at.Format(time.RFC3339Nano)},
		})
	}
	if m := b.report.MakespanSeconds; m != nil {
		b.slice(out, burstThread, "makespan", "burst", 0, seconds(*m), map[string]any{"seconds": *m})
	}
	first, last, ok := b.created()
	if !ok {
		return
	}
	if s := b.report.CreationSpreadSeconds; s != nil {
		b.thread(out, creationThread, "creation")
		b.slice(out, creationThread, "first to last pod created", "burst", first, last-first, map[string]any{"seconds": *s})
	}
	if f := b.report.CreationFloorSeconds; f != nil && *f > 0 {
		b.thread(out, floorThread, "creation floor")
		b.slice(out, floorThread, "least time that the "+b.controller+"'s limiter allows", "burst", first, seconds(*f), map[string]any{"seconds": *f})
	}
}

// created returns the first and the last creation of the pods.
func (b *burst) created() (first, last int64, ok bool) {
	for _, marks := range b.marks {
		for _, m := range marks {
			if m.Mark != timeline.Create {
				continue
			}
			if !ok {
				first, last, ok = m.at, m.at, true
			}
			first, last = min(first, m.at), max(last, m.at)
		}
	}
	return first, last, ok
}

// pod draws one pod: its whole start, with the phases inside.
func (b *burst) pod(out *writer, p int) {
	pod, marks, thread := &b.timeline.Pods[p], b.marks[p], firstPod+p
	name := humanize.Printable(pod.Name)
	label := name
	if pod.Node != "" {
		label += " on " + humanize.Printable(pod.Node)
	}
	b.thread(out, thread, label)
	if len(marks) == 0 {
		return
	}
	args := map[string]any{"outcome": string(pod.Outcome)}
	if pod.Node != "" {
		args["node"] = humanize.Printable(pod.Node)
	}
	if pod.Replacement {
		args["replacement"] = true
	}
	first, last := marks[0], marks[len(marks)-1]
	if len(marks) == 1 {
		out.event(event{Phase: instant, Name: name + ": nothing after " + first.String(), Category: "pod", Process: b.process, Thread: thread, At: first.at, Scope: "t", Args: args})
		return
	}
	args["seconds"] = last.measured.At.Sub(first.measured.At).Seconds()
	b.slice(out, thread, name, "pod", first.at, last.at-first.at, args)
	for i, to := range marks[1:] {
		from := marks[i]
		b.slice(out, thread, from.String()+"_to_"+to.String(), "phase", from.at, to.at-from.at, map[string]any{
			"seconds": to.measured.At.Sub(from.measured.At).Seconds(),
			"sources": string(from.measured.Source) + ", " + string(to.measured.Source),
		})
	}
}

// maxCounts is the largest number of points at which the pods in each phase are counted.
const maxCounts = 500

// phases draws how many pods are in each phase of the chain, and past its end.
func (b *burst) phases(out *writer) {
	type step struct {
		at       int64
		from, to int
	}
	chain := timeline.Chain()
	names := make([]string, 0, len(chain)+1)
	for _, ph := range chain {
		names = append(names, ph.Name)
	}
	names = append(names, timeline.Observed.String())
	// A pod is in the phase that begins with its latest mark.
	begins := func(m timeline.Mark) int {
		if i := slices.IndexFunc(chain, func(ph timeline.Phase) bool { return ph.From == m }); i >= 0 {
			return i
		}
		return len(chain)
	}
	var steps []step
	counts := make([]int, len(names))
	for _, marks := range b.marks {
		for i, m := range marks {
			s := step{at: m.at, from: -1, to: begins(m.Mark)}
			if i > 0 {
				s.from = begins(marks[i-1].Mark)
			}
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		return
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	least := (steps[len(steps)-1].at - steps[0].at) / maxCounts
	drawn := steps[0].at - least
	for i, s := range steps {
		if s.from >= 0 {
			counts[s.from]--
		}
		counts[s.to]++
		last := i == len(steps)-1
		if !last && (steps[i+1].at == s.at || s.at-drawn < least) {
			continue
		}
		drawn = s.at
		args := make(map[string]any, len(names))
		for n, name := range names {
			args[fmt.Sprintf("%d %s", n+1, name)] = counts[n]
		}
		out.event(event{Phase: counter, Name: "pods", Category: "burst", Process: b.process, At: s.at, Args: args})
	}
}

func (b *burst) slice(out *writer, thread int, name, category string, at, took int64, args map[string]any) {
	took = max(0, took)
	out.event(event{Phase: complete, Name: name, Category: category, Process: b.process, Thread: thread, At: at, Took: &took, Args: args})
}

// thread names a thread and sorts threads by number.
func (b *burst) thread(out *writer, thread int, name string) {
	b.name(out, "thread_name", thread, name)
	b.sort(out, "thread_sort_index", thread, thread)
}

func (b *burst) name(out *writer, what string, thread int, name string) {
	out.event(event{Phase: metadata, Name: what, Process: b.process, Thread: thread, Args: map[string]any{"name": name}})
}

func (b *burst) sort(out *writer, what string, thread, index int) {
	out.event(event{Phase: metadata, Name: what, Process: b.process, Thread: thread, Args: map[string]any{"sort_index": index}})
}

// seconds converts seconds to microseconds.
func seconds[T ~float64](s T) int64 { return int64(s * 1e6) }
