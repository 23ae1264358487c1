package listcost

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
)

// ReportVersion is the format of listcost.json.
const ReportVersion = "podburst.dev/listcost/v1"

// Report is what a run amounts to: a pure function of its recording.
type Report struct {
	SchemaVersion string   `json:"schemaVersion"`
	Run           Manifest `json:"run"`
	// Profiles are those that were measured.
	Profiles []Result `json:"profiles"`
	// Verdict is invalid where the run was interrupted, a profile was not measured to
	// the end or a check could not be judged; fail where a check failed; else pass.
	// What the noise leaves open is a finding and fails nothing.
	Verdict verdict.Verdict `json:"verdict"`
	// Reasons say why it is no pass, the gravest first.
	Reasons []string `json:"reasons"`
}

// Build judges a recorded run. An error means that the recording holds something that
// no measurement can produce.
func Build(run Recording) (Report, error) {
	r := Report{SchemaVersion: ReportVersion, Run: run.Manifest, Profiles: []Result{}, Reasons: []string{}}
	for _, o := range run.Observations {
		result, err := Judge(o)
		if err != nil {
			return r, err
		}
		r.Profiles = append(r.Profiles, result)
	}
	r.conclude()
	return r, nil
}

func (r *Report) conclude() {
	invalid := r.incomplete()
	var failed []string
	for i := range r.Profiles {
		p := &r.Profiles[i]
		for _, c := range p.Checks {
			switch why := fmt.Sprintf("%s, %s: %s", p.Profile, c.Name, c.Message); c.Verdict {
			case verdict.Invalid:
				invalid = append(invalid, why)
			case verdict.Fail:
				failed = append(failed, why)
			}
		}
	}
	switch {
	case len(invalid) > 0:
		r.Verdict = verdict.Invalid
	case len(failed) > 0:
		r.Verdict = verdict.Fail
	default:
		r.Verdict = verdict.Pass
	}
	r.Reasons = slices.Concat([]string{}, invalid, failed)
}

// incomplete says which parts of the plan were not carried out.
func (r *Report) incomplete() (why []string) {
	if r.Run.Interrupted != "" {
		why = append(why, "the run was interrupted: "+r.Run.Interrupted)
	}
	for _, name := range r.Run.Profiles {
		i := slices.IndexFunc(r.Profiles, func(p Result) bool { return p.Profile == name })
		switch {
		case i < 0:
			why = append(why, fmt.Sprintf("the list costs of profile %s were not measured", name))
		case !r.Profiles[i].Complete:
			why = append(why, fmt.Sprintf("the list costs of profile %s were not measured at every size", name))
		}
	}
	return why
}

// WriteJSON writes listcost.json.
func (r Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("write listcost.json: %w", err)
	}
	return nil
}

// Format is one way to write a report.
type Format struct {
	Name, Help string
	// File is its name in a run's folder; empty if it is only printed.
	File  string
	Write func(Report, io.Writer) error
}

// Formats are all formats; the first one is for a terminal.
func Formats() []Format {
	return []Format{
		{"table", "for a terminal", "", Report.WriteTable},
		{"markdown", "for a step summary", "summary.md", Report.WriteMarkdown},
		{"html", "one page with a figure", "report.html", Report.WritePage},
		{"json", "all figures", "listcost.json", Report.WriteJSON},
		{"junit", "a case for each check", "junit.xml", Report.WriteJUnit},
		{"bench", "a line for each list, for benchstat", "bench.txt", Report.WriteBench},
	}
}

// WriteFiles writes the formats that are files into dir. Each file is whole or
// absent, and if one fails, the others are still written.
func (r Report) WriteFiles(files recording.FileSystem, dir string) error {
	var errs []error
	for _, f := range Formats() {
		if f.File != "" {
			errs = append(errs, recording.WriteFile(files, filepath.Join(dir, f.File), func(w io.Writer) error { return f.Write(r, w) }))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("write reports: %w", err)
	}
	return nil
}
