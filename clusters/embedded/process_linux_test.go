package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/podburst/podburst/internal/eventually"
	"github.com/podburst/podburst/internal/procfs"
)

func itoa(n int) string { return strconv.Itoa(n) }

// longGrace is never used up: it only ends a hanging test.
const longGrace = time.Minute

func TestStopLetsAProcessEndInOrder(t *testing.T) {
	p := startFake(t, `trap 'echo bye; exit 0' TERM; echo started; while :; do sleep 0.01; done`)
	eventually.True(t, "it has started", func() bool { return strings.Contains(p.tail(), "started") })
	if err := p.stop(t.Context(), longGrace); err != nil {
		t.Fatal(err)
	}
	if p.exit != "exit status 0" || !strings.Contains(p.tail(), "bye") {
		t.Errorf("it ended with %q and said %q, want an orderly end", p.exit, p.tail())
	}
	if err := p.stop(t.Context(), longGrace); err != nil {
		t.Errorf("stopping it again: %v", err)
	}
}

func TestStopKillsWhatDoesNotEnd(t *testing.T) {
	p := startFake(t, `trap '' TERM; echo started; while :; do sleep 0.01; done`)
	eventually.True(t, "it has started", func() bool { return strings.Contains(p.tail(), "started") })
	if err := p.stop(t.Context(), time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if p.exit != "signal: killed" {
		t.Errorf("it ended with %q, want killed", p.exit)
	}
}

func TestTheWholeGroupEndsWithItsLeader(t *testing.T) {
	p := startFake(t, `trap '' TERM; sleep 600 & echo "$!"; exit 0`)
	<-p.done
	child, err := strconv.Atoi(strings.TrimSpace(p.tail()))
	if err != nil {
		t.Fatal(err)
	}
	eventually.True(t, "its child has ended", func() bool { return gone(child) })
}

func TestExitErrorShowsTheEndOfTheLogWithoutSecrets(t *testing.T) {
	p := startFake(t, `i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo "line $i"; done
echo "Authorization: Bearer abcdefghijklmnop"; exit 3`)
	<-p.done
	message := p.exitError().Error()
	for _, want := range []string{"kube-scheduler ended: exit status 3", "line 40", "line 27"} {
		if !strings.Contains(message, want) {
			t.Errorf("%q lacks %q", message, want)
		}
	}
	for _, secret := range []string{"abcdefghijklmnop", "line 26\n"} {
		if strings.Contains(message, secret) {
			t.Errorf("%q shows %q", message, secret)
		}
	}
}

func TestTailIsOfThisLifeOnly(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	if err := os.WriteFile(log, []byte("an earlier life\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := startProcess(program{args: []string{fakeBinary(t, "echo this life")}, dir: dir, log: log})
	if err != nil {
		t.Fatal(err)
	}
	<-p.done
	if got := p.tail(); got != "  this life" {
		t.Errorf("tail = %q", got)
	}
	if text, _ := os.ReadFile(log); !strings.HasPrefix(string(text), "an earlier life\n") {
		t.Errorf("the log of the earlier life is lost: %q", text)
	}
}

func TestStartSaysWhichProgramIsMissing(t *testing.T) {
	dir := t.TempDir()
	_, err := startProcess(program{args: []string{filepath.Join(dir, "none")}, dir: dir, log: filepath.Join(dir, "log")})
	if err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("startProcess = %v", err)
	}
}

func TestCommandLineAndStartTimeOfALiveProcess(t *testing.T) {
	p := startFake(t, `echo started; while :; do sleep 0.01; done`)
	eventually.True(t, "it has started", func() bool { return strings.Contains(p.tail(), "started") })
	args, err := procfs.Local().CommandLine(p.pid)
	if err != nil {
		t.Fatal(err)
	}
	if got := args[len(args)-1]; got != p.command.args[0] {
		t.Errorf("arguments %q, want them to end in %q", args, p.command.args[0])
	}
	again, err := procfs.Local().Stat(p.pid)
	if err != nil || again.Start != p.start {
		t.Errorf("start time %q, %v; want %q", again.Start, err, p.start)
	}
}
