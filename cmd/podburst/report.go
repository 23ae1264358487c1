package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
	"github.com/podburst/podburst/reports/formats"
)

// rendering is what podburst report was asked for.
type rendering struct {
	formats []formats.Format
	// out is the folder for the files; "" is each run's own folder.
	out, slo string
	// printed: the only format goes to standard output.
	printed bool
}

func reportCommand() *cobra.Command {
	var as []string
	var r rendering
	cmd := &cobra.Command{
		Use:   "report RUN [RUN...]",
		Short: "Judge recorded runs again and print or write their reports; needs no cluster",
		Long: `Reads the raw observations in a run's folder and computes its report anew.

One format is printed. Several, or any with --out, are written as files, whose
paths are printed: into the run's own folder, or with --out into that one, where
each of several runs gets a folder of its own.

Exits with the code of the run's verdict, of several runs with the gravest.

Formats:
` + formatHelp(),
		Example: `  podburst report artifacts/20261129T150405Z-1f3a
  podburst report --format markdown --slo my-slo.yaml artifacts/20261129T150405Z-1f3a
  podburst report --format bench artifacts/20261129T150405Z-1f3a > after.txt && go tool benchstat before.txt after.txt
  podburst report --format trace,csv,perfdata --out /tmp/reports artifacts/*`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if r.formats, err = findFormats(as); err != nil {
				return err
			}
			return r.runs(cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().StringSliceVar(&as, "format", []string{"table"}, "one or more of "+strings.Join(formats.Names(), ", "))
	cmd.Flags().StringVar(&r.out, "out", "", "folder to write to (default: print one format; write several into the run's own folder)")
	cmd.Flags().StringVar(&r.slo, "slo", "", "file of objectives (default: the shipped slo.yaml)")
	return cmd
}

// formatHelp has one line per format.
func formatHelp() string {
	var lines []string
	for _, f := range formats.All() {
		lines = append(lines, fmt.Sprintf("  %-12s %s", f.Name, f.Help))
	}
	return strings.Join(lines, "\n")
}

// runs renders the runs one after the other.
func (r *rendering) runs(out io.Writer, dirs []string) error {
	r.printed = len(r.formats) == 1 && r.out == ""
	switch {
	case len(r.formats) == 0:
		return errors.New("--format names no format")
	case r.printed && len(dirs) > 1:
		return fmt.Errorf("the %s of %d runs cannot be one output: add --out DIR, or name one run", r.formats[0].Name, len(dirs))
	case r.printed && r.formats[0].Folder:
		return fmt.Errorf("--format %s is a folder of files: add --out DIR", r.formats[0].Name)
	}
	if r.out != "" {
		if err := os.MkdirAll(r.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	found := verdict.Pass
	written := map[string]string{}
	for _, dir := range dirs {
		report, err := r.build(dir)
		if err != nil {
			return err
		}
		if r.printed {
			err = r.formats[0].Print(out, &report, dir)
		} else {
			to := r.folder(dir, report.Run.ID, len(dirs) > 1)
			if other, twice := written[to]; twice {
				return fmt.Errorf("%s and %s are both run %s, and %s can hold one", other, dir, report.Run.ID, to)
			}
			written[to] = dir
			err = r.write(out, to, dir, &report)
		}
		if err != nil {
			return internal(err)
		}
		found = verdict.Gravest(found, report.Verdict)
	}
	if found != verdict.Pass {
		return verdictError{found}
	}
	return nil
}

// folder is where the files of the run in dir go.
func (r *rendering) folder(dir, id string, several bool) string {
	switch {
	case r.out == "":
		return filepath.Clean(dir)
	case several:
		return filepath.Join(r.out, recording.PathName(id))
	}
	return filepath.Clean(r.out)
}

func (r *rendering) write(out io.Writer, to, dir string, report *reports.Report) error {
	paths, err := formats.Write(recording.Disk{}, to, report, dir, r.formats)
	for _, path := range paths {
		if _, printErr := fmt.Fprintln(out, path); printErr != nil {
			return errors.Join(err, printErr)
		}
	}
	return err
}

// build reads and judges the run in dir.
func (r *rendering) build(dir string) (reports.Report, error) {
	run, err := recording.Read(dir)
	if err != nil {
		return reports.Report{}, err
	}
	load := slo.LoadOrDefault
	if run.Passive() {
		load = slo.LoadForPassive
	}
	objectives, err := load(r.slo)
	if err != nil {
		return reports.Report{}, err
	}
	if err := objectives.CheckProfiles(run.Manifest.Profiles); err != nil {
		return reports.Report{}, err
	}
	return reports.Build(run, objectives.Spec.Objectives)
}
