package reports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/slo"
	"github.com/podburst/podburst/framework/stats"
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
func compare(m recording.Manifest, bursts []Burst) ([]Comparison, error) {
	all := []Comparison{}
	plan := m.Comparison
	if plan == nil || plan.Base == "" {
		return all, nil
	}
	criteria, err := Criteria(m)
	if err != nil {
		return nil, err
	}
	for _, head := range m.Profiles {
		if head == plan.Base {
			continue
		}
		options := criteria.Options(max(1, plan.Looks))
		// The looks are those of the plan: a run whose extension was ruled out spends all on one.
		options.Looks = 1
		if plan.MaxBlocks > plan.Blocks {
			options.Looks = 2
		}
		for _, judged := range families(criteria) {
			var endpoints []gate.Endpoint
			for _, c := range judged.criteria {
				endpoints = append(endpoints, c.Endpoint(pairs(bursts, plan.Base, head, c)))
			}
			results, err := gate.Judge(endpoints, options)
			if err != nil {
				return nil, fmt.Errorf("compare %s with %s: %w", head, plan.Base, err)
			}
			for i, result := range results {
				all = append(all, comparison(plan.Base, head, judged.gated, result, endpoints[i].Pairs))
			}
		}
	}
	return all, nil
}

// family is endpoints whose verdicts are adjusted for one another.
type family struct {
	criteria []gate.Criterion
	gated    bool
}

// families are the gated endpoints together, and each watched one by itself.
func families(c gate.Criteria) []family {
	all := []family{{c.Spec.Endpoints, true}}
	for i := range c.Spec.Watched {
		all = append(all, family{c.Spec.Watched[i : i+1], false})
	}
	return all
}

// pairs are the blocks in which both arms have a valid burst with the endpoint.
func pairs(bursts []Burst, base, head string, c gate.Criterion) []gate.Pair {
	values := map[int]*gate.Pair{}
	var order []int
	for i := range bursts {
		b := &bursts[i]
		value, ok := endpoint(b, c)
		if !ok || b.Profile != base && b.Profile != head {
			continue
		}
		pair := values[b.Block]
		if pair == nil {
			pair = &gate.Pair{Block: b.Block}
			values[b.Block] = pair
			order = append(order, b.Block)
		}
		if b.Profile == base {
			pair.Base = value
		} else {
			pair.Head = value
		}
	}
	slices.Sort(order)
	var all []gate.Pair
	for _, block := range order {
		if pair := values[block]; pair.Base > 0 && pair.Head > 0 {
			all = append(all, *pair)
		}
	}
	return all
}

// endpoint is the one number of a burst that is compared, in seconds. A burst that
// counts for nothing has none, and neither has one in which it took no time that
// could be measured: there is no ratio to nothing.
func endpoint(b *Burst, c gate.Criterion) (seconds float64, ok bool) {
	if b.Warmup || !b.Valid {
		return 0, false
	}
	if c.Phase == slo.Makespan {
		if b.MakespanSeconds == nil {
			return 0, false
		}
		return *b.MakespanSeconds, *b.MakespanSeconds > 0
	}
	ph := b.Phases[c.Phase]
	if ph == nil || ph.Count == 0 {
		return 0, false
	}
	seconds, ok = stat(ph.Summary, c.Stat)
	return seconds, ok && seconds > 0
}

func stat(s stats.Summary, name string) (seconds float64, ok bool) {
	switch name {
	case "mean":
		return s.Mean, true
	case "p50":
		return s.P50, true
	case "p90":
		return s.P90, true
	case "p95":
		return s.P95, true
	}
	return 0, false
}

func comparison(base, head string, gated bool, r gate.Result, pairs []gate.Pair) Comparison {
	c := Comparison{
		Base: base, Head: head, Endpoint: r.Endpoint, Gated: gated, Paired: r.Paired, Blocks: r.Blocks,
		Ratio: r.Ratio, Low: r.Low, High: r.High, LowConfidence: r.LowConfidence, HighConfidence: r.Confidence,
		Margin: r.Margin, FloorSeconds: r.FloorSeconds,
		BaseSeconds: r.BaseSeconds, HeadSeconds: r.HeadSeconds, ChangeSeconds: r.ChangeSeconds,
		PValue: r.PValue, Noise: r.Noise, BlocksNeeded: r.BlocksNeeded,
		Pairs: []Pair{}, Verdict: r.Verdict, Message: r.Message,
	}
	for _, p := range pairs {
		c.Pairs = append(c.Pairs, Pair{Block: p.Block, BaseSeconds: p.Base, HeadSeconds: p.Head})
	}
	return c
}

// Against replaces the report's comparisons by those of its bursts with an earlier
// run's, unpaired: head profiles of r against base profiles of base, by name. Where
// trend is not empty, it says why the two runs are unlike (another machine), and
// what was found is a trend that fails nothing.
func (r *Report) Against(base Report, profiles map[string]string, criteria gate.Criteria, trend string) error {
	r.Comparisons = []Comparison{}
	for _, head := range slices.Sorted(maps.Keys(profiles)) {
		for _, judged := range families(criteria) {
			var endpoints []gate.UnpairedEndpoint
			for _, c := range judged.criteria {
				endpoints = append(endpoints, c.Unpaired(values(base.Bursts, profiles[head], c), values(r.Bursts, head, c)))
			}
			results, err := gate.JudgeUnpaired(endpoints, gate.Options{Alpha: criteria.Spec.Alpha})
			if err != nil {
				return fmt.Errorf("compare %s of run %s with %s of run %s: %w", head, r.Run.ID, profiles[head], base.Run.ID, err)
			}
			for _, result := range results {
				r.Comparisons = append(r.Comparisons, trending(comparison(profiles[head]+" of "+base.Run.ID, head, judged.gated, result, nil), trend))
			}
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
	var endpoints []gate.Endpoint
	for _, c := range criteria.Spec.Endpoints {
		endpoints = append(endpoints, c.Endpoint(pairs(r.Bursts, base, head, c)))
	}
	return gate.SuggestMargins(endpoints, criteria)
}

// trending is c as a trend, for a reason, or c itself without one.
func trending(c Comparison, reason string) Comparison {
	if reason == "" {
		return c
	}
	c.Message = fmt.Sprintf("a trend only, which fails nothing (%s): %s", reason, c.Message)
	if c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved {
		c.Verdict = verdict.Inconclusive
	}
	return c
}

func values(bursts []Burst, profile string, c gate.Criterion) []float64 {
	var all []float64
	for i := range bursts {
		if v, ok := endpoint(&bursts[i], c); ok && bursts[i].Profile == profile {
			all = append(all, v)
		}
	}
	return all
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
func plannedBlocks(c *recording.Comparison) int {
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
func comparedTo(all []Comparison) (groups [][]Comparison) {
	for _, c := range all {
		if n := len(groups); n > 0 && groups[n-1][0].Base == c.Base && groups[n-1][0].Head == c.Head {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, []Comparison{c})
	}
	return groups
}

// overall is the verdict on a group of comparisons, of its gated endpoints.
func overall(group []Comparison) verdict.Verdict {
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
func formatVerdict(c Comparison) string {
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
func formatInterval(c Comparison) string {
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
