// Package openmetrics writes a run as metrics.txt in the OpenMetrics text format
// 1.0 (https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md),
// for a textfile collector, a push gateway or anything else that feeds Prometheus.
//
// Samples have no timestamps: whoever reads the file adds them. Times are in seconds. The
// phases and the makespan are those of valid bursts, without warm-ups; podburst_burst_valid
// tells which bursts there were. The run's ID is a label of podburst_run_info alone, so
// that series continue from run to run.
package openmetrics

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/station"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// family is a metric family: what its lines have in common.
type family struct {
	name, kind, unit, help string
	// samples writes the family's samples.
	samples func(out *writer, r *reports.Report)
}

func families() []family {
	return []family{
		{"podburst_run", "info", "", "The run.", run},
		{"podburst_burst_valid", "gauge", "", "1 for a burst that can be trusted, 0 for one that cannot.", valid},
		{"podburst_burst_pods", "gauge", "", "Pods of a burst by outcome; they add up to the pods asked for.", pods},
		{"podburst_makespan_seconds", "gauge", "seconds", "From the submission of a burst to its last pod ready.", makespan},
		{"podburst_phase_seconds", "summary", "seconds", "Phases of the start of a burst's pods; quantiles are nearest-rank, 0 and 1 the extremes.", phases},
		{"podburst_station_part_seconds", "gauge", "seconds", "The part of a burst's makespan that is accounted to a station; known stations only.", stationPart},
		{"podburst_station_held_low_seconds", "gauge", "seconds", "For how long a station at least held its phase up; known stations only.", heldLow},
		{"podburst_station_held_high_seconds", "gauge", "seconds", "For how long a station at most held its phase up; known stations only.", heldHigh},
		{"podburst_station_known", "gauge", "", "1 for a station of which it is known how long pods waited there, 0 for one that is not ruled out.", stationKnown},
		{"podburst_not_explained_seconds", "gauge", "seconds", "The part of a burst's makespan that no known station accounts for.", notExplained},
	}
}

// Write writes metrics.txt.
func Write(w io.Writer, r *reports.Report) error {
	out := &writer{out: bufio.NewWriter(w)}
	for _, f := range families() {
		out.family(f)
		f.samples(out, r)
	}
	out.text("# EOF\n")
	if out.err == nil {
		out.err = out.out.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("write OpenMetrics: %w", out.err)
	}
	return nil
}

func run(out *writer, r *reports.Report) {
	out.sample("podburst_run_info", 1, "run", name(r.Run.ID), "provider", name(r.Run.Provider), "verdict", string(r.Verdict))
}

// of returns the labels that tell a burst from others.
func of(b *reports.Burst) []string {
	return []string{"profile", name(b.Profile), "burst", strings.TrimPrefix(recording.Burst{Index: b.Index, Warmup: b.Warmup}.Folder(), "burst-")}
}

func valid(out *writer, r *reports.Report) {
	for i := range r.Bursts {
		v := 0.0
		if r.Bursts[i].Valid {
			v = 1
		}
		out.sample("podburst_burst_valid", v, of(&r.Bursts[i])...)
	}
}

func pods(out *writer, r *reports.Report) {
	for i := range r.Bursts {
		a := r.Bursts[i].Accounting
		for _, o := range []struct {
			outcome timeline.Outcome
			pods    int
		}{{timeline.OutcomeReady, a.Ready}, {timeline.OutcomeFailed, a.Failed}, {timeline.OutcomePending, a.Pending}, {timeline.OutcomeLost, a.Lost}} {
			out.sample("podburst_burst_pods", float64(o.pods), append(of(&r.Bursts[i]), "outcome", string(o.outcome))...)
		}
	}
}

// measured returns the bursts that count, without profiled ones, which are slower.
func measured(r *reports.Report) (bursts []*reports.Burst) {
	for i := range r.Bursts {
		if b := &r.Bursts[i]; b.Comparable() {
			bursts = append(bursts, b)
		}
	}
	return bursts
}

func makespan(out *writer, r *reports.Report) {
	for _, b := range measured(r) {
		if b.MakespanSeconds != nil {
			out.sample("podburst_makespan_seconds", float64(*b.MakespanSeconds), of(b)...)
		}
	}
}

func phases(out *writer, r *reports.Report) {
	for _, b := range measured(r) {
		for _, ph := range timeline.Phases() {
			p := b.Phases[ph.Name]
			if p == nil || p.Count == 0 {
				continue
			}
			labels := append(of(b), "phase", ph.Name)
			for _, q := range []struct {
				quantile string
				seconds  float64
			}{{"0.0", p.Min}, {"0.5", p.P50}, {"0.9", p.P90}, {"0.95", p.P95}, {"0.99", p.P99}, {"1.0", p.Max}} {
				out.sample("podburst_phase_seconds", q.seconds, append(labels, "quantile", q.quantile)...)
			}
			out.sample("podburst_phase_seconds_count", float64(p.Count), labels...)
			out.sample("podburst_phase_seconds_sum", p.Mean*float64(p.Count), labels...)
		}
	}
}

func stationPart(out *writer, r *reports.Report) {
	knownStations(out, r, "podburst_station_part_seconds", func(b *reports.Burst, st *station.Station) (stats.Seconds, bool) {
		return st.Part.Seconds, b.MakespanSeconds != nil
	})
}

func heldLow(out *writer, r *reports.Report) {
	knownStations(out, r, "podburst_station_held_low_seconds", func(_ *reports.Burst, st *station.Station) (stats.Seconds, bool) { return st.Held.LowSeconds, true })
}

func heldHigh(out *writer, r *reports.Report) {
	knownStations(out, r, "podburst_station_held_high_seconds", func(_ *reports.Burst, st *station.Station) (stats.Seconds, bool) { return st.Held.HighSeconds, true })
}

// knownStations writes a sample for each station that is known and in the cluster.
func knownStations(out *writer, r *reports.Report, metric string, value func(b *reports.Burst, st *station.Station) (stats.Seconds, bool)) {
	for _, b := range measured(r) {
		for i := range b.Stations {
			st := &b.Stations[i]
			if v, ok := value(b, st); ok && st.Known && !st.Absent {
				out.sample(metric, float64(v), stationOf(b, st)...)
			}
		}
	}
}

func stationKnown(out *writer, r *reports.Report) {
	for _, b := range measured(r) {
		for i := range b.Stations {
			known := 0.0
			if b.Stations[i].Known {
				known = 1
			}
			out.sample("podburst_station_known", known, stationOf(b, &b.Stations[i])...)
		}
	}
}

func notExplained(out *writer, r *reports.Report) {
	for _, b := range measured(r) {
		if b.MakespanSeconds != nil {
			out.sample("podburst_not_explained_seconds", float64(b.NotExplainedSeconds), of(b)...)
		}
	}
}

// stationOf returns the labels that tell a burst's stations apart.
func stationOf(b *reports.Burst, st *station.Station) []string {
	labels := append(of(b), "station", name(string(st.Station)))
	if st.Component != "" {
		labels = append(labels, "component", name(st.Component))
	}
	return labels
}

// name returns a name from outside: unchanged if it is printable, else as
// recording.PathName changes it, because two series must not get the same name.
func name(s string) string {
	if humanize.Printable(s) == s {
		return s
	}
	return recording.PathName(s)
}

// writer writes lines and keeps the first error.
type writer struct {
	out *bufio.Writer
	err error
}

func (w *writer) family(f family) {
	w.text("# TYPE " + f.name + " " + f.kind + "\n")
	if f.unit != "" {
		w.text("# UNIT " + f.name + " " + f.unit + "\n")
	}
	w.text("# HELP " + f.name + " " + f.help + "\n")
}

// escapes is the escaping of a label's value.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// sample writes a line; labels are alternating names and values.
func (w *writer) sample(metric string, value float64, labels ...string) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		if w.err == nil {
			w.err = fmt.Errorf("%s is %g", metric, value)
		}
		return
	}
	w.text(metric)
	between := "{"
	for i := 0; i < len(labels); i += 2 {
		w.text(between + labels[i] + `="` + escapes.Replace(labels[i+1]) + `"`)
		between = ","
	}
	w.text("} " + strconv.FormatFloat(math.Round(value*1e9)/1e9, 'f', -1, 64) + "\n")
}

func (w *writer) text(s string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(s)
	}
}
