package suite

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/podburst/podburst/reports"
)

// Process is a run of the suite or of the command.
type Process struct {
	// Limit is how long Exit waits before it gives up. Default 5 min.
	Limit time.Duration
	// Artifacts is the folder in which its run is.
	Artifacts string

	t     *testing.T
	cmd   *exec.Cmd
	ended chan struct{}
	// tmp is the folder for its temporary files, so that all it leaves can be seen.
	tmp string

	mu              sync.Mutex
	out, errs, both bytes.Buffer
}

// Start runs the suite: one 100-pod burst on an embedded cluster of the default
// profile, unless env (NAME=value) says otherwise. The process is killed at the end
// of the test.
func Start(t *testing.T, env ...string) *Process {
	t.Helper()
	p := newProcess(t, suiteBinary, "-test.run", "^TestE2E$")
	p.cmd.Env = append(append(p.cmd.Env, "PROVIDER=embedded", "PROFILES=default", "PODS=100", "BURSTS=1", "WARMUP=0",
		"ARTIFACTS="+p.Artifacts), env...)
	return p.start()
}

// StartCommand runs podburst with these arguments. The process is killed at the end
// of the test.
func StartCommand(t *testing.T, arguments ...string) *Process {
	t.Helper()
	return newProcess(t, commandBinary, arguments...).start()
}

func newProcess(t *testing.T, binary func() (string, error), arguments ...string) *Process {
	t.Helper()
	path, err := binary()
	Must(t, err)
	p := &Process{t: t, Limit: 5 * time.Minute, Artifacts: filepath.Join(t.TempDir(), "artifacts"), tmp: t.TempDir(), ended: make(chan struct{})}
	p.cmd = exec.Command(path, arguments...)
	p.cmd.Dir = Root
	p.cmd.Env = append(os.Environ(), "TMPDIR="+p.tmp)
	p.cmd.Stdout, p.cmd.Stderr = stream{p, &p.out}, stream{p, &p.errs}
	return p
}

func (p *Process) start() *Process {
	p.t.Helper()
	Must(p.t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait() // callers ask for its exit code
		close(p.ended)
	}()
	p.t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		if p.t.Failed() {
			p.t.Logf("output of %s:\n%s", p.cmd, p.Text())
		}
	})
	return p
}

// stream keeps what is written, both separately and together with the other stream.
type stream struct {
	*Process
	own *bytes.Buffer
}

func (s stream) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.both.Write(text)
	return s.own.Write(text)
}

func (p *Process) read(b *bytes.Buffer) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return b.String()
}

// Stdout is what it has printed to standard output so far.
func (p *Process) Stdout() string { return p.read(&p.out) }

// Stderr is what it has printed to standard error so far.
func (p *Process) Stderr() string { return p.read(&p.errs) }

// Text is what it has printed to either so far.
func (p *Process) Text() string { return p.read(&p.both) }

// Says waits until the process has printed text, or has ended without it.
func (p *Process) Says(text string) bool {
	p.t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		if strings.Contains(p.Text(), text) {
			return true
		}
		select {
		case <-p.ended:
			return strings.Contains(p.Text(), text)
		case <-deadline:
			p.t.Fatalf("it neither prints %q nor ends", text)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// MustSay waits until the process has printed text.
func (p *Process) MustSay(text string) {
	p.t.Helper()
	if !p.Says(text) {
		p.t.Fatalf("it ended and did not print %q", text)
	}
}

// Signal sends the process a signal.
func (p *Process) Signal(signal os.Signal) {
	p.t.Helper()
	Must(p.t, p.cmd.Process.Signal(signal))
}

// Exit waits for the process and returns its exit code, -1 if it was killed.
func (p *Process) Exit() int {
	p.t.Helper()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(p.Limit):
		p.t.Fatalf("it does not end within %s", p.Limit)
		return -1
	}
}

// Run is the folder of the only run that it recorded.
func (p *Process) Run() string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.Artifacts, "*"))
	if err != nil || len(found) != 1 {
		p.t.Fatalf("want one run in %s, found %v (%v)", p.Artifacts, found, err)
	}
	return found[0]
}

// Report is the run's report.json, which must match its schema.
func (p *Process) Report() reports.Report {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.Run(), reports.JSONFile))
	Must(p.t, err)
	if err := reports.Validate(data); err != nil {
		p.t.Errorf("report.json breaks its schema: %v", err)
	}
	var r reports.Report
	Must(p.t, json.Unmarshal(data, &r))
	return r
}

// JUnit returns the names of failed test cases and of those in error.
func (p *Process) JUnit() (failures, errs []string) {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.Run(), "junit.xml"))
	Must(p.t, err)
	var doc struct {
		Suites []struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	Must(p.t, xml.Unmarshal(data, &doc))
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
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
