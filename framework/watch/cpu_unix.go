//go:build unix

package watch

import (
	"syscall"
	"time"
)

// processCPU is the user and system CPU time of this process; 0 if unknown.
func processCPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
