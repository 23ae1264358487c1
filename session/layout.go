package session

import (
	"fmt"

	"github.com/podburst/podburst/clusters/kind"
	"github.com/podburst/podburst/framework/fingerprint"
	"github.com/podburst/podburst/framework/gate"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/reports"
)

// What an idle cluster beside the one that is measured needs so as not to be felt.
// Measured on 2 cores (docs/statistics.md): an idle embedded cluster with two hollow
// nodes takes a few percent of a core and 0.7 GiB; kind's run containers, too.
const (
	embeddedCPUs, embeddedMemory = 1, 1 << 30
	kindCPUs, kindMemory         = 2, 3 << 30
)

// Plan is a comparison with base judged by criteria; its layout is chosen when it starts.
func Plan(base string, criteria gate.Criteria) (*recording.Comparison, error) {
	encoded, err := reports.EncodeCriteria(criteria)
	if err != nil {
		return nil, err
	}
	return &recording.Comparison{
		Base: base, Blocks: criteria.Spec.Blocks, MaxBlocks: criteria.Spec.MaxBlocks, Repeats: criteria.Spec.Repeats, Criteria: encoded,
	}, nil
}

// ChooseLayout decides whether the machine is large enough for the clusters of all
// arms to live side by side, and says why. Memory that is not known counts as enough.
func ChooseLayout(provider string, arms int, machine fingerprint.Environment) (recording.Layout, string) {
	cpus, memory := embeddedCPUs, int64(embeddedMemory)
	if provider == kind.ProviderName {
		cpus, memory = kindCPUs, kindMemory
	}
	const gib = 1 << 30
	if machine.CPUs >= arms*cpus && (machine.MemoryBytes == 0 || machine.MemoryBytes >= int64(arms)*memory) {
		return recording.SideBySide, fmt.Sprintf("%d CPUs and %.0f GiB are enough for the clusters of %d arms", machine.CPUs, float64(machine.MemoryBytes)/gib, arms)
	}
	return recording.Anew, fmt.Sprintf("%d CPUs and %.0f GiB are too few for the clusters of %d arms (%d CPUs and %.0f GiB each): one is started for each burst",
		machine.CPUs, float64(machine.MemoryBytes)/gib, arms, cpus, float64(memory)/gib)
}
