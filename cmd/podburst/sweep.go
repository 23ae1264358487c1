package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/nearest"
	"github.com/podburst/podburst/reports"
)

// sweepFile holds the sweep's points in the run's folder.
const sweepFile = "sweep.json"

func sweepCommand(send sender) *cobra.Command {
	l := live{send: send, probe: true}
	var profile, component, objectives string
	var qps, meet []string
	var ratio float64
	var blocks, repeats int
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Find the smallest QPS/burst of a component that meets an objective",
		Long: `Measures a grid of kubeAPIQPS and kubeAPIBurst of one component, the rest of the
profile as it is, in blocks: each setting once in each, in random order. Prints the
curve and the smallest setting that meets the objectives in every burst.`,
		Example: `  podburst sweep --meet 'makespan <= 2s'
  podburst sweep --component kube-scheduler --qps 10,20,50/100,100 --meet 'create_to_schedule p99 <= 500ms' --blocks 5
  podburst sweep --profile ./mine.yaml --slo slo.yaml --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := l.check(); err != nil {
				return err
			}
			p, err := profileFor("--profile", profile)
			if err != nil {
				return err
			}
			profiles, err := grid(p, component, qps, ratio)
			if err != nil {
				return err
			}
			limits, err := wanted(meet, objectives, profiles)
			if err != nil {
				return err
			}
			if blocks < 1 || repeats < 0 {
				return fmt.Errorf("--blocks %d --repeats %d: want at least 1 block, and 0 or more repeats", blocks, repeats)
			}
			// No base: the settings are compared with the objectives, not with one
			// another.
			plan := &recording.ComparisonPlan{Blocks: blocks, MaxBlocks: blocks, Repeats: repeats}
			if l.layout != "auto" {
				plan.Layout, plan.LayoutReason = recording.Layout(l.layout), "it was asked for"
			}
			sent, err := l.run(cmd, profiles, plan, limits)
			if err != nil {
				return err
			}
			found := reports.SweepOf(sent.report, clusters.Component(component))
			write := func(w io.Writer) error {
				enc := json.NewEncoder(w)
				enc.SetIndent("", "  ")
				return enc.Encode(found)
			}
			if err := recording.WriteFile(recording.Disk{}, filepath.Join(sent.dir, sweepFile), write); err != nil {
				return internal(err)
			}
			switch l.format {
			case "table":
				err = reports.WriteSweep(cmd.OutOrStdout(), found)
				if err == nil {
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "\n%s\n", filepath.Join(sent.dir, sweepFile))
				}
			case "json":
				err = write(cmd.OutOrStdout())
			default:
				return l.end(cmd, sent.report, sent.dir, sent.code)
			}
			if err != nil {
				return internal(err)
			}
			// A sweep is meant to find small settings that miss the objective.
			if sent.code == verdict.ExitFail && found.Smallest != nil {
				return nil
			}
			return exit(sent.code)
		},
	}
	l.flags(cmd)
	flags := cmd.Flags()
	flags.StringVar(&profile, "profile", "default", "profile whose settings are varied")
	flags.StringVar(&component, "component", string(clusters.KubeControllerManager), "one of "+strings.Join(swept(), ", "))
	flags.StringSliceVar(&qps, "qps", []string{"20", "40", "80", "150"}, "settings, as QPS or QPS/burst")
	flags.Float64Var(&ratio, "burst-ratio", 1.5, "burst of a setting that states none, by its QPS")
	flags.StringArrayVar(&meet, "meet", nil, "objective as 'PHASE [STAT] <= LIMIT'; may be given several times")
	flags.StringVar(&objectives, "slo", "", "file of objectives, instead of --meet")
	flags.IntVar(&blocks, "blocks", 3, "bursts for each setting")
	flags.IntVar(&repeats, "repeats", gate.DefaultRepeats, "blocks with an invalid burst that may be sent again")
	return cmd
}

func swept() []string {
	var names []string
	for _, c := range clusters.Configurable() {
		names = append(names, string(c))
	}
	return names
}

// grid is a profile for each setting.
func grid(p clusters.Profile, component string, settings []string, ratio float64) ([]clusters.Profile, error) {
	var errs []error
	if !slices.Contains(swept(), component) {
		errs = append(errs, fmt.Errorf("--component %q%s", component, nearest.Hint(component, "components", swept())))
	}
	if !(ratio > 0 && ratio <= 100) {
		errs = append(errs, fmt.Errorf("--burst-ratio %g: want more than 0, at most 100", ratio))
	}
	if len(settings) < 2 {
		errs = append(errs, errors.New("--qps: a curve needs at least 2 settings"))
	}
	var profiles []clusters.Profile
	seen := map[string]bool{}
	for _, s := range settings {
		qps, burst, err := setting(s, ratio)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		varied := p
		varied.Metadata.Name = fmt.Sprintf("%s-%s-%d", clusters.Component(component).Short(), strings.ReplaceAll(fmt.Sprintf("%g", qps), ".", "p"), burst)
		varied.Metadata.Description = fmt.Sprintf("%s with %s at %g/%d", p.Metadata.Name, component, qps, burst)
		if seen[varied.Metadata.Name] {
			errs = append(errs, fmt.Errorf("--qps: %s is there twice", s))
			continue
		}
		seen[varied.Metadata.Name] = true
		if target := varied.Spec.At(clusters.Component(component)); target != nil {
			target.KubeAPIQPS, target.KubeAPIBurst = &qps, &burst
		}
		profiles = append(profiles, varied)
	}
	return profiles, errors.Join(errs...)
}

// setting reads "40" or "40/80".
func setting(s string, ratio float64) (qps float64, burst int, err error) {
	q, b, both := strings.Cut(strings.TrimSpace(s), "/")
	qps, err = strconv.ParseFloat(q, 64)
	if err != nil || !(qps > 0 && qps <= 1e6) {
		return 0, 0, fmt.Errorf("--qps %q: want requests a second, such as 40 or 40/80", s)
	}
	burst = max(1, int(math.Round(qps*ratio)))
	if both {
		if burst, err = strconv.Atoi(b); err != nil || burst < 1 {
			return 0, 0, fmt.Errorf("--qps %q: the burst after / must be a whole number of at least 1", s)
		}
	}
	return qps, burst, nil
}

var objective = regexp.MustCompile(`^\s*([a-z_]+)(?:\s+([a-z0-9]+))?\s*<=\s*([0-9.a-zµ]+)\s*$`)

// wanted are the objectives of --meet or of a file; at least one is needed.
func wanted(meet []string, path string, profiles []clusters.Profile) ([]slo.Objective, error) {
	switch {
	case len(meet) == 0 && path == "":
		return nil, errors.New("an objective is needed: --meet 'makespan <= 2s', or --slo FILE")
	case len(meet) > 0 && path != "":
		return nil, errors.New("--meet and --slo: give one of them")
	case path != "":
		return objectivesFrom(path, profiles)
	}
	var all []slo.Objective
	for i, text := range meet {
		m := objective.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("--meet %q: write 'PHASE [STAT] <= LIMIT', such as 'makespan <= 2s' or 'create_to_schedule p99 <= 500ms'", text)
		}
		phase, stat := m[1], m[2]
		if stat == "" {
			stat = "max"
		}
		limit, err := time.ParseDuration(m[3])
		switch {
		case !slices.Contains(slo.Phases(), phase):
			return nil, fmt.Errorf("--meet %q: phase %q%s", text, phase, nearest.Hint(phase, "phases", slo.Phases()))
		case !slices.Contains(stats.Names(), stat):
			return nil, fmt.Errorf("--meet %q: %q%s", text, stat, nearest.Hint(stat, "statistics", stats.Names()))
		case err != nil || limit <= 0:
			return nil, fmt.Errorf("--meet %q: the limit %q is no positive duration such as 2s or 500ms", text, m[3])
		}
		all = append(all, slo.Objective{Name: fmt.Sprintf("meet-%d", i+1), Phase: phase, Stat: stat, Limit: metav1.Duration{Duration: limit}, Scope: slo.ScopeBurst})
	}
	return all, nil
}
