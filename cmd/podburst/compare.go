package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
)

// criteriaFlags choose what judges a comparison.
type criteriaFlags struct {
	path              string
	blocks, maxBlocks int
	margin            float64
}

func (f *criteriaFlags) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "criteria", "", "file of endpoints, margins and blocks, as podburst calibrate writes it (default: built in)")
	cmd.Flags().Float64Var(&f.margin, "margin", 0, "by which part the head may be slower, at every endpoint: 0.1 is 10 % (default: the criteria's)")
}

func (f *criteriaFlags) blockFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.blocks, "blocks", 0, "blocks, each with one burst of each arm (default: the criteria's, 8)")
	cmd.Flags().IntVar(&f.maxBlocks, "max-blocks", 0, "blocks after the one extension of a comparison that is not decided (default: twice --blocks)")
}

// load returns the criteria as changed by the flags; the result is checked like a
// file.
func (f *criteriaFlags) load() (gate.Criteria, error) {
	c, err := gate.LoadCriteria(f.path)
	if err != nil {
		return c, err
	}
	if c, err = c.WithBlocks(f.blocks, f.maxBlocks); err != nil {
		return c, err
	}
	return c.WithMargin(f.margin)
}

func compareCommand(send sender) *cobra.Command {
	l := live{send: send}
	var judged criteriaFlags
	var base, head, baseRun, headRun, objectives string
	var force bool
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare two profiles in interleaved blocks, or two recorded runs",
		Long: `Starts a cluster for each profile and sends bursts in blocks: in each, every
profile gets one burst, in random order, so that a machine that grows slower does
so for both. The answer is a ratio with an interval, and a verdict: improved, pass
(not slower by more than the margin), regressed or inconclusive; blocks that do not
decide it are extended once. docs/statistics.md says how it is computed.

With --base-run and --head-run it compares what two earlier runs recorded, with
no cluster. That is weaker, for whatever else changed between the runs counts, too.
Runs of unlike environments are refused, naming what differs; with --force they
show a trend, which fails nothing.`,
		Example: `  podburst compare --base default --head tuned
  podburst compare --base default --head ./mine.yaml --blocks 12 --pods 50 --provider embedded
  podburst compare --base-run artifacts/20261129T150405Z-1f3a --head-run artifacts/20261130T150405Z-77b0`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(); err != nil {
				return err
			}
			criteria, err := judged.load()
			if err != nil {
				return err
			}
			if baseRun != "" || headRun != "" {
				return l.offline(cmd, ofRun{baseRun, base}, ofRun{headRun, head}, criteria, force)
			}
			profiles, err := clusters.LoadPair(base, head)
			if err != nil {
				return err
			}
			limits, err := objectivesFrom(objectives, profiles)
			if err != nil {
				return err
			}
			plan, err := l.compare(profiles[0].Metadata.Name, criteria)
			if err != nil {
				return err
			}
			sent, err := l.run(cmd, profiles, plan, limits)
			if err != nil {
				return err
			}
			return l.end(cmd, sent.report, sent.dir, sent.code)
		},
	}
	l.flags(cmd)
	judged.flags(cmd)
	judged.blockFlags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&base, "base", "", "profile that is held to be good: a shipped one's name, or a file")
	flags.StringVar(&head, "head", "", "profile that is compared with it")
	flags.StringVar(&baseRun, "base-run", "", "folder of an earlier run; with --base, of that profile of it")
	flags.StringVar(&headRun, "head-run", "", "folder of the run that is compared with it; with --head, that profile of it")
	flags.StringVar(&objectives, "slo", "", "file of objectives that every burst must meet besides (default: none)")
	flags.BoolVar(&force, "force", false, "compare runs of unlike environments all the same: a trend, which fails nothing")
	return cmd
}

// ofRun is a run's folder and, unless all profiles are meant, one of its profiles.
type ofRun struct{ dir, profile string }

func (l *live) offline(cmd *cobra.Command, base, head ofRun, criteria gate.Criteria, force bool) error {
	if base.dir == "" || head.dir == "" {
		return errors.New("--base-run and --head-run go together: name the folders of two recorded runs")
	}
	was, err := base.read()
	if err != nil {
		return err
	}
	is, err := head.read()
	if err != nil {
		return err
	}
	profiles, err := matched(base, was, head, is)
	if err != nil {
		return err
	}
	trend, err := unlike(was, is, force)
	if err != nil {
		return err
	}
	before, err := reports.Build(was, nil)
	if err != nil {
		return err
	}
	report, err := reports.Build(is, nil)
	if err != nil {
		return err
	}
	if err := report.Against(before, profiles, criteria, trend); err != nil {
		return err
	}
	return l.recorded(cmd, report, head.dir)
}

func (r ofRun) read() (recording.Run, error) {
	run, err := recording.Read(r.dir)
	if err != nil {
		return run, err
	}
	if _, ok := run.Profile(r.profile); r.profile != "" && !ok {
		return run, fmt.Errorf("run %s has no profile %q: it has %v", run.Manifest.ID, r.profile, run.Manifest.Profiles)
	}
	return run, nil
}

// matched pairs head's profiles with base's: the ones named, otherwise those with
// equal names.
func matched(base ofRun, was recording.Run, head ofRun, is recording.Run) (map[string]string, error) {
	pairs := map[string]string{}
	if base.profile != "" || head.profile != "" {
		from, to := base.profile, head.profile
		if from == "" {
			from = to
		}
		if to == "" {
			to = from
		}
		base.profile, head.profile = from, to
		for _, r := range []ofRun{base, head} {
			if _, err := r.read(); err != nil {
				return nil, err
			}
		}
		pairs[to] = from
		return pairs, nil
	}
	for _, p := range is.Profiles {
		if _, ok := was.Profile(p.Name); ok {
			pairs[p.Name] = p.Name
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("runs %s and %s have no profile of the same name (%v and %v): say with --base and --head which to compare",
			was.Manifest.ID, is.Manifest.ID, was.Manifest.Profiles, is.Manifest.Profiles)
	}
	return pairs, nil
}

// unlike says how the environments of two runs differ; empty if they do not. Unless
// forced, a difference is an error.
func unlike(was, is recording.Run, force bool) (string, error) {
	a, err := origin(was)
	if err != nil {
		return "", err
	}
	b, err := origin(is)
	if err != nil {
		return "", err
	}
	err = fingerprint.CheckAlike(a, b, false)
	if err != nil && force {
		return err.Error(), nil
	}
	return "", err
}

func origin(run recording.Run) (fingerprint.Origin, error) {
	o := fingerprint.Origin{Provider: run.Manifest.Provider, Images: fingerprint.ImagesOf(run.Profiles)}
	if err := json.Unmarshal(run.Manifest.Environment, &o.Environment); err != nil {
		return o, fmt.Errorf("run %s does not say on what machine it ran: %w", run.Manifest.ID, err)
	}
	return o, nil
}
