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

// dockerBusy looks for docker commands that are about to run a node of the
// cluster: kind does not wait for all of its own when one fails, and those of a
// process that was killed live on.
func dockerBusy(cluster string) bool {
	commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return false
	}
	mark := []byte(clusterLabel + "=" + cluster + "\x00")
	for _, path := range commands {
		// What has ended meanwhile, or is another user's, is not to be read.
		command, err := os.ReadFile(path)
		if err == nil && bytes.Contains(command, []byte("\x00run\x00")) && bytes.Contains(command, mark) {
			return true
		}
	}
	return false
}

// hostPID finds the process that a node calls by the given pid, or 0. Ticks since
// boot are the same in every namespace, and NSpid lists what each one calls it.
func hostPID(pid, start string) int {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0
	}
	for _, dir := range processes {
		host, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if found, err := startOf(host); err != nil || found != start {
			continue
		}
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(status), "\nNSpid:")
		line, _, _ := strings.Cut(rest, "\n")
		if ids := strings.Fields(line); len(ids) > 1 && ids[len(ids)-1] == pid {
			return host
		}
	}
	return 0
}
