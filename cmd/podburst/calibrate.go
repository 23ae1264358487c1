package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/internal/humanize"
)

func calibrateCommand(send sender) *cobra.Command {
	l := live{send: send, probe: true}
	var judged criteriaFlags
	var profile, output string
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure this machine's noise and write margins that it can decide",
		Long: `Compares a profile with itself in blocks (A/A). Whatever differs is noise, and
so it is known which slowdowns this machine can tell from it. Writes the criteria
with a margin for each endpoint and the evidence for it; pass the file to
podburst compare and podburst gate with --criteria. The rule is in docs/statistics.md.`,
		Example: `  podburst calibrate --profile default --output gate.yaml
  podburst calibrate --profile ./ci.yaml --blocks 16 --pods 50 --output gate.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(); err != nil {
				return err
			}
			p, err := profileFor("--profile", profile)
			if err != nil {
				return err
			}
			criteria, err := judged.load()
			if err != nil {
				return err
			}
			if _, err := os.Stat(output); err == nil {
				return fmt.Errorf("--output %s exists already: name another file, or remove it", output)
			}
			// This measures noise and decides nothing: no look, no extension.
			planned := criteria
			planned.Spec.MaxBlocks = planned.Spec.Blocks
			profiles := []clusters.Profile{renamed(p, "-a"), renamed(p, "-b")}
			plan, err := l.compare(profiles[0].Metadata.Name, planned)
			if err != nil {
				return err
			}
			sent, err := l.run(cmd, profiles, plan, nil)
			if err != nil {
				return err
			}
			if !sent.answered() {
				return l.end(cmd, sent.report, sent.dir, sent.code)
			}
			suggestions, err := sent.report.SuggestMargins(criteria)
			if err != nil {
				return internal(err)
			}
			calibrated := criteria.Calibrated(suggestions, gate.Evidence{
				Provider: sent.report.Run.Provider, When: sent.report.Run.StartedAt, Run: sent.report.Run.ID, Blocks: sent.report.Comparisons[0].Blocks, Pods: l.job.Pods,
			})
			calibrated.Metadata = clusters.Metadata{Name: "calibrated", Description: "Margins from A/A blocks of profile " + p.Metadata.Name + "."}
			if err := writeFile(output, calibrated.Write); err != nil {
				return internal(fmt.Errorf("write %s: %w", output, err))
			}
			for _, suggestion := range suggestions {
				fmt.Fprintln(cmd.OutOrStdout(), "- "+humanize.Printable(suggestion.Message))
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", output)
			return internal(err)
		},
	}
	l.flags(cmd)
	judged.flags(cmd)
	cmd.Flags().IntVar(&judged.blocks, "blocks", 0, "A/A blocks (default: the criteria's, 8; more make a narrower margin safe)")
	cmd.Flags().StringVar(&profile, "profile", "default", "profile that is compared with itself")
	cmd.Flags().StringVar(&output, "output", "gate.yaml", "file that gets the criteria; it must not exist")
	return cmd
}
