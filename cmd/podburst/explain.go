package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/internal/document"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/reports"
)

// explainFormats are those of podburst explain.
var explainFormats = []string{"table", "markdown", "json"}

func explainCommand() *cobra.Command {
	var q reports.Question
	var as string
	cmd := &cobra.Command{
		Use:   "explain RUN",
		Short: "Say where the time of a recorded run's bursts went, and what a change would gain",
		Long: `Ranks the stations at which the pods of a burst were served or waited: the part of
the makespan that each accounts for, with bounds, and what is not known. The parts
and "not explained" add up to the makespan.

--what-if, --without and --faster replay the recorded burst with a change, and
predict the makespan as an interval. Limits are named as in a profile; what is not
set stays as it was. Stations to do without or to make faster: job-controller, priority-and-fairness, admission,
etcd, scheduling-loop, place, status-manager (without only), image-pulls,
container-runtime; and without other-processes, for what else ran on the machine.

Of each profile the valid burst with the median makespan is explained, unless
--profile and --burst name another one. Needs no cluster.`,
		Example: `  podburst explain artifacts/20261129T150405Z-1f3a
  podburst explain --profile default --what-if kubeControllerManager.kubeAPIQPS=40,kubeAPIBurst=60 artifacts/20261129T150405Z-1f3a
  podburst explain --faster etcd=2 artifacts/20261129T150405Z-1f3a
  podburst explain --what-if kubeScheduler=unlimited --without image-pulls --format json artifacts/20261129T150405Z-1f3a`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := explainWriter(as)
			if err != nil {
				return err
			}
			if q.Burst < 0 || cmd.Flags().Changed("burst") && q.Burst == 0 {
				return fmt.Errorf("--burst %d: bursts are numbered from 1", q.Burst)
			}
			run, err := recording.Read(args[0])
			if err != nil {
				return err
			}
			explained, err := reports.Explain(run, q)
			if err != nil {
				return err
			}
			return internal(write(cmd, &explained))
		},
	}
	cmd.Flags().StringVar(&q.Profile, "profile", "", "the profile whose burst is explained (default: each)")
	cmd.Flags().IntVar(&q.Burst, "burst", 0, "the number of the burst (default: the valid one with the median makespan)")
	cmd.Flags().StringVar(&q.Limits, "what-if", "", "other limits, as kubeControllerManager.kubeAPIQPS=40,kubeAPIBurst=60 or kubeScheduler=unlimited")
	cmd.Flags().StringSliceVar(&q.Without, "without", nil, "stations that would take no time, or other-processes")
	cmd.Flags().StringSliceVar(&q.Faster, "faster", nil, "stations that would serve so many times as fast, as etcd=2")
	cmd.Flags().StringVar(&as, "format", explainFormats[0], "table, markdown or json")
	return cmd
}

func explainWriter(format string) (func(*cobra.Command, *reports.Explained) error, error) {
	switch format {
	case "table":
		return func(cmd *cobra.Command, e *reports.Explained) error {
			return document.Terminal(cmd.OutOrStdout(), e.Document())
		}, nil
	case "markdown":
		return func(cmd *cobra.Command, e *reports.Explained) error {
			return document.Markdown(cmd.OutOrStdout(), e.Document(), "see podburst explain --format json")
		}, nil
	case "json":
		return func(cmd *cobra.Command, e *reports.Explained) error { return e.WriteJSON(cmd.OutOrStdout()) }, nil
	}
	return nil, fmt.Errorf("--format %q: unknown format%s", format, nearest.Hint(format, "formats", explainFormats))
}
