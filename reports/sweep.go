package reports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/verdict"
	"github.com/podburst/podburst/internal/document"
)

// Sweep is what a run over a grid of settings of one component found: how the
// makespan depends on them, and the smallest that meets the objectives.
type Sweep struct {
	Component string       `json:"component"`
	Points    []SweepPoint `json:"points"`
	// Smallest is the first point, by QPS and burst, that meets all objectives in every
	// burst; null where none does.
	Smallest *SweepPoint `json:"smallest"`
	// Profiled is set if the components were profiled during the bursts, which slows them.
	Profiled bool `json:"profiled,omitempty"`
}

// SweepPoint is one setting.
type SweepPoint struct {
	Profile string `json:"profile"`
	// QPS and Burst are the limits in force.
	QPS   float64 `json:"kubeAPIQPS"`
	Burst int     `json:"kubeAPIBurst"`
	// Bursts is how many are valid; MakespanSeconds is null without one.
	Bursts          int            `json:"bursts"`
	MakespanSeconds *stats.Summary `json:"makespanSeconds"`
	// FloorSeconds is the least that this limiter allows, where it is the Job controller's.
	FloorSeconds *stats.Seconds `json:"floorSeconds"`
	// Meets: every objective that covers the profile passed; Missed says which did not.
	Meets  bool     `json:"meets"`
	Missed []string `json:"missed"`
}

// SweepOf reads the sweep of a component's limits from a report: one point per profile,
// ordered by QPS and burst. A profile without known limits, a valid burst or an objective
// meets nothing.
func SweepOf(r Report, component clusters.Component) Sweep {
	s := Sweep{Component: string(component), Points: []SweepPoint{}, Profiled: r.ProfiledNote() != ""}
	for i := range r.Profiles {
		p := &r.Profiles[i]
		limits := limitsOf(p.Effective, component)
		point := SweepPoint{
			Profile: p.Name, QPS: limits.KubeAPIQPS, Burst: limits.KubeAPIBurst, Bursts: p.ValidBursts,
			MakespanSeconds: p.MakespanSeconds, Missed: []string{},
		}
		for j := range r.Bursts {
			if b := &r.Bursts[j]; b.Profile == p.Name && b.Valid && !b.Warmup && component == clusters.KubeControllerManager {
				point.FloorSeconds = b.CreationFloorSeconds
			}
		}
		judged := false
		for _, c := range r.SLO {
			if c.Profile != p.Name {
				continue
			}
			judged = true
			if c.Verdict != verdict.Pass {
				point.Missed = append(point.Missed, c.Name+": "+c.Message)
			}
		}
		point.Meets = judged && len(point.Missed) == 0 && p.ValidBursts > 0 && limits.Source != ""
		s.Points = append(s.Points, point)
	}
	slices.SortStableFunc(s.Points, func(a, b SweepPoint) int {
		if a.QPS != b.QPS {
			return int(math.Copysign(1, a.QPS-b.QPS))
		}
		return a.Burst - b.Burst
	})
	if i := slices.IndexFunc(s.Points, func(p SweepPoint) bool { return p.Meets }); i >= 0 {
		point := s.Points[i]
		s.Smallest = &point
	}
	return s
}

// limitsOf returns the component's limits; for kubelets, those of the first by name.
func limitsOf(effective clusters.Effective, component clusters.Component) clusters.Limits {
	if all := effective.Of(component); len(all) > 0 {
		return all[0]
	}
	return clusters.Limits{}
}

// WriteSweep writes the curve and the answer for a terminal, in at most 100 columns.
func WriteSweep(out io.Writer, s Sweep) error {
	longest := 0.0
	for _, p := range s.Points {
		if p.MakespanSeconds != nil {
			longest = math.Max(longest, p.MakespanSeconds.P50)
		}
	}
	answer := document.Section{Heading: "Limits of " + s.Component + ", and what a burst takes with them:"}
	t := document.NewTable("", "QPS/burst", "bursts", "makespan p50", "max", "limiter's floor", " objectives", " ")
	for _, p := range s.Points {
		row := []any{fmt.Sprintf("%g/%d", p.QPS, p.Burst), p.Bursts}
		bar, met := "", "met"
		if m := p.MakespanSeconds; m != nil {
			row = append(row, m.P50, m.Max)
			bar = strings.Repeat("█", max(1, int(math.Round(24*m.P50/longest))))
		} else {
			row = append(row, "-", "-")
		}
		if !p.Meets {
			met = "MISSED"
		}
		t.Row(append(row, p.FloorSeconds, met, bar)...)
	}
	answer.Table(t)
	if s.Smallest != nil {
		answer.Text("The smallest setting that meets the objectives: %s %g/%d (kubeAPIQPS/kubeAPIBurst).", s.Component, s.Smallest.QPS, s.Smallest.Burst)
	} else {
		answer.Text("No setting meets the objectives.")
		if n := len(s.Points); n > 0 && len(s.Points[n-1].Missed) > 0 {
			answer.Text("The largest misses %s", s.Points[n-1].Missed[0])
		}
	}
	if s.Profiled {
		answer.Text("The components were profiled, which slows them: without it a smaller setting may meet the objectives.")
	}
	larger := false
	for i := range s.Points {
		p := &s.Points[i]
		if larger && !p.Meets && p.Bursts > 0 {
			answer.Text("%g/%d is larger and misses them: there something else decides, or noise does; more blocks tell which.", p.QPS, p.Burst)
		}
		larger = larger || s.Smallest != nil && p.Profile == s.Smallest.Profile
	}
	if err := document.Terminal(out, &document.Document{Sections: []document.Section{answer}}); err != nil {
		return fmt.Errorf("write sweep: %w", err)
	}
	return nil
}
