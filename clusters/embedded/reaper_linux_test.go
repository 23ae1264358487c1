package embedded

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/eventually"
)

// reaperHelper makes the test binary play a process that dies with a cluster.
const reaperHelper = "PODBURST_TEST_REAPER_HELPER"

// TestReaperHelper is not a test: it is the process that the tests below kill.
// It starts the reaper and one child, prints the folder and the pid, and ends
// as told.
func TestReaperHelper(t *testing.T) {
	binary := os.Getenv(reaperHelper)
	if binary == "" {
		t.Skip("only runs as a child of another test")
	}
	base := os.Getenv("PODBURST_TEST_BASE")
	l, err := newStateDir(base, binary, clusters.Profile{Metadata: clusters.Metadata{Name: "helper"}}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := startReaper(l.dir); err != nil {
		t.Fatal(err)
	}
	p, err := startProcess(program{args: []string{l.program("etcd")}, dir: l.dir, environ: environment(l), log: l.log("etcd")})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("pid %d\n", p.pid)
	if os.Getenv("PODBURST_TEST_PANIC") != "" {
		bufio.NewScanner(os.Stdin).Scan()
		panic("as told")
	}
	select {}
}

func TestNothingIsLeftWhenTheProcessDies(t *testing.T) {
	for _, way := range []string{"kill -9", "panic"} {
		t.Run(way, func(t *testing.T) {
			base := t.TempDir()
			// The child writes all the time, so that the removal needs retries.
			binary := fakeBinary(t, `while :; do : > "$TMPDIR/$(date +%N)"; done`)
			helper := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReaperHelper$", "-test.v")
			helper.Env = append(os.Environ(), reaperHelper+"="+binary, "PODBURST_TEST_BASE="+base)
			if way == "panic" {
				helper.Env = append(helper.Env, "PODBURST_TEST_PANIC=1")
			}
			output, err := helper.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			input, err := helper.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := helper.Start(); err != nil {
				t.Fatal(err)
			}
			child := readPID(t, bufio.NewScanner(output))
			if gone(child) {
				t.Fatal("the child ended too early")
			}
			if way == "panic" {
				fmt.Fprintln(input, "now")
			} else if err := helper.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = helper.Wait() // It fails, as it should.
			eventually.True(t, "the child has ended", func() bool { return gone(child) })
			eventually.True(t, "the folder is removed", func() bool {
				left, _ := filepath.Glob(filepath.Join(base, "*"))
				return len(left) == 0
			})
		})
	}
}

// readPID reads lines up to "pid N".
func readPID(t *testing.T, scanner *bufio.Scanner) int {
	t.Helper()
	var seen []string
	for scanner.Scan() {
		seen = append(seen, scanner.Text())
		if _, text, ok := strings.Cut(scanner.Text(), "pid "); ok {
			pid, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatalf("the helper told no pid: %v, %q", scanner.Err(), seen)
	return 0
}

func TestDismissedReaperRemovesNothing(t *testing.T) {
	dir := t.TempDir()
	r, err := startReaper(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.dismiss(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder is gone: %v", err)
	}
	if err := r.dismiss(); err != nil {
		t.Errorf("dismissing it again: %v", err)
	}
}

func TestReaperRefusesTheRoot(t *testing.T) {
	for _, dir := range []string{"/", "relative", ""} {
		if _, err := startReaper(dir); err == nil {
			t.Errorf("startReaper(%q) succeeded", dir)
		}
	}
}
