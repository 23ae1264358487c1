package procfs

import (
	"syscall"
	"time"
)

// ThreadCPU is the user and system time of the calling thread; ok is false if it is not
// known. It means something to a goroutine that is locked to its thread.
func ThreadCPU() (cpu time.Duration, ok bool) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &usage); err != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
