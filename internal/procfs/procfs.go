// Package procfs reads what Linux says about processes and the machine in
// /proc. It is the one reader for everything podburst looks up there. See
// proc(5).
//
// On other systems there is no /proc, and every method returns an error that
// wraps fs.ErrNotExist; only Alive and SelfCPU have other means there.
package procfs

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FS is a machine's /proc.
type FS struct{ root fs.FS }

// Local is this machine's.
func Local() FS { return New(os.DirFS("/proc")) }

// New is the /proc in root, for tests and recorded machines.
func New(root fs.FS) FS { return FS{root} }

// Text is the content of a file, by its path in /proc, without surrounding
// white space.
func (p FS) Text(name string) (string, error) {
	text, err := fs.ReadFile(p.root, name)
	return strings.TrimSpace(string(text)), err
}

// ticksPerSecond is USER_HZ, which is 100 on every architecture that Go runs on.
const ticksPerSecond = 100

// Stat is one process.
type Stat struct {
	// State is a letter: R is running, S sleeping, Z a zombie (ended but not
	// reaped), …
	State byte
	// Parent is the parent's pid.
	Parent int
	// CPU is its user and system time, in steps of 10 ms; threads that have ended are
	// included, children are not.
	CPU time.Duration
	// Children is that of its children that have ended and were waited for, and of
	// theirs.
	Children time.Duration
	// MemoryBytes is its resident memory.
	MemoryBytes int64
	// Start is when it started, in ticks since boot. Together with the pid it
	// identifies a process permanently. It is the same in every pid namespace.
	Start string
}

// Ended reports whether the process has ended, and its parent has yet to reap it.
func (s Stat) Ended() bool { return s.State == 'Z' || s.State == 'X' }

// Stat reads /proc/<pid>/stat.
func (p FS) Stat(pid int) (Stat, error) {
	text, err := p.Text(fmt.Sprintf("%d/stat", pid))
	if err != nil {
		return Stat{}, fmt.Errorf("read the state of process %d: %w", pid, err)
	}
	// The name in parentheses may contain anything, so count from its end. Field
	// 3, the state, follows it.
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 22 {
		return Stat{}, fmt.Errorf("read the state of process %d: its stat is short: %q", pid, text)
	}
	numbers, err := integers(fields[1], fields[11], fields[12], fields[13], fields[14], fields[21])
	if err != nil {
		return Stat{}, fmt.Errorf("read the state of process %d: %w", pid, err)
	}
	return Stat{
		State:       fields[0][0],
		Parent:      int(numbers[0]),
		CPU:         ticks(numbers[1] + numbers[2]),
		Children:    ticks(numbers[3] + numbers[4]),
		MemoryBytes: numbers[5] * int64(os.Getpagesize()),
		Start:       fields[19],
	}, nil
}

func ticks(n int64) time.Duration { return time.Duration(n) * (time.Second / ticksPerSecond) }

// CommandLine is a process's program and arguments. If the process has ended,
// it returns an error.
func (p FS) CommandLine(pid int) ([]string, error) {
	text, err := fs.ReadFile(p.root, fmt.Sprintf("%d/cmdline", pid))
	if err != nil {
		return nil, fmt.Errorf("read the arguments of process %d: %w", pid, err)
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("read the arguments of process %d: it has ended", pid)
	}
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"), nil
}

// PIDs lists the processes, sorted.
func (p FS) PIDs() ([]int, error) {
	entries, err := fs.ReadDir(p.root, ".")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var found []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			found = append(found, pid)
		}
	}
	slices.Sort(found)
	return found, nil
}

// NamespacePIDs is a process's pid in each pid namespace, outermost first.
func (p FS) NamespacePIDs(pid int) ([]string, error) {
	text, err := p.Text(fmt.Sprintf("%d/status", pid))
	if err != nil {
		return nil, fmt.Errorf("read the pids of process %d: %w", pid, err)
	}
	return strings.Fields(field(text, "NSpid")), nil
}

// field is the value of the first "key: value" line.
func field(text, key string) string {
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func integers(texts ...string) ([]int64, error) {
	numbers := make([]int64, len(texts))
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		numbers[i] = n
	}
	return numbers, nil
}
