package listcost

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/podburst/podburst/internal/procfs"
)

// usage is what the client process has used so far. It includes garbage collection
// and everything else in the process, since Go cannot tell goroutines apart.
type usage struct {
	cpu       time.Duration
	cpuKnown  bool
	allocated int64
}

func readUsage() usage {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	var u usage
	if sample[0].Value.Kind() == metrics.KindUint64 {
		u.allocated = int64(sample[0].Value.Uint64())
	}
	u.cpu, u.cpuKnown = procfs.SelfCPU()
	return u
}

// liveHeap is how many bytes are reachable. It collects garbage twice: the second
// collection frees what sync.Pools and finalizers kept.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
