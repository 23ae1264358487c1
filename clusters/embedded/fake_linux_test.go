package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/podburst/podburst/clusters"
)

// fakeBinary writes a shell script that plays the control-plane binary; $0 is
// the link it is called by.
func fakeBinary(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake-controlplane")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// lines collects progress.
type lines struct {
	mu   sync.Mutex
	list []string
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, line)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, line := range l.list {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// startFake starts a script as an instance's process.
func startFake(t *testing.T, script string) *process {
	t.Helper()
	dir := t.TempDir()
	p, err := startProcess(program{
		instance: clusters.Instance{Component: clusters.KubeScheduler},
		args:     []string{fakeBinary(t, script)},
		dir:      dir,
		environ:  []string{"PATH=" + os.Getenv("PATH")},
		log:      filepath.Join(dir, "log"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.kill() })
	return p
}

// gone reports whether no such process runs (an unreaped zombie does not).
func gone(pid int) bool {
	if err := syscall.Kill(pid, 0); err == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", itoa(pid), "stat"))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

// empty fails unless the folder is empty.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		t.Errorf("%s is left in %s", entry.Name(), dir)
	}
}
