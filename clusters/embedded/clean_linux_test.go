package embedded

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/eventually"
	"github.com/podburst/podburst/internal/procfs"
)

// abandon makes a folder with a modified owner's record.
func abandon(t *testing.T, base, name string, change func(*clusters.Owner)) string {
	t.Helper()
	l, err := newStateDir(base, "/bin/sh", named(name), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(l.owner())
	if err != nil {
		t.Fatal(err)
	}
	var record clusters.Owner
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	change(&record)
	if text, err = json.Marshal(record); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.owner(), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return l.dir
}

func TestCleanRemovesOnlyWhatNobodyOwns(t *testing.T) {
	base := t.TempDir()
	stay := map[string]bool{
		abandon(t, base, "live", func(*clusters.Owner) {}): true,
		// Another container on this machine may still run it.
		abandon(t, base, "other-namespace", func(o *clusters.Owner) {
			o.Namespace = "pid:[1]"
		}): true,
	}
	leave := []string{
		abandon(t, base, "reused-pid", func(o *clusters.Owner) { o.Start = "1" }),
		abandon(t, base, "dead", func(o *clusters.Owner) { o.PID = 1 << 30 }),
		abandon(t, base, "rebooted", func(o *clusters.Owner) { o.Boot = "another-boot" }),
	}
	young, old := filepath.Join(base, stateDirPrefix+"young"), filepath.Join(base, stateDirPrefix+"old")
	foreign := filepath.Join(base, "something-else")
	for _, dir := range []string{young, old, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-time.Hour)
	for _, dir := range []string{old, foreign} {
		if err := os.Chtimes(dir, past, past); err != nil {
			t.Fatal(err)
		}
	}
	stay[young], stay[foreign] = true, true
	leave = append(leave, old)

	// A process of a dead owner's folder, as left by a crash without a reaper.
	l := layout{dir: leave[1]}
	p, err := startProcess(program{args: []string{l.program("etcd"), "-c", "while :; do sleep 0.01; done"}, dir: "/", log: filepath.Join(t.TempDir(), "log")})
	if err != nil {
		t.Fatal(err)
	}

	listed, err := List(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(listed), len(stay)+len(leave)-1; got != want { // All but the foreign one.
		t.Errorf("listed %d folders, want %d: %+v", got, want, listed)
	}
	removed, err := Clean(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	if len(removed) != len(leave) {
		t.Errorf("removed %d folders, want %d: %+v", len(removed), len(leave), removed)
	}
	for _, dir := range leave {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", dir, err)
		}
	}
	for dir := range stay {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s is gone: %v", dir, err)
		}
	}
	<-p.done
	if p.exit != "signal: killed" {
		t.Errorf("the process that was left ended with %q", p.exit)
	}
}

func TestFolderOfAZombieOwnerIsRemoved(t *testing.T) {
	base := t.TempDir()
	owner := exec.CommandContext(t.Context(), "/bin/true")
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	defer owner.Wait() // Nobody reaps it earlier.
	var stat procfs.Stat
	eventually.True(t, "the owner is a zombie", func() bool {
		var err error
		stat, err = procfs.Local().Stat(owner.Process.Pid)
		return err == nil && stat.State == 'Z'
	})
	dir := abandon(t, base, "zombie", func(o *clusters.Owner) { o.PID, o.Start = owner.Process.Pid, stat.Start })
	removed, err := Clean(t.Context(), base)
	if err != nil || len(removed) != 1 || removed[0].Path != dir {
		t.Errorf("removed %+v, %v; want %s", removed, err, dir)
	}
	empty(t, base)
}

func TestStateDirIsPrivate(t *testing.T) {
	l, err := newStateDir(t.TempDir(), "/bin/sh", named("test"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(l.dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("the folder's mode is %o, want 700", got)
	}
}
