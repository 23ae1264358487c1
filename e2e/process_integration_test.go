//go:build integration

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
	"syscall"
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
}

func startSuite(t *testing.T, env ...string) *suite {
	t.Helper()
	binary, err := suiteBinary()
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{t: t, artifacts: filepath.Join(t.TempDir(), "artifacts"), tmp: t.TempDir(), lines: make(chan string, 10000)}
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
	case <-time.After(5 * time.Minute):
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
	data, err := os.ReadFile(filepath.Join(s.runFolder(), "report.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	if err := reports.Validate(data); err != nil {
		s.t.Errorf("report.json breaks its schema: %v", err)
	}
	var r reports.Report
	if err := json.Unmarshal(data, &r); err != nil {
		s.t.Fatal(err)
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

func TestRunEndsWithTablesAndAValidReport(t *testing.T) {
	s := startSuite(t, "PROFILES=default,tuned", "PODS=20", "BURSTS=2", "WARMUP=5")
	if code := s.exit(); code != reports.ExitPass {
		t.Fatalf("exit code %d, want %d", code, reports.ExitPass)
	}
	r := s.report()
	if r.Verdict != reports.Pass || !r.Run.Complete {
		t.Errorf("verdict %q, complete %t", r.Verdict, r.Run.Complete)
	}
	valid := map[string]int{}
	for _, b := range r.Bursts {
		if !b.Valid {
			t.Errorf("burst %s/%d: %v", b.Profile, b.Index, b.InvalidReasons)
		}
		if b.Warmup {
			continue
		}
		valid[b.Profile]++
		if b.Accounting.Ready != 20 {
			t.Errorf("burst %s/%d: %d ready", b.Profile, b.Index, b.Accounting.Ready)
		}
		for _, name := range []string{"submit_to_create", "create_to_schedule", "schedule_to_accept", "accept_to_sandbox",
			"sandbox_to_started", "started_to_run", "run_to_observed", "pod_startup"} {
			p := b.Phases[name]
			if p == nil || p.Count != 20 || p.Missing != 0 {
				t.Errorf("burst %s/%d: phase %s is %+v, want 20 samples and none missing", b.Profile, b.Index, name, p)
			}
		}
	}
	if valid["default"] != 2 || valid["tuned"] != 2 {
		t.Errorf("bursts per profile: %v, want 2 each", valid)
	}
	for _, p := range r.Profiles {
		want := map[string]float64{"kube-scheduler": 50, "kube-controller-manager": 20}
		if p.Name == "tuned" {
			want = map[string]float64{"kube-scheduler": 150, "kube-controller-manager": 150}
		}
		for component, qps := range want {
			if got := p.Effective[component]; got.KubeAPIQPS != qps {
				t.Errorf("%s: %s runs with %g QPS (%s), want %g", p.Name, component, got.KubeAPIQPS, got.Source, qps)
			}
		}
	}
	for _, file := range []string{"junit.xml", "summary.md", "ginkgo-junit.xml", "ginkgo.json"} {
		if info, err := os.Stat(filepath.Join(s.runFolder(), file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	if !strings.Contains(s.text(), "create_to_schedule") {
		t.Error("the table was not printed")
	}
	s.mustLeaveNothing(nil)
}

func TestAMissedObjectiveExitsWithTheSLOCodeAndNamesTheCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "impossible.yaml")
	text := "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: impossible}\nspec:\n  objectives:\n" +
		"  - {name: faster-than-light, phase: pod_startup, stat: p99, limit: 1us}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startSuite(t, "PODS=10", "SLO="+file)
	if code := s.exit(); code != reports.ExitFail {
		t.Fatalf("exit code %d, want %d", code, reports.ExitFail)
	}
	if r := s.report(); r.Verdict != reports.Fail {
		t.Errorf("verdict %q", r.Verdict)
	}
	failures, errs := junit(t, filepath.Join(s.runFolder(), "junit.xml"))
	if len(errs) != 0 || len(failures) == 0 || !strings.Contains(failures[0], "faster-than-light") {
		t.Errorf("JUnit failures %q, errors %q: want a failure that names the check", failures, errs)
	}
	s.mustLeaveNothing(nil)
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

func TestASchedulerThatStopsMidBurstMakesItInvalid(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "hung": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			s := startSuite(t, "DEADLINE=20s")
			s.waitLine("sending 100 pods")
			if err := syscall.Kill(s.pidOf("kube-scheduler"), signal); err != nil {
				t.Fatal(err)
			}
			if code := s.exit(); code != reports.ExitInvalid {
				t.Errorf("exit code %d, want %d", code, reports.ExitInvalid)
			}
			r := s.report()
			if r.Verdict != reports.Invalid {
				t.Errorf("verdict %q, want invalid", r.Verdict)
			}
			for _, b := range r.Bursts {
				a := b.Accounting
				if b.Valid || a.Expected != a.Ready+a.Failed+a.Pending+a.Lost || a.Ready == a.Expected {
					t.Errorf("burst: valid %t, accounting %+v", b.Valid, a)
				}
			}
			failures, errs := junit(t, filepath.Join(s.runFolder(), "junit.xml"))
			if len(errs) == 0 || len(failures) != 0 {
				t.Errorf("JUnit failures %q, errors %q: want errors only", failures, errs)
			}
			if logs, _ := filepath.Glob(filepath.Join(s.runFolder(), "logs", "*")); len(logs) == 0 {
				t.Error("no evidence was collected")
			}
			s.mustLeaveNothing(nil)
		})
	}
}

func TestASignalMidBurstLeavesNothingBehindAndKeepsWhatWasRecorded(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			s := startSuite(t, "BURSTS=2", "WARMUP=5")
			s.waitLine("sending 100 pods")
			ports := s.ports()
			if len(ports) < 5 {
				t.Errorf("only %d open ports found: the check would prove nothing", len(ports))
			}
			if err := s.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := s.exit(); code != reports.ExitInterrupted {
				t.Errorf("exit code %d, want %d", code, reports.ExitInterrupted)
			}
			r := s.report()
			if r.Run.Interrupted == "" || r.Run.Complete || r.Verdict != reports.Invalid {
				t.Errorf("interrupted %q, complete %t, verdict %q", r.Run.Interrupted, r.Run.Complete, r.Verdict)
			}
			if len(r.Bursts) == 0 || !r.Bursts[0].Warmup || !r.Bursts[0].Valid {
				t.Errorf("the warm-up before the signal is not in the report: %+v", r.Bursts)
			}
			s.mustLeaveNothing(ports)
		})
	}
}

func TestAKilledSuiteLeavesNoProcessPortOrFolder(t *testing.T) {
	s := startSuite(t, "BURSTS=2", "WARMUP=5")
	s.waitLine("sending 100 pods")
	ports := s.ports()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.exit()
	s.mustLeaveNothing(ports)
	if r := s.report(); r.Run.Complete || r.Verdict == reports.Pass {
		t.Errorf("a killed run claims complete %t, verdict %q", r.Run.Complete, r.Verdict)
	}
}

func TestBadInputExitsWithTheUsageCodeBeforeAnythingStarts(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	slo := "apiVersion: podburst.dev/v1alpha1\nkind: SLO\nmetadata: {name: x}\nspec:\n  objectives:\n  - {name: a, phase: pod_startp, stat: p99, limit: 5s}\n"
	profile := "apiVersion: podburst.dev/v1alpha1\nkind: Profile\nmetadata: {name: x}\nspec:\n  kubeScheduler: {kubeAPIQSP: 5, kubeAPIBurst: 5}\n"
	for name, c := range map[string]struct{ env, want string }{
		"unknown provider":       {"PROVIDER=embeded", "embedded"},
		"unknown profile":        {"PROFILES=defualt", "default"},
		"empty profile name":     {"PROFILES=default,,tuned", "stray comma"},
		"duplicate profile":      {"PROFILES=default,default", "default"},
		"no pods":                {"PODS=0", "PODS"},
		"more pods than fit":     {"PODS=100000", "110"},
		"unknown phase":          {"SLO=" + file("slo.yaml", slo), "pod_startup"},
		"missing SLO file":       {"SLO=" + filepath.Join(dir, "absent.yaml"), "absent.yaml"},
		"misspelled field":       {"PROFILES=" + file("p.yaml", profile), "kubeAPIQPS"},
		"unwritable artifacts":   {"ARTIFACTS=" + filepath.Join(file("plain", ""), "artifacts"), "artifacts"},
		"label filter of no one": {"LABELS=(((", "LABELS"},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSuite(t, c.env)
			if code := s.exit(); code != reports.ExitUsage {
				t.Errorf("exit code %d, want %d", code, reports.ExitUsage)
			}
			if !strings.Contains(s.text(), c.want) {
				t.Errorf("the message does not say %q", c.want)
			}
			s.mustLeaveNothing(nil)
		})
	}
}
