// Package formats is the table of everything that a run can be written as: what the suite
// writes after every burst, and what podburst report renders again. Each format is a
// package beside this one (or is in package reports), and a pure function of a report. To
// add a format, add a line to All.
package formats

import (
	"fmt"
	"io"
	"slices"

	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/bench"
	"github.com/podburst/podburst/reports/csv"
	"github.com/podburst/podburst/reports/html"
	"github.com/podburst/podburst/reports/openmetrics"
	"github.com/podburst/podburst/reports/perfdata"
	"github.com/podburst/podburst/reports/series"
	"github.com/podburst/podburst/reports/trace"
)

// Format is one way to write a run.
type Format struct {
	// Name is what --format takes. Help says in a few words what it is for.
	Name, Help string
	// EveryRun: the suite writes it. Other formats are written on request.
	EveryRun bool
	// Draft: it is also written while the run is in progress; see WriteDraft.
	Draft bool
	// Folder: Files may return any number of files, so they cannot go to one output.
	Folder bool
	// Files returns the format's files. dir is the run's folder, for paths in texts.
	Files func(r *reports.Report, dir string) []File
}

// File is one file of a format.
type File struct {
	// Path is relative to the output folder, with forward slashes. It contains no colon.
	Path  string
	Write func(w io.Writer) error
}

// All returns the formats, in the order in which help lists them.
func All() []Format {
	return []Format{
		{Name: "table", Help: "for a terminal", Files: func(r *reports.Report, dir string) []File {
			return []File{{"table.txt", func(w io.Writer) error { return reports.WriteTable(w, *r, dir) }}}
		}},
		{Name: "json", Help: "the contract", EveryRun: true, Draft: true, Files: one(reports.JSONFile, value(reports.WriteJSON))},
		{Name: "junit", Help: "for CI systems", EveryRun: true, Draft: true, Files: one(reports.JUnitFile, value(reports.WriteJUnit))},
		{Name: "markdown", Help: "for a step summary", EveryRun: true, Draft: true, Files: one(reports.MarkdownFile, value(reports.WriteMarkdown))},
		{Name: "html", Help: "one page that explains the run", EveryRun: true, Files: one(html.File, html.Write)},
		{Name: "bench", Help: "for benchstat", EveryRun: true, Files: one("bench.txt", bench.Write)},
		{Name: "trace", Help: "for ui.perfetto.dev", EveryRun: true, Files: one("trace.json", trace.Write)},
		{Name: "perfdata", Help: "for perf-dash", EveryRun: true, Folder: true, Files: perfData},
		{Name: "openmetrics", Help: "for Prometheus", Files: one("metrics.txt", openmetrics.Write)},
		{Name: "csv", Help: "a row for each pod and phase", Files: one("pods.csv", csv.Write)},
		{Name: "series", Help: "for github-action-benchmark, customSmallerIsBetter", Files: one("series.json", series.Write)},
	}
}

func one(path string, write func(w io.Writer, r *reports.Report) error) func(*reports.Report, string) []File {
	return func(r *reports.Report, _ string) []File {
		return []File{{path, func(w io.Writer) error { return write(w, r) }}}
	}
}

// value adapts a writer of package reports, which takes the report by value.
func value(write func(w io.Writer, r reports.Report) error) func(io.Writer, *reports.Report) error {
	return func(w io.Writer, r *reports.Report) error { return write(w, *r) }
}

func perfData(r *reports.Report, _ string) []File {
	var files []File
	for i := range r.Profiles {
		p := &r.Profiles[i]
		files = append(files, File{"perfdata/" + perfdata.FileName(p.Name), func(w io.Writer) error { return perfdata.Write(w, r, p) }})
	}
	return files
}

// Names returns the names of All.
func Names() []string {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return names
}

// Named returns the format of that name. For an unknown name the error suggests the nearest
// one.
func Named(name string) (Format, error) {
	all := All()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("unknown --format %q%s", name, nearest.Hint(name, "formats", Names()))
	}
	return all[i], nil
}
