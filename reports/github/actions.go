package github

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/podburst/podburst/reports"
)

// Environment variables of a runner (GitHub docs: "Variables reference").
const (
	actionsVariable = "GITHUB_ACTIONS"
	summaryVariable = "GITHUB_STEP_SUMMARY"
	outputVariable  = "GITHUB_OUTPUT"
)

// MaxSummarySize is how much a step's summary may hold, in bytes, over everything written
// to it: GitHub drops the whole summary if it is larger than 1 MiB.
const MaxSummarySize = 1<<20 - 1

// File is the part of *os.File that is needed.
type File interface {
	io.WriteCloser
	Stat() (fs.FileInfo, error)
}

// Actions is the runner of a step. The zero value is the runner that this process runs
// under, if any.
type Actions struct {
	// Lookup reads an environment variable. Default: os.LookupEnv.
	Lookup func(name string) (string, bool)
	// Open opens a file to append to. Default: os.OpenFile, which creates it if absent.
	Open func(path string) (File, error)
	// Log gets the annotations, which the runner reads from the step's standard output and
	// standard error alike. Default: os.Stderr, so that a report on standard output can
	// still be parsed.
	Log io.Writer
}

// End is how a run ended.
type End struct {
	Report reports.Report
	// Dir is the run's folder.
	Dir string
	// Code is the exit code of the command.
	Code int
	// Probe marks a run whose verdict is not the answer (calibrate, self-test, sweep). Its
	// annotations only say why the run cannot be trusted.
	Probe bool
}

// Tell appends the report to the step's summary and sets the step's outputs, if the runner
// names files for them, and writes annotations if there is a runner. If one of these fails,
// Tell still does the rest and returns the error; no run should fail because of it.
func (a Actions) Tell(end End) error {
	var errs []error
	if path := a.value(summaryVariable); path != "" {
		if err := a.summary(path, end.Report); err != nil {
			errs = append(errs, fmt.Errorf("write the step summary (%s): %w", summaryVariable, err))
		}
	}
	if path := a.value(outputVariable); path != "" {
		if err := a.outputs(path, end); err != nil {
			errs = append(errs, fmt.Errorf("write the step's outputs (%s): %w", outputVariable, err))
		}
	}
	if a.value(actionsVariable) == "true" {
		if err := a.annotate(end); err != nil {
			errs = append(errs, fmt.Errorf("write annotations: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (a Actions) value(name string) string {
	lookup := a.Lookup
	if lookup == nil {
		lookup = os.LookupEnv
	}
	v, ok := lookup(name)
	if !ok {
		return ""
	}
	return v
}

// appendTo appends, in one write, what text returns for the file's current size.
func (a Actions) appendTo(path string, text func(size int64) ([]byte, error)) (err error) {
	open := a.Open
	if open == nil {
		open = func(path string) (File, error) {
			return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		}
	}
	f, err := open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	more, err := text(info.Size())
	if err != nil {
		return err
	}
	_, err = f.Write(more)
	return err
}

// summary appends summary.md, or one line if the step's summary has no room for it.
func (a Actions) summary(path string, r reports.Report) error {
	return a.appendTo(path, func(size int64) ([]byte, error) {
		var text bytes.Buffer
		if size > 0 {
			text.WriteString("\n\n") // a previous writer may not have ended its line
		}
		start := text.Len()
		if err := reports.WriteMarkdown(&text, r); err != nil {
			return nil, err
		}
		if size+int64(text.Len()) <= MaxSummarySize {
			return text.Bytes(), nil
		}
		text.Truncate(start)
		fmt.Fprintf(&text, "## podburst: %s\n\nThe summary of this step has no room for the rest: see %s in the run's folder.\n",
			strings.ToUpper(string(r.Verdict.Known())), reports.MarkdownFile)
		if size+int64(text.Len()) > MaxSummarySize {
			return nil, fmt.Errorf("it holds %d bytes already, and GitHub drops one of more than %d: see %s in the run's folder", size, MaxSummarySize, reports.MarkdownFile)
		}
		return text.Bytes(), nil
	})
}

// outputs sets the step's outputs:
//   - verdict: pass, fail, regressed, inconclusive or invalid
//   - report: the path of report.json
//   - exit-code: of the command
func (a Actions) outputs(path string, end End) error {
	report, err := filepath.Abs(filepath.Join(end.Dir, reports.JSONFile))
	if err != nil {
		return err
	}
	return a.appendTo(path, func(int64) ([]byte, error) {
		return []byte(output("verdict", string(end.Report.Verdict.Known())) + output("report", report) + output("exit-code", strconv.Itoa(end.Code))), nil
	})
}

// output formats an output in the multi-line form. The value does not contain the
// delimiter, so no value can end its own entry and begin another.
func output(name, value string) string {
	delimiter := "podburst_end"
	for strings.Contains(value, delimiter) {
		delimiter += "_"
	}
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", name, delimiter, value, delimiter)
}
