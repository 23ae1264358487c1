// Package trace writes a run as trace.json: Chrome trace events, for a look at
// every pod in https://ui.perfetto.dev or chrome://tracing. The format is the
// "JSON Object Format" of the Trace Event Format
// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
//
// A process is a burst, and a thread is one of its pods, in the order of creation. A pod's
// slice holds the phases of its start. Every burst begins at 0, its submission (or its
// first mark, if others sent it), so that bursts of two profiles are aligned. Besides its
// pods a burst shows its makespan, the time in which its pods were created, the least time
// that the limiter of the workload's controller allows for that, and how many pods were in
// each phase.
//
// Times are whole microseconds. Slices are drawn from marks that never go back: a mark that
// clock error put before its predecessor is drawn at the predecessor's time. A slice's
// argument "seconds" is the measured value, which may be negative. Where a mark is missing,
// one slice spans from the mark before it to the mark after it.
//
// Warm-ups and invalid bursts are in the trace, and their names say so.
package trace

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/humanize"
	"github.com/podburst/podburst/reports"
)

// ErrNoPods is the error for a report that was read from report.json, which holds no
// individual pods.
var ErrNoPods = errors.New("the report holds no single pods; build it from the recording")

// Write writes trace.json.
func Write(w io.Writer, r *reports.Report) error {
	for i := range r.Bursts {
		if r.Timeline(i) == nil {
			return fmt.Errorf("write trace: %w", ErrNoPods)
		}
	}
	out := newWriter(w)
	out.begin()
	for i := range r.Bursts {
		newBurst(r, i).write(out)
	}
	out.end(map[string]string{
		"run": humanize.Printable(r.Run.ID), "provider": humanize.Printable(r.Run.Provider), "verdict": string(r.Verdict),
		"timeOrigin": "each burst's submission, or the first mark of a burst that others sent", "tool": "podburst",
	})
	if err := out.close(); err != nil {
		return fmt.Errorf("write trace: %w", err)
	}
	return nil
}

// burstName is the name of a burst's process.
func burstName(b *reports.Burst) string {
	name := fmt.Sprintf("%s burst %d", humanize.Printable(b.Profile), b.Index)
	if b.Warmup {
		name = humanize.Printable(b.Profile) + " " + recording.Burst{Index: b.Index, Warmup: true}.Folder()
	}
	name += fmt.Sprintf(" (%d pods)", b.Pods)
	if !b.Valid {
		name += " INVALID"
	}
	return name
}

// micros is the number of whole microseconds from base to t. Rounding down keeps the order
// of times, so that slices stay nested.
func micros(base, t time.Time) int64 {
	d := t.Sub(base)
	us := d.Microseconds()
	if d < 0 && d%time.Microsecond != 0 {
		us--
	}
	return us
}
