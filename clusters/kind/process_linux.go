package kind

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// process names one life of a process of this machine.
type process struct {
	PID int `json:"pid"`
	// Start is when it started, in the kernel's ticks since boot: a pid alone
	// is given to others later.
	Start string `json:"start"`
	// Boot names the boot of the machine, and Namespace what pids count in.
	Boot      string `json:"boot"`
	Namespace string `json:"namespace"`
}

func thisProcess() process {
	p := process{PID: os.Getpid(), Boot: bootID(), Namespace: namespace()}
	p.Start, _ = startOf(p.PID)
	return p
}

func bootID() string {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // Absent in some sandboxes.
	return strings.TrimSpace(string(text))
}

func namespace() string {
	name, _ := os.Readlink("/proc/self/ns/pid")
	return name
}

// startOf is field 22 of /proc/<pid>/stat; the second field may hold blanks.
func startOf(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return "", fmt.Errorf("/proc/%d/stat is short", pid)
	}
	return fields[19], nil
}

// alive says whether the process still runs. Where that cannot be known (its
// pid counts in another namespace) it says yes, so that nothing in use is removed.
func (p process) alive() bool {
	if p.PID == 0 || p.Boot != bootID() {
		return false
	}
	if p.Namespace != namespace() {
		return true
	}
	start, err := startOf(p.PID)
	return err == nil && start == p.Start
}

// dockerBusy looks for docker commands that this process has started to run a
// node of the cluster: kind does not wait for all of them when one fails.
func dockerBusy(cluster string) bool {
	mark := []byte(clusterLabel + "=" + cluster)
	children, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return false
	}
	parent := strconv.Itoa(os.Getpid())
	for _, path := range children {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // It has ended.
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 || fields[1] != parent || fields[0] == "Z" {
			continue
		}
		commandLine, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err == nil && bytes.Contains(commandLine, mark) {
			return true
		}
	}
	return false
}
