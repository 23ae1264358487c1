// Package bench writes a run as bench.txt in the Go benchmark format, one line per burst,
// so that
//
//	go tool benchstat -col /profile bench.txt
//
// compares the profiles of a run, and "go tool benchstat before.txt after.txt" compares
// two runs. The format is https://golang.org/design/14313-benchmark-format with the unit
// metadata of golang.org/x/perf/benchfmt.
//
// A burst is one sample, whatever its number of pods, because its pods wait for each other
// in the same queues. All values are in seconds; less is better. Warm-ups and invalid
// bursts are left out, and so are profiled ones; a comment counts them.
//
// benchstat makes a separate table for each file configuration, so the file configuration
// holds only what makes results incomparable: the machine, the provider and the Kubernetes
// version. benchstat's p-values assume independent samples. For a verdict on a change use
// framework/gate, which compares block by block.
package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// metric is one measured value of a burst.
type metric struct {
	// unit ends in "sec", which benchstat scales (to ms or µs).
	unit string
	of   func(b *reports.Burst) (seconds float64, ok bool)
}

func metrics() []metric {
	return []metric{
		{"makespan-sec", func(b *reports.Burst) (float64, bool) {
			if b.MakespanSeconds == nil {
				return 0, false
			}
			return float64(*b.MakespanSeconds), true
		}},
		podStartup("p50", func(p *stats.Summary) float64 { return p.P50 }),
		podStartup("p90", func(p *stats.Summary) float64 { return p.P90 }),
		podStartup("p99", func(p *stats.Summary) float64 { return p.P99 }),
	}
}

const podStartupPhase = "pod_startup"

func podStartup(name string, stat func(*stats.Summary) float64) metric {
	return metric{podStartupPhase + "-" + name + "-sec", func(b *reports.Burst) (float64, bool) {
		p := b.Phases[podStartupPhase]
		if p == nil || p.Count == 0 {
			return 0, false
		}
		return stat(p), true
	}}
}

// Write writes bench.txt.
func Write(w io.Writer, r *reports.Report) error {
	env := environment(r)
	out := bufio.NewWriter(w)
	var lines []string
	warmups, invalid, profiled := 0, 0, 0
	for i := range r.Bursts {
		b := &r.Bursts[i]
		switch l, ok := line(b, env.CPUs); {
		case b.Warmup:
			warmups++
		case !b.Valid || !ok:
			invalid++
		case b.Profiled:
			profiled++
		default:
			lines = append(lines, l)
		}
	}
	fmt.Fprintf(out, "# podburst run %s: %d valid bursts; warm-ups (%d) and invalid bursts (%d) are left out.\n", word(r.Run.ID), len(lines), warmups, invalid)
	if profiled > 0 {
		fmt.Fprintf(out, "# Profiled bursts (%d) are left out: profiling slows the components.\n", profiled)
	}
	fmt.Fprintf(out, "# One line is one burst. Quantiles are over its pods (%s).\n", word(r.Run.Quantile))
	for _, c := range [][2]string{
		{"pkg", "github.com/podburst/podburst"}, {"goos", env.OS}, {"goarch", env.Arch}, {"cpu", env.CPUModel},
		{"provider", r.Run.Provider}, {"kubernetes", versions(r)},
	} {
		if value := text(c[1]); value != "" {
			fmt.Fprintf(out, "%s: %s\n", c[0], value)
		}
	}
	for _, m := range metrics() {
		fmt.Fprintf(out, "Unit %s better=lower\n", m.unit)
	}
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write bench.txt: %w", err)
	}
	return nil
}

// line returns the burst's result line; ok is false for a burst without any value. The
// profile's name is a path element of the benchmark's name. recording.PathName removes the
// format's separators ("/", "=", white space) from it.
func line(b *reports.Burst, cpus int) (line string, ok bool) {
	var s strings.Builder
	fmt.Fprintf(&s, "BenchmarkBurst/profile=%s/pods=%d", recording.PathName(b.Profile), b.Pods)
	if cpus > 1 { // like the testing package
		fmt.Fprintf(&s, "-%d", cpus)
	}
	s.WriteString(" 1")
	for _, m := range metrics() {
		if v, known := m.of(b); known && !math.IsNaN(v) && !math.IsInf(v, 0) {
			// Rounded to nanoseconds, without the noise of binary fractions.
			s.WriteString(" " + strconv.FormatFloat(math.Round(v*1e9)/1e9, 'g', -1, 64) + " " + m.unit)
			ok = true
		}
	}
	return s.String(), ok
}

// environment is the machine of the run; unknown fields are empty.
func environment(r *reports.Report) fingerprint.Environment {
	var env fingerprint.Environment
	if err := json.Unmarshal(r.Environment, &env); err != nil {
		return fingerprint.Environment{}
	}
	return env
}

// versions returns the Kubernetes versions of the profiles, usually one.
func versions(r *reports.Report) string {
	var all []string
	for i := range r.Profiles {
		if v := r.Profiles[i].KubernetesVersion; v != "" && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// maxText bounds a value from outside, in runes: benchfmt reads lines of at most 64 KiB.
const maxText = 200

// text is s on one line.
func text(s string) string {
	runes := []rune(strings.TrimSpace(humanize.Printable(s)))
	return string(runes[:min(len(runes), maxText)])
}

// word is text, or "-" if that is empty.
func word(s string) string {
	if s = text(s); s == "" {
		return "-"
	}
	return s
}
