package reports

import (
	"slices"
	"strings"

	"github.com/podburst/podburst/framework/timeline"
	"github.com/podburst/podburst/internal/document"
)

// ShownPhases returns the rows of a phase table: the chain from submission to the watcher,
// then the phases that span it, then the three-stage view.
func ShownPhases() []timeline.Phase {
	all := timeline.Chain()
	for _, name := range []string{"pod_startup", "submit_to_ready", "scheduling", "creation", "startup"} {
		for _, ph := range timeline.Derived() {
			if ph.Name == name {
				all = append(all, ph)
			}
		}
	}
	return all
}

// PhaseTable shows how long each phase took in the given profiles.
func PhaseTable(profiles ...*Profile) *document.Table {
	t := document.NewTable("Phases: pods of all valid bursts together", "phase", "+ profile", "+min", "p50", "p90", "+p95", "p99", "max", "n", "missing", " read from")
	dashes := func(n int) []string { return slices.Repeat([]string{"-"}, n) }
	for _, ph := range ShownPhases() {
		for _, p := range profiles {
			switch s := p.Phases[ph.Name]; {
			case s == nil:
				t.Row(ph.Name, p.Name, dashes(8), "not available")
			case s.Count == 0:
				t.Row(ph.Name, p.Name, dashes(6), 0, s.Missing, "-")
			default:
				t.Row(ph.Name, p.Name, s.Min, s.P50, s.P90, s.P95, s.P99, s.Max, s.Count, s.Missing, strings.ReplaceAll(s.Source, "+", " + "))
			}
		}
	}
	return t
}
