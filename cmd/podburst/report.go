package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/reports"
)

type format struct {
	name  string
	write func(w io.Writer, r reports.Report, dir string) error
}

func formats() []format {
	return []format{
		{"table", reports.WriteTable},
		{"json", func(w io.Writer, r reports.Report, _ string) error { return reports.WriteJSON(w, r) }},
		{"junit", func(w io.Writer, r reports.Report, _ string) error { return reports.WriteJUnit(w, r) }},
		{"markdown", func(w io.Writer, r reports.Report, _ string) error { return reports.WriteMarkdown(w, r) }},
	}
}

func reportCommand() *cobra.Command {
	var as, sloPath string
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Judge a recorded run again and print its report; needs no cluster",
		Long: `Reads the raw observations in a run's folder and computes the report anew.
Exits with the code of the run's verdict.`,
		Example: `  podburst report artifacts/20261129T150405Z-1f3a
  podburst report --format markdown --slo my-slo.yaml artifacts/20261129T150405Z-1f3a`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.IndexFunc(formats(), func(f format) bool { return f.name == as })
			if i < 0 {
				return fmt.Errorf("unknown --format %q%s", as, nearest.Hint(as, "formats", names))
			}
			run, err := recording.Read(args[0])
			if err != nil {
				return err
			}
			load := slo.LoadOrDefault
			if run.Passive() {
				load = slo.LoadForPassive
			}
			objectives, err := load(sloPath)
			if err != nil {
				return err
			}
			if err := objectives.CheckProfiles(run.Manifest.Profiles); err != nil {
				return err
			}
			report, err := reports.Build(run, objectives.Spec.Objectives)
			if err != nil {
				return err
			}
			if err := formats()[i].write(cmd.OutOrStdout(), report, args[0]); err != nil {
				return internal(err)
			}
			if report.Verdict != reports.Pass {
				return verdictError{report.Verdict}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&as, "format", "table", "one of "+strings.Join(names, ", "))
	cmd.Flags().StringVar(&sloPath, "slo", "", "file of objectives (default: the shipped slo.yaml)")
	return cmd
}

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of report.json",
		Example: "  podburst schema > report.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(reports.Schema)
			return internal(err)
		},
	}
}
