package procfs

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Process permanently identifies one process on one machine, for the record of
// who made something.
type Process struct {
	PID int `json:"pid"`
	// Start is Stat.Start: a pid alone may be reused later.
	Start string `json:"startTime"`
	// Boot identifies the machine's boot, and Namespace the pid namespace. Empty
	// if not known.
	Boot      string `json:"boot"`
	Namespace string `json:"namespace"`
}

// Self identifies this process. What cannot be read is left empty.
func (p FS) Self() Process {
	self := Process{PID: os.Getpid()}
	stat, _ := p.Stat(self.PID)
	self.Start = stat.Start
	self.Boot, _ = p.Text("sys/kernel/random/boot_id") // Absent in some sandboxes.
	self.Namespace, _ = fs.ReadLink(p.root, "self/ns/pid")
	return self
}

// Alive reports whether the process still runs; a zombie does not. If that
// cannot be known (its pid belongs to another namespace) it says yes, so that
// nothing in use is removed.
func (p FS) Alive(process Process) bool {
	if process.PID == 0 {
		return false
	}
	if _, err := fs.Stat(p.root, "self"); err != nil {
		// No /proc on this system. The pid may belong to another process.
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
