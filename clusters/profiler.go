package clusters

import (
	"context"
	"fmt"
	"time"
)

// Profiler is implemented by a Cluster whose components can be asked which code uses
// their processor time.
type Profiler interface {
	// CPUProfile profiles the instance's process for d, which is rounded to whole
	// seconds and at least one, and returns what its /debug/pprof/profile answers: a
	// gzipped pprof file. Only one profile of a process can be taken at a time. The
	// error wraps ErrUnsupported where the instance does not serve profiles or does not
	// let this user have them.
	CPUProfile(ctx context.Context, instance Instance, d time.Duration) ([]byte, error)
}

// ProfilePath is where components serve a CPU profile of that length, with its query.
func ProfilePath(d time.Duration) string {
	return fmt.Sprintf("/debug/pprof/profile?seconds=%d", max(1, int(d.Round(time.Second)/time.Second)))
}
