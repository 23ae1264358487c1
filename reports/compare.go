package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
)

// Criteria returns the criteria that the run is judged by: its plan's, or the defaults.
func Criteria(m recording.Manifest) (gate.Criteria, error) {
	if m.Comparison == nil || len(m.Comparison.Criteria) == 0 {
		return gate.DefaultCriteria(), nil
	}
	// JSON is YAML.
	return gate.ParseCriteria("the run's criteria", m.Comparison.Criteria)
}

// compare compares every other profile of the plan with its base, block by block. A run
// without such a plan has no comparisons.
func compare(m recording.Manifest, bursts []Burst) ([]gate.Result, error) {
	all := []gate.Result{}
	plan := m.Comparison
	if plan == nil || plan.Base == "" {
		return all, nil
	}
	criteria, err := Criteria(m)
	if err != nil {
		return nil, err
	}
	// The looks are those of the plan: a run without an extension spends all of alpha on
	// one.
	options := gate.Options{Alpha: criteria.Spec.Alpha, Look: max(1, plan.Looks), Looks: 1}
	if plan.MaxBlocks > plan.Blocks {
		options.Looks = 2
	}
	for _, head := range m.Profiles {
		if head == plan.Base {
			continue
		}
		results, err := criteria.Compare(armOf(bursts, plan.Base), armOf(bursts, head), options)
		if err != nil {
			return nil, err
		}
		all = append(all, results...)
	}
	return all, nil
}

// armOf returns a profile's side of a comparison.
func armOf(bursts []Burst, profile string) gate.Arm {
	arm := gate.Arm{Name: profile}
	for i := range bursts {
		if b := &bursts[i]; b.Profile == profile && b.Valid && !b.Warmup {
			arm.Bursts = append(arm.Bursts, gate.Burst{Block: b.Block, MakespanSeconds: b.MakespanSeconds, Phases: b.Phases, Profiled: b.Profiled})
		}
	}
	return arm
}

// Against replaces the report's comparisons: it compares r's bursts with those of an
// earlier run, unpaired. profiles maps head profiles of r to base profiles of base, by
// name. If trend is not empty, it says why the two runs are unlike (another machine), and
// the findings are trends, which fail nothing.
func (r *Report) Against(base Report, profiles map[string]string, criteria gate.Criteria, trend string) error {
	r.Comparisons = []gate.Result{}
	for _, head := range slices.Sorted(maps.Keys(profiles)) {
		earlier := armOf(base.Bursts, profiles[head])
		earlier.Name += " of " + base.Run.ID
		results, err := criteria.CompareUnpaired(earlier, armOf(r.Bursts, head))
		if err != nil {
			return err
		}
		for _, result := range results {
			if trend != "" {
				result = result.Trend(trend)
			}
			r.Comparisons = append(r.Comparisons, result)
		}
	}
	r.Conclude()
	return nil
}

// SuggestMargins returns margins for the criteria's endpoints from the report's blocks,
// whose arms are alike (A/A).
func (r *Report) SuggestMargins(criteria gate.Criteria) ([]gate.Suggestion, error) {
	if r.Run.Comparison == nil || len(r.Run.PlannedProfiles) != 2 {
		return nil, fmt.Errorf("suggest margins: run %s is no comparison of two arms", r.Run.ID)
	}
	base := r.Run.Comparison.Base
	head := r.Run.PlannedProfiles[0]
	if head == base {
		head = r.Run.PlannedProfiles[1]
	}
	return criteria.Suggest(armOf(r.Bursts, base), armOf(r.Bursts, head))
}

// validBlocks counts the blocks in which every planned profile has a valid burst.
func (r *Report) validBlocks() (n int) {
	valid := map[int]map[string]bool{}
	for i := range r.Bursts {
		b := &r.Bursts[i]
		if b.Warmup || !b.Valid || b.Block == 0 || !slices.Contains(r.Run.PlannedProfiles, b.Profile) {
			continue
		}
		if valid[b.Block] == nil {
			valid[b.Block] = map[string]bool{}
		}
		valid[b.Block][b.Profile] = true
	}
	for _, profiles := range valid {
		if len(profiles) == len(r.Run.PlannedProfiles) {
			n++
		}
	}
	return n
}

// plannedBlocks is the number of valid blocks that the run was to have; 0 without a plan.
func plannedBlocks(c *recording.ComparisonPlan) int {
	switch {
	case c == nil:
		return 0
	case c.Looks > 1:
		return c.MaxBlocks
	}
	return c.Blocks
}

// replaced tells whether the burst's block could not be used and another block replaced it,
// so that the run lost nothing.
func (r *Report) replaced(b *Burst) bool {
	return r.Run.Comparison != nil && r.Run.Complete && !b.Valid && !b.Warmup
}

// EncodeCriteria encodes criteria as a recording keeps them.
func EncodeCriteria(c gate.Criteria) (json.RawMessage, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("encode criteria: %w", err)
	}
	return text, nil
}
