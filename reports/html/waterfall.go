package html

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/document/svg"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// podsDrawn is the largest number of rows of a waterfall and of its table.
const podsDrawn = document.MaxRows

// pod shows one burst of each profile, pod by pod.
func (v *view) pod() document.Section {
	s := document.Section{ID: "pods", Heading: "Pod by pod"}
	var falls []*waterfall
	for _, p := range v.profiles {
		if w := v.waterfall(p); w != nil {
			falls = append(falls, w)
		}
	}
	if len(falls) == 0 {
		if len(v.Bursts) > 0 && !v.timed {
			s.Command("podburst report --format html RUN", "This page was made from report.json, which holds no single pods. To see them, make it from the recording:")
		}
		return s
	}
	f := &document.Figure{
		ID: "fig-pods", Layout: "panels wide", Name: "Every pod's start, one row a pod.", Legend: v.phaseKeys(),
		Caption: []string{
			"Each profile's burst with the median makespan; rows from top to bottom in the order in which the pods were created, time to the right, the same axis for all panels. A phase shorter than a pixel is not seen; a cross ends a pod that was not ready.",
		},
	}
	high := 0.0
	floored := map[int]string{}
	for _, w := range falls {
		high = max(high, w.span())
		for i, fl := range w.floors {
			if fl.at(len(w.pods)) > 0 {
				floored[i] = "floor of " + fl.component + "'s limiter"
			}
		}
	}
	for _, i := range sortedKeys(floored) {
		f.Legend = append(f.Legend, svg.Key{Class: "floor floor" + strconv.Itoa(i), Path: svg.KeyLine().String(), Label: floored[i]})
	}
	if slices.ContainsFunc(falls, func(w *waterfall) bool { return !w.burst.Valid }) {
		f.Caption = append(f.Caption, "Of a profile without a valid burst the last one is shown, to find the fault by.")
	}
	if len(floored) > 0 {
		f.Caption = append(f.Caption, "Broken line: the floor of a client-side limiter, QPS/burst, a token bucket. It lets as many requests as its burst through at once and every further one at its QPS, which is the line's slope: with one request a pod, none can be left of it. Pods along it wait for the limiter and for nothing else; what else the component sends (Events) takes tokens, too, and moves them to the right.")
	}
	width := 440.0
	if len(falls) > 2 {
		f.Layout, width = "panels", 350
	}
	for _, w := range falls {
		w.draw(f, high, width)
		f.Data = append(f.Data, w.table())
	}
	s.Figure(f)
	if n := len(v.Bursts) - len(falls); n > 0 {
		s.Command("podburst report --format trace RUN", "%s not drawn here. For each of them pod by pod, open in ui.perfetto.dev what this writes:", humanize.Count(n, "other burst"))
	}
	return s
}

// waterfall is one burst pod by pod.
type waterfall struct {
	*profile
	burst *reports.Burst
	// workload is what the pods come from, for the wording.
	workload recording.Workload
	pods     []timeline.Pod
	// rows are the pods drawn, as indices of pods.
	rows []int
	// start is time 0 of the figure; since says what it is.
	start  time.Time
	since  string
	floors []floor
}

// waterfall takes the profile's median burst. If the profile has no valid burst it takes
// the last one, which may show the fault.
func (v *view) waterfall(p *profile) *waterfall {
	i := p.median
	if i < 0 && len(p.recorded) > 0 {
		i = p.recorded[len(p.recorded)-1]
	}
	if i < 0 {
		return nil
	}
	t := v.Timeline(i)
	if t == nil || len(t.Pods) == 0 {
		return nil
	}
	w := &waterfall{profile: p, workload: v.Workload(), burst: &v.Bursts[i], pods: t.Pods, start: t.Submit.At}
	switch created, ok := t.Pods[0].Primary(timeline.Create); {
	case !w.start.IsZero():
		w.since = "since the " + w.workload.Kind + " was submitted"
		if p.result != nil {
			w.floors = floors(p.result.Effective)
		}
	case ok:
		w.start, w.since = created.At, "since the first pod was created"
	default:
		return nil
	}
	n := len(t.Pods)
	for row := range min(n, podsDrawn) {
		if n > podsDrawn {
			row = row * (n - 1) / (podsDrawn - 1)
		}
		w.rows = append(w.rows, row)
	}
	return w
}

// mark is a mark's time in seconds since w.start.
func (w *waterfall) mark(p *timeline.Pod, m timeline.Mark) (float64, bool) {
	stamp, ok := p.Primary(m)
	return stamp.At.Sub(w.start).Seconds(), ok
}

// span is the time of the last mark or floor, whichever is later.
func (w *waterfall) span() float64 {
	last := 1e-3
	for i := range w.pods {
		for _, m := range timeline.Marks() {
			if at, ok := w.mark(&w.pods[i], m); ok {
				last = max(last, at)
			}
		}
	}
	for _, f := range w.floors {
		last = max(last, f.at(len(w.pods)))
	}
	return last
}

func (w *waterfall) title() string {
	title := w.short + ", burst " + reports.BurstName(w.burst)
	if !w.burst.Valid {
		title += " (INVALID)"
	}
	return title
}

func (w *waterfall) draw(f *document.Figure, high, width float64) {
	n := len(w.rows)
	step := min(max(300/float64(n), 1.5), 16)
	const left, top = 38, 46
	right := width - 22
	bottom := top + step*float64(n)
	p := f.Panel(width, bottom+34, "Waterfall of "+w.title(), w.desc())
	plot := svg.NewPlot(p, left, top, right, bottom, svg.Scale{High: high}, svg.Scale{})
	p.Text("title", 0, 14, w.title())
	p.Text("name", 0, 30, w.floorText())
	plot.TimeAxis(5, w.since)
	for _, row := range []int{0, n / 2, n - 1} {
		if row == 0 || row == n-1 || n >= 8 {
			plot.Text("tick end", left-5, top+step*(float64(row)+0.5)+4, strconv.Itoa(w.rows[row]+1))
		}
		if n == 1 {
			break
		}
	}
	for i, ph := range timeline.Chain() {
		var d svg.Path
		for row, k := range w.rows {
			from, okFrom := w.mark(&w.pods[k], ph.From)
			to, okTo := w.mark(&w.pods[k], ph.To)
			if x1, x2 := plot.X.At(from), plot.X.At(to); okFrom && okTo && x2-x1 >= 0.05 {
				y := top + step*(float64(row)+0.5)
				d.Move(x1, y)
				d.Line(x2, y)
			}
		}
		p.Stroke("row f"+strconv.Itoa(i), d, rowStroke(step))
	}
	w.crosses(plot, step)
	for i, fl := range w.floors {
		d := drawFloor(plot, fl, len(w.pods), func(k float64) float64 { return top + step*(k-0.5)*float64(n)/float64(len(w.pods)) })
		p.Path("halo", d)
		p.Path("floor floor"+strconv.Itoa(i), d)
	}
}

// rowStroke leaves a gap between rows if they are high enough; gaps between lower rows
// would look like stripes.
func rowStroke(step float64) float64 {
	if step < 5 {
		return step
	}
	return step - 1
}

// crosses mark pods that were not ready, at the last time known about them.
func (w *waterfall) crosses(p *svg.Plot, step float64) {
	var d svg.Path
	for row, k := range w.rows {
		pod := &w.pods[k]
		if pod.Outcome == timeline.OutcomeReady {
			continue
		}
		last := 0.0
		for _, m := range timeline.Marks() {
			if at, ok := w.mark(pod, m); ok {
				last = max(last, at)
			}
		}
		x := svg.Cross(p.X.At(last)+3, p.Top+step*(float64(row)+0.5), min(3, step/2))
		d.Append(x)
	}
	p.Path("failed", d)
}

func (w *waterfall) desc() string {
	ready, last := 0, 0.0
	for i := range w.pods {
		if w.pods[i].Outcome == timeline.OutcomeReady {
			ready++
		}
		if at, ok := w.mark(&w.pods[i], timeline.Create); ok {
			last = max(last, at)
		}
	}
	some := ""
	if len(w.rows) < len(w.pods) {
		some = fmt.Sprintf(" %d evenly chosen rows are drawn.", len(w.rows))
	}
	return fmt.Sprintf("%s in order of creation, the last one created after %s; %d of %d expected pods ready, makespan %s. %s.%s",
		humanize.Count(len(w.pods), "pod"), humanize.Seconds(last), ready, w.burst.Accounting.Expected, secondsOf(w.burst.MakespanSeconds), w.floorText(), some)
}

func (w *waterfall) table() *document.Table {
	caption := "Pods of " + w.name + ", burst " + reports.BurstName(w.burst)
	if len(w.rows) < len(w.pods) {
		caption += fmt.Sprintf(" (%d evenly chosen ones of %d)", len(w.rows), len(w.pods))
	}
	t := document.NewTable(caption, "pod", " node", " outcome", "created after", "submit_to_create", "create_to_schedule", "schedule_to_accept", "accept_to_sandbox", "sandbox_to_started", "started_to_run", "run_to_observed", "ready after")
	for _, k := range w.rows {
		p := &w.pods[k]
		cells := []any{p.Name, p.Node, string(p.Outcome), w.markText(p, timeline.Create)}
		for _, ph := range timeline.Chain() {
			text := "-"
			if d, _, _, ok := p.Duration(ph); ok {
				text = humanize.Seconds(d.Seconds())
			}
			cells = append(cells, text)
		}
		t.Row(append(cells, w.markText(p, timeline.Ready))...)
	}
	return t
}

func (w *waterfall) markText(p *timeline.Pod, m timeline.Mark) string {
	if at, ok := w.mark(p, m); ok {
		return humanize.Seconds(at)
	}
	return "-"
}
