package session

import (
	"fmt"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
)

// Plan is a comparison with base, judged by criteria; its layout is chosen when it
// starts.
func Plan(base string, criteria gate.Criteria) (*recording.ComparisonPlan, error) {
	encoded, err := reports.EncodeCriteria(criteria)
	if err != nil {
		return nil, err
	}
	return &recording.ComparisonPlan{
		Base: base, Blocks: criteria.Spec.Blocks, MaxBlocks: criteria.Spec.MaxBlocks, Repeats: criteria.Spec.Repeats, Criteria: encoded,
	}, nil
}

// ChooseLayout decides whether the machine is large enough to run the clusters of all
// arms at the same time, given what an idle one costs, and says why. Memory that is
// not known counts as enough.
func ChooseLayout(idle clusters.Cost, arms int, machine fingerprint.Environment) (recording.Layout, string) {
	const gib = 1 << 30
	if machine.CPUs >= arms*idle.CPUs && (machine.MemoryBytes == 0 || machine.MemoryBytes >= int64(arms)*idle.Memory) {
		return recording.SideBySide, fmt.Sprintf("%d CPUs and %.0f GiB are enough for the clusters of %d arms", machine.CPUs, float64(machine.MemoryBytes)/gib, arms)
	}
	return recording.Anew, fmt.Sprintf("%d CPUs and %.0f GiB are too few for the clusters of %d arms (%d CPUs and %.0f GiB each): one is started for each burst",
		machine.CPUs, float64(machine.MemoryBytes)/gib, arms, idle.CPUs, float64(idle.Memory)/gib)
}
