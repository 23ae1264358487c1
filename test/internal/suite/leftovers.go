package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/podburst/podburst/internal/procfs"
)

// processes lists the live processes whose command line or parent belongs to this suite.
func (p *Process) processes() map[int]string {
	found := map[int]string{}
	proc := procfs.Local()
	pids, err := proc.PIDs()
	Must(p.t, err)
	for _, pid := range pids {
		words, err := proc.CommandLine(pid)
		if line := strings.Join(words, " "); err == nil && strings.Contains(line, p.tmp) {
			found[pid] = line
		}
	}
	return found
}

// PID is the process ID of the component in this suite's cluster.
func (p *Process) PID(component string) int {
	p.t.Helper()
	for pid, line := range p.processes() {
		if strings.HasPrefix(filepath.Base(strings.Fields(line)[0]), component) {
			return pid
		}
	}
	p.t.Fatalf("no process %s among %v", component, p.processes())
	return 0
}

// Ports are the TCP ports that processes of this suite listen on now.
func (p *Process) Ports() map[string]bool {
	inodes := map[string]bool{}
	for pid := range p.processes() {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, l := range links {
			if target, err := os.Readlink(l); err == nil && strings.HasPrefix(target, "socket:[") {
				inodes[strings.Trim(target[len("socket:"):], "[]")] = true
			}
		}
	}
	ports := map[string]bool{}
	for port, inode := range listeners() {
		if inodes[inode] {
			ports[port] = true
		}
	}
	return ports
}

// listeners maps the local addresses of listening TCP sockets to their inodes.
func listeners() map[string]string {
	found := map[string]string{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode; 0A is LISTEN.
			if f := strings.Fields(line); len(f) > 9 && f[3] == "0A" {
				found[f[1]] = f[9]
			}
		}
	}
	return found
}

// MustLeaveNothing gives the kernel a moment to reap, then fails on any process, port
// or temporary folder that is left.
func (p *Process) MustLeaveNothing(before map[string]bool) {
	p.t.Helper()
	var left string
	for range 100 {
		left = ""
		if alive := p.processes(); len(alive) > 0 {
			left += fmt.Sprintf("processes: %v\n", alive)
		}
		open := listeners()
		for port := range before {
			if _, still := open[port]; still {
				left += "port: " + port + "\n"
			}
		}
		if entries, _ := os.ReadDir(p.tmp); len(entries) > 0 {
			left += fmt.Sprintf("folder: %v\n", entries)
		}
		if left == "" {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.t.Errorf("left behind:\n%s", left)
}
