package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// startTime returns when the process was started, in the kernel's ticks since
// boot. Together with the pid it names a process for good.
func startTime(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", fmt.Errorf("read the start time of process %d: %w", pid, err)
	}
	// The name in parentheses may hold anything: count from its end. The start
	// time is field 22 (see proc(5)), the state after the name is field 3.
	after := stat[bytes.LastIndexByte(stat, ')')+1:]
	fields := strings.Fields(string(after))
	if len(fields) < 20 {
		return "", fmt.Errorf("read the start time of process %d: its stat has %d fields", pid, len(fields)+2)
	}
	if fields[0] == "Z" {
		// A zombie is no longer running, but its start time still stands.
		return fields[19], nil
	}
	return fields[19], nil
}

// commandLine returns the arguments that a process runs with.
func commandLine(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil, fmt.Errorf("read the arguments of process %d: %w", pid, err)
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("read the arguments of process %d: it has ended", pid)
	}
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"), nil
}

// processesUnder returns the processes whose program lies in dir.
func processesUnder(dir string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		args, err := commandLine(pid)
		if err != nil {
			if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || len(args) == 0 {
				continue
			}
			return nil, err
		}
		if strings.HasPrefix(args[0], dir+string(filepath.Separator)) {
			found = append(found, pid)
		}
	}
	return found, nil
}

// machine identifies this boot of this machine and this process namespace: a
// pid recorded elsewhere says nothing here.
func machine() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	namespace, _ := os.Readlink("/proc/self/ns/pid")
	return strings.TrimSpace(string(boot)) + " " + namespace
}
