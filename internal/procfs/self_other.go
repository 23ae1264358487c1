//go:build !unix

package procfs

import "time"

// SelfCPU is not known on this system.
func SelfCPU() (cpu time.Duration, ok bool) { return 0, false }
