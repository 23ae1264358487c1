package procfs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Process names one process of one machine for good, for the record of who made
// something.
type Process struct {
	PID int `json:"pid"`
	// Start is Stat.Start: a pid alone is given to others later.
	Start string `json:"startTime"`
	// Boot names the boot of the machine, and Namespace what pids count in. Empty:
	// not known.
	Boot      string `json:"boot"`
	Namespace string `json:"namespace"`
}

// Self names this process. What cannot be read is left empty.
func (p FS) Self() Process {
	self := Process{PID: os.Getpid()}
	stat, _ := p.Stat(self.PID)
	self.Start = stat.Start
	self.Boot, _ = p.Text("sys/kernel/random/boot_id") // Absent in some sandboxes.
	self.Namespace, _ = fs.ReadLink(p.root, "self/ns/pid")
	return self
}

// Alive says whether the process still runs; a zombie does not. Where that cannot
// be known (its pid counts in another namespace) it says yes, so that nothing in
// use is removed.
func (p FS) Alive(process Process) bool {
	if process.PID == 0 {
		return false
	}
	if _, err := fs.Stat(p.root, "self"); err != nil {
		// No /proc on this system. It may be another process of that number.
		found, err := os.FindProcess(process.PID)
		return err == nil && found.Signal(syscall.Signal(0)) == nil
	}
	here := p.Self()
	switch {
	case process.Boot != "" && process.Boot != here.Boot:
		return false
	case process.Namespace != "" && process.Namespace != here.Namespace:
		return true
	}
	stat, err := p.Stat(process.PID)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH)
	}
	return !stat.Ended() && (process.Start == "" || process.Start == stat.Start)
}
