//go:build unix

package procfs

import (
	"syscall"
	"time"
)

// SelfCPU is the user and system time of this process; ok is false if it is not
// known.
func SelfCPU() (cpu time.Duration, ok bool) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
