//go:build !linux

package procfs

import "time"

// ThreadCPU is not known on this system.
func ThreadCPU() (cpu time.Duration, ok bool) { return 0, false }
