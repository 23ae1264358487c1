//go:build !linux

package kind

import (
	"os"
	"syscall"
)

// process names a process of this machine.
type process struct {
	PID int `json:"pid"`
}

func thisProcess() process { return process{PID: os.Getpid()} }

// alive says whether a process of that number runs; it may be another one, and
// then nothing is removed.
func (p process) alive() bool {
	found, err := os.FindProcess(p.PID)
	return err == nil && p.PID != 0 && found.Signal(syscall.Signal(0)) == nil
}

// dockerBusy cannot be known here; the removal looks a second time instead.
func dockerBusy(string) bool { return false }
