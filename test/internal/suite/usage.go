package suite

import (
	"strings"
	"testing"

	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/stats"
	"github.com/podburst/podburst/framework/usage"
	"github.com/podburst/podburst/reports"
)

// CheckUsage checks that so many components of a burst were sampled on this machine, and
// all of them to its end. A node's container has all that runs in it, and so no less than
// its kubelet and its containerd; nothing used more than the machine.
func CheckUsage(t testing.TB, b *reports.Burst, components int) {
	t.Helper()
	used := map[string]stats.Seconds{}
	for _, c := range b.Usage {
		if c.Source != usage.Sampled || c.UnknownReason != "" || c.CPUSeconds == nil || *c.CPUSeconds <= 0 || c.PeakMemoryBytes == nil {
			t.Errorf("burst %s/%d: %+v", b.Profile, b.Index, c)
			continue
		}
		used[c.Component] = *c.CPUSeconds
	}
	if len(used) != components {
		t.Errorf("burst %s/%d: %d components were sampled, want %d (%s): %v", b.Profile, b.Index, len(used), components, b.UsageUnavailable, used)
	}
	machine := used[recording.AccountMachine]
	for name, all := range used {
		if all > machine {
			t.Errorf("burst %s/%d: %s used %s, the machine %s", b.Profile, b.Index, name, all, machine)
		}
		if node, ok := strings.CutPrefix(name, "node "); ok {
			if parts := used["kubelet-"+node] + used["containerd-"+node]; all < parts {
				t.Errorf("burst %s/%d: node %s used %s, its kubelet and containerd %s", b.Profile, b.Index, node, all, parts)
			}
		}
	}
}
