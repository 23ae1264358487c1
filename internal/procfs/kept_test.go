package procfs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

func TestAKeptFileIsReadAnew(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := Keep(os.DirFS(dir))
	for _, text := range []string{"first", "", "longer than the buffer " + strings.Repeat("x", 10_000), "last"} {
		write(text)
		if got, err := kept.ReadFile("stat"); err != nil || string(got) != text {
			t.Errorf("%.40q, %v; want %.40q", got, err, text)
		}
	}
	write("thread")
	if err := os.Mkdir(filepath.Join(dir, "task"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2"} {
		if err := os.Mkdir(filepath.Join(dir, "task", name), 0o700); err != nil {
			t.Fatal(err)
		}
		entries, err := kept.ReadDir("task")
		if err != nil || strconv.Itoa(len(entries)) != name {
			t.Errorf("%v, %v", entries, err)
		}
	}
	if _, err := kept.ReadFile("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := kept.Close(); err != nil || len(kept.files) != 0 {
		t.Error(err)
	}
}

// A test's files do not change once they are open.
func TestFilesThatAreNotTheSystemsAreNotKept(t *testing.T) {
	files := fstest.MapFS{"stat": file("first"), "task/1/stat": file("")}
	kept := Keep(files)
	for _, text := range []string{"first", "second"} {
		files["stat"] = file(text)
		if got, err := kept.ReadFile("stat"); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if entries, err := kept.ReadDir("task"); err != nil || len(entries) != 1 || len(kept.files) != 0 {
		t.Errorf("%v, %v, %d kept", entries, err, len(kept.files))
	}
}

func TestAProcessThatEndedDoesNotExistInKeptFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc here")
	}
	child := exec.CommandContext(t.Context(), "/bin/cat")
	pipe, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	kept := Keep(os.DirFS("/proc"))
	defer kept.Close()
	proc, pid := New(kept), child.Process.Pid
	for range 2 {
		// A process that was just started may not have run yet.
		if s, err := proc.Schedstat(pid); err != nil {
			t.Errorf("%+v, %v", s, err)
		}
		if _, err := proc.Stat(pid); err != nil {
			t.Error(err)
		}
	}
	pipe.Close()
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if s, err := proc.Schedstat(pid); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := proc.Stat(pid); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%+v, %v", s, err)
	}
}
