package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
)

func gateCommand() *cobra.Command {
	var l live
	var judged criteriaFlags
	cmd := &cobra.Command{
		Use:   "gate RUN",
		Short: "Judge a recorded comparison again, with other criteria if you like; needs no cluster",
		Long: `Reads what podburst compare (or make compare) recorded and judges it by the
criteria of the run, or by those given. Exits with 5 where the head regressed, with
3 where the run cannot be trusted, and with 6 where nothing was decided and --strict
is set. Judging a run by criteria that were chosen after looking at it proves nothing.`,
		Example: `  podburst gate artifacts/20261129T150405Z-1f3a
  podburst gate --criteria gate.yaml --strict --format markdown artifacts/20261129T150405Z-1f3a`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := findFormat(l.format); err != nil {
				return err
			}
			criteria, err := judged.load()
			if err != nil {
				return err
			}
			run, err := recording.Read(args[0])
			if err != nil {
				return err
			}
			if run.Manifest.Comparison == nil || run.Manifest.Comparison.Base == "" {
				return fmt.Errorf("run %s compares nothing: it was not sent in blocks (podburst compare does that); two runs are compared with podburst compare --base-run --head-run", run.Manifest.ID)
			}
			if judged.path != "" || judged.margin != 0 {
				if run.Manifest.Comparison.Criteria, err = reports.EncodeCriteria(criteria); err != nil {
					return err
				}
			}
			report, err := reports.Build(run, nil)
			if err != nil {
				return err
			}
			return l.recorded(cmd, report, args[0])
		},
	}
	judged.flags(cmd)
	cmd.Flags().StringVar(&l.format, "format", "table", "one of "+strings.Join(formatNames(), ", "))
	cmd.Flags().BoolVar(&l.strict, "strict", false, "exit with 6 where the verdict is inconclusive")
	return cmd
}
