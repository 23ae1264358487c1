package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/reports"
)

func selfTestCommand(send sender) *cobra.Command {
	l := live{send: send, probe: true}
	var judged criteriaFlags
	var profile string
	cmd := &cobra.Command{
		Use:   "self-test",
		Short: "Check that the gate trips on this machine, and only when it should",
		Long: `Compares a profile with itself and with a copy in which kube-controller-manager
may send half as many requests (QPS and burst), in the same blocks. The copy must
come out as regressed and the profile itself must not; else the exit code is 1, and
no verdict of this machine should be relied on.`,
		Example: `  podburst self-test
  podburst self-test --profile ./ci.yaml --pods 50 --blocks 10`,
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
			if err == nil {
				// One look: halving is far beyond any margin, and it is fine if the
				// profile against itself stays undecided.
				criteria, err = criteria.WithBlocks(criteria.Spec.Blocks, criteria.Spec.Blocks)
			}
			if err != nil {
				return err
			}
			same, half := renamed(p, "-same"), halved(p)
			profiles := []clusters.Profile{p, same, half}
			plan, err := l.compare(p.Metadata.Name, criteria)
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
			if err := l.end(cmd, sent.report, sent.dir, verdict.ExitPass); err != nil {
				return err
			}
			if faults := tripped(sent.report, same.Metadata.Name, half.Metadata.Name); len(faults) > 0 {
				return internal(fmt.Errorf("self-test: the gate cannot be relied on here: %s", strings.Join(faults, "; ")))
			}
			printer(cmd, cmd.ErrOrStderr()).Say("self-test: the gate trips where the limits were halved, and not where nothing changed")
			return nil
		},
	}
	l.flags(cmd)
	judged.flags(cmd)
	cmd.Flags().IntVar(&judged.blocks, "blocks", 0, "blocks, each with one burst of each of the three arms (default: the criteria's, 8)")
	cmd.Flags().StringVar(&profile, "profile", "default", "profile that is tested with")
	return cmd
}

// Defaults of kube-controller-manager (k8s.io/kubernetes, all versions so far), for a
// profile that does not change them.
const (
	controllerManagerQPS   = 20.0
	controllerManagerBurst = 30
)

// halved is a copy of p whose kube-controller-manager has half the limits.
func halved(p clusters.Profile) clusters.Profile {
	qps, burst := controllerManagerQPS, controllerManagerBurst
	manager := &p.Spec.KubeControllerManager
	if manager.KubeAPIQPS != nil {
		qps = *manager.KubeAPIQPS
	}
	if manager.KubeAPIBurst != nil {
		burst = *manager.KubeAPIBurst
	}
	qps, burst = qps/2, max(1, burst/2)
	manager.KubeAPIQPS, manager.KubeAPIBurst = &qps, &burst
	p.Metadata.Description = "half of kube-controller-manager's limits"
	return renamed(p, "-half")
}

// tripped says what the gate missed, or found where there was nothing.
func tripped(r reports.Report, same, half string) (faults []string) {
	found := false
	for _, c := range r.Comparisons {
		switch {
		case c.Head == half && c.Endpoint == slo.Makespan && c.Verdict == verdict.Regressed:
			found = true
		case c.Head == same && c.Verdict == verdict.Regressed:
			faults = append(faults, "nothing changed, and yet "+c.Message)
		}
	}
	if !found {
		faults = append(faults, "the limits were halved, and the makespan is not called regressed")
	}
	return faults
}
