package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/verdict"
)

// Criteria are those that the run is judged by: its plan's, or the defaults.
func Criteria(m recording.Manifest) (gate.Criteria, error) {
	if m.Comparison == nil || len(m.Comparison.Criteria) == 0 {
		return gate.DefaultCriteria(), nil
	}
	// JSON is YAML.
	return gate.ParseCriteria("the run's criteria", m.Comparison.Criteria)
}

// compare holds every other profile of the plan against its base, block by block.
// A run without such a plan has no comparisons.
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
	// The looks are those of the plan: a run whose extension was ruled out spends all on one.
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

// armOf is a profile's part of a comparison.
func armOf(bursts []Burst, profile string) gate.Arm {
	arm := gate.Arm{Name: profile}
	for i := range bursts {
		if b := &bursts[i]; b.Profile == profile && b.Valid && !b.Warmup {
			arm.Bursts = append(arm.Bursts, gate.Burst{Block: b.Block, MakespanSeconds: b.MakespanSeconds, Phases: b.Phases})
		}
	}
	return arm
}

// Against replaces the report's comparisons by those of its bursts with an earlier
// run's, unpaired: head profiles of r against base profiles of base, by name. Where
// trend is not empty, it says why the two runs are unlike (another machine), and
// what was found is a trend that fails nothing.
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

// SuggestMargins are margins for the criteria's endpoints from the report's blocks,
// in which the arms are alike (A/A).
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

// plannedBlocks is how many valid blocks the run was to have, 0 for one without.
func plannedBlocks(c *recording.ComparisonPlan) int {
	switch {
	case c == nil:
		return 0
	case c.Looks > 1:
		return c.MaxBlocks
	}
	return c.Blocks
}

// replaced tells whether the burst is of a block that could not be used and that
// others stood in for, so that it takes nothing from the run.
func (r *Report) replaced(b *Burst) bool {
	return r.Run.Comparison != nil && r.Run.Complete && !b.Valid && !b.Warmup
}

// comparedTo groups the comparisons by what was compared, in their order.
func comparedTo(all []gate.Result) (groups [][]gate.Result) {
	for _, c := range all {
		if n := len(groups); n > 0 && groups[n-1][0].Base == c.Base && groups[n-1][0].Head == c.Head {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, []gate.Result{c})
	}
	return groups
}

// overall is the verdict on a group of comparisons, of its gated endpoints.
func overall(group []gate.Result) verdict.Verdict {
	var gated []verdict.Verdict
	for _, c := range group {
		if c.Gated {
			gated = append(gated, c.Verdict)
		}
	}
	return verdict.Gravest(gated...)
}

// formatVerdict is a comparison's verdict as people read it: in brackets where it
// decides nothing.
func formatVerdict(c gate.Result) string {
	if c.Gated {
		return verdictWord(c.Verdict)
	}
	return "(" + string(c.Verdict) + ")"
}

// formatRatio is "0.19", or none for nil.
func formatRatio(ratio *float64, none string) string {
	if ratio == nil {
		return none
	}
	return fmt.Sprintf("%.3g", *ratio)
}

// formatInterval is "0.18 to 0.21"; an end that has too few blocks is "?".
func formatInterval(c gate.Result) string {
	if c.Low == nil && c.High == nil {
		return "-"
	}
	return formatRatio(c.Low, "?") + " to " + formatRatio(c.High, "?")
}

// formatPlan says how a comparison was run: "8 blocks, clusters side by side (…)".
func formatPlan(r *Report) string {
	plan := r.Run.Comparison
	if plan == nil {
		return ""
	}
	text := fmt.Sprintf("%d valid blocks of %d", r.validBlocks(), plannedBlocks(plan))
	if plan.Looks > 1 {
		text += fmt.Sprintf(" (extended from %d, which did not decide it)", plan.Blocks)
	}
	replaced := 0
	for i := range r.Bursts {
		if b := &r.Bursts[i]; !b.Warmup && !b.Valid {
			replaced++
		}
	}
	if replaced > 0 {
		text += fmt.Sprintf(", %d more with an invalid burst", replaced)
	}
	text += fmt.Sprintf(", each arm once in each in an order drawn from seed %d; clusters %s", r.Run.Seed, plan.Layout)
	if plan.LayoutReason != "" {
		text += " (" + plan.LayoutReason + ")"
	}
	return text
}

// EncodeCriteria is criteria as a recording keeps them.
func EncodeCriteria(c gate.Criteria) (json.RawMessage, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("encode criteria: %w", err)
	}
	return text, nil
}
