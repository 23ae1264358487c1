//go:build !linux

package kind

import (
	"errors"
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

// startOf and hostPID: nodes run in a virtual machine, whose processes are not to
// be seen from here.
func startOf(int) (string, error) { return "", errors.ErrUnsupported }

func hostPID(string, string) int { return 0 }
