//go:build integration || kind

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/podburst/podburst/reports"
)

// suiteBinary is compiled once, as hack/e2e.sh compiles it.
var suiteBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "podburst-suite-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "e2e.test")
	out, err := exec.Command("go", "test", "-c", "-tags", "e2e", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("compile the suite: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := suiteBinary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// suite is one run of the suite's process, with a folder for temporary files of
// its own so that all it leaves behind can be seen.
type suite struct {
	t              *testing.T
	cmd            *exec.Cmd
	artifacts, tmp string
	lines          chan string
	output         bytes.Buffer
	mu             sync.Mutex
	// limit is how long the process may take.
	limit time.Duration
}

func startSuite(t *testing.T, env ...string) *suite {
	t.Helper()
	binary, err := suiteBinary()
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{t: t, artifacts: filepath.Join(t.TempDir(), "artifacts"), tmp: t.TempDir(), lines: make(chan string, 10000), limit: 5 * time.Minute}
	s.cmd = exec.Command(binary, "-test.run", "^TestE2E$")
	s.cmd.Dir = ".."
	s.cmd.Env = append(os.Environ(), "PROVIDER=embedded", "PROFILES=default", "PODS=100", "BURSTS=1", "WARMUP=0",
		"ARTIFACTS="+s.artifacts, "TMPDIR="+s.tmp)
	s.cmd.Env = append(s.cmd.Env, env...)
	stdout, w := io.Pipe()
	s.cmd.Stdout, s.cmd.Stderr = w, w
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		scanner := bufio.NewScanner(stdout)
		for scanner.Scan() {
			s.mu.Lock()
			s.output.WriteString(scanner.Text() + "\n")
			s.mu.Unlock()
			select {
			case s.lines <- scanner.Text():
			default:
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("output of the suite:\n%s", s.text())
		}
	})
	return s
}

func (s *suite) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.String()
}

// waitLine waits until the suite prints a line that contains text.
func (s *suite) waitLine(text string) {
	s.t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		select {
		case line := <-s.lines:
			if strings.Contains(line, text) {
				return
			}
		case <-deadline:
			s.t.Fatalf("the suite did not print %q", text)
		}
	}
}

// exit waits for the process and returns its exit code.
func (s *suite) exit() int {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			s.t.Fatal(err)
		}
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(s.limit):
		s.t.Fatal("the suite does not end")
		return -1
	}
}

func (s *suite) runFolder() string {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.artifacts, "*"))
	if err != nil || len(found) != 1 {
		s.t.Fatalf("want one run in %s, found %v (%v)", s.artifacts, found, err)
	}
	return found[0]
}

func (s *suite) report() reports.Report {
	s.t.Helper()
	return readReport(s.t, filepath.Join(s.runFolder(), reports.JSONFile))
}

// readReport reads a report.json, which must keep to its schema.
func readReport(t *testing.T, path string) reports.Report {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := reports.Validate(data); err != nil {
		t.Errorf("report.json breaks its schema: %v", err)
	}
	var r reports.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// processes lists the live processes whose command line or parent belongs to this suite.
func (s *suite) processes() map[int]string {
	found := map[int]string{}
	entries, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range entries {
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			continue
		}
		line := strings.ReplaceAll(string(data), "\x00", " ")
		if strings.Contains(line, s.tmp) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			found[pid] = line
		}
	}
	return found
}

func (s *suite) pidOf(component string) int {
	s.t.Helper()
	for pid, line := range s.processes() {
		if strings.HasPrefix(filepath.Base(strings.Fields(line)[0]), component) {
			return pid
		}
	}
	s.t.Fatalf("no process %s among %v", component, s.processes())
	return 0
}

// ports are the TCP ports that processes of this suite listen on now.
func (s *suite) ports() map[string]bool {
	inodes := map[string]bool{}
	for pid := range s.processes() {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, l := range links {
			if target, err := os.Readlink(l); err == nil && strings.HasPrefix(target, "socket:[") {
				inodes[strings.Trim(target[len("socket:"):], "[]")] = true
			}
		}
	}
	ports := map[string]bool{}
	for port, inode := range listeners(s.t) {
		if inodes[inode] {
			ports[port] = true
		}
	}
	return ports
}

// listeners maps the local addresses of listening TCP sockets to their inodes.
func listeners(t *testing.T) map[string]string {
	t.Helper()
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

// mustLeaveNothing waits a moment for the kernel to reap, then fails on any
// process, port or temporary folder.
func (s *suite) mustLeaveNothing(before map[string]bool) {
	s.t.Helper()
	var left string
	for range 100 {
		left = ""
		if p := s.processes(); len(p) > 0 {
			left += fmt.Sprintf("processes: %v\n", p)
		}
		open := listeners(s.t)
		for port := range before {
			if _, still := open[port]; still {
				left += "port: " + port + "\n"
			}
		}
		if entries, _ := os.ReadDir(s.tmp); len(entries) > 0 {
			left += fmt.Sprintf("folder: %v\n", entries)
		}
		if left == "" {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Errorf("left behind:\n%s", left)
}

// junit returns the names of failed test cases and of those in error.
func junit(t *testing.T, path string) (failures, errs []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Suites []struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	for _, suite := range doc.Suites {
		for _, c := range suite.Cases {
			if c.Failure != nil {
				failures = append(failures, c.Name)
			}
			if c.Error != nil {
				errs = append(errs, c.Name)
			}
		}
	}
	return failures, errs
}
