package recording

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var errDiskFull = errors.New("no space left on device")

// failingDisk fails one kind of operation from the n-th call on, whatever file it is
// for.
type failingDisk struct {
	Disk
	operation string
	after     int
}

func (d *failingDisk) fails(operation string) error {
	if operation != d.operation {
		return nil
	}
	if d.after--; d.after >= 0 {
		return nil
	}
	return errDiskFull
}

func (d *failingDisk) MkdirAll(dir string, perm fs.FileMode) error {
	if err := d.fails("mkdir"); err != nil {
		return err
	}
	return d.Disk.MkdirAll(dir, perm)
}

func (d *failingDisk) CreateTemp(dir, pattern string) (File, error) {
	if err := d.fails("create"); err != nil {
		return nil, err
	}
	f, err := d.Disk.CreateTemp(dir, pattern)
	return &failingFile{File: f, disk: d}, err
}

func (d *failingDisk) Rename(from, to string) error {
	if err := d.fails("rename"); err != nil {
		return err
	}
	return d.Disk.Rename(from, to)
}

type failingFile struct {
	File
	disk *failingDisk
}

func (f *failingFile) Write(p []byte) (int, error) {
	if err := f.disk.fails("write"); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, err
	}
	return f.File.Write(p)
}

func (f *failingFile) Sync() error {
	if err := f.disk.fails("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *failingFile) Close() error {
	if err := f.disk.fails("close"); err != nil {
		return errors.Join(err, f.File.Close())
	}
	return f.File.Close()
}

func TestAFullDiskLeavesEarlierFilesWhole(t *testing.T) {
	for _, operation := range []string{"mkdir", "create", "write", "sync", "close", "rename"} {
		t.Run(operation, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			write := func(disk FileSystem, text string) error {
				return WriteFile(disk, path, func(w io.Writer) error {
					_, err := io.WriteString(w, text)
					return err
				})
			}
			if err := write(Disk{}, "earlier"); err != nil {
				t.Fatal(err)
			}
			if err := write(&failingDisk{operation: operation}, "later"); !errors.Is(err, errDiskFull) {
				t.Errorf("error is %v, want the disk's", err)
			}
			if data, err := os.ReadFile(path); err != nil || string(data) != "earlier" {
				t.Errorf("the file holds %q (%v), want what it held", data, err)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("temporary files were left: %v", entries)
			}
		})
	}
}

// Whichever write of a burst fails, the run stays readable, and the burst is either
// whole or marked as unfinished.
func TestABurstIsWholeOrUnfinished(t *testing.T) {
	for after := 1; ; after++ {
		disk := &failingDisk{operation: "rename", after: after}
		w, err := Create(t.TempDir(), Manifest{ID: "run"}, WithFileSystem(disk))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteProfile(Profile{Name: "default"}); err != nil {
			continue
		}
		writeErr := w.WriteBurst(aBurst("default", 1))
		run, err := Read(w.Dir())
		if err != nil {
			t.Fatalf("after %d files: %v", after, err)
		}
		for _, b := range run.Bursts {
			if len(b.Problems) > 0 {
				t.Errorf("after %d files the burst has problems %v", after, b.Problems)
			}
		}
		if writeErr == nil {
			break
		}
		if after > 50 {
			t.Fatal("writing a burst never succeeds")
		}
	}
}

func TestPathNamesAreSafe(t *testing.T) {
	for name, want := range map[string]string{
		"tuned-scheduler": "tuned-scheduler", // unchanged
		"node-1.zone":     "node-1.zone",
	} {
		if got := PathName(name); got != want {
			t.Errorf("PathName(%q) = %q, want %q", name, got, want)
		}
	}
	seen := map[string]string{}
	for _, name := range []string{
		"", ".", "..", "../../etc", "a/b", `a\b`, "a:b", "A", "a", "con", "con.txt", "nul", "a.", ".a",
		"\x00", "‮evil", strings.Repeat("x", 253), strings.Repeat("x", 252) + "y", "name ", "<b>",
	} {
		got := PathName(name)
		if earlier, twice := seen[got]; twice {
			t.Errorf("%q and %q share the path %q", earlier, name, got)
		}
		seen[got] = name
		checkPathName(t, name, got)
	}
}

func checkPathName(t *testing.T, name, got string) {
	t.Helper()
	if len(got) == 0 || len(got) > maxPathName || strings.HasPrefix(got, ".") || strings.HasSuffix(got, ".") ||
		strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" || PathName(got) != got {
		t.Errorf("PathName(%q) = %q is not safe", name, got)
	}
}

func FuzzPathName(f *testing.F) {
	f.Add("default")
	f.Add("../A:b")
	f.Fuzz(func(t *testing.T, name string) { checkPathName(t, name, PathName(name)) })
}

func TestRunIDsAreInUTCAndHoldNoColon(t *testing.T) {
	east := start.In(time.FixedZone("east", 9*3600))
	id, err := NewRunID(east, bytes.NewReader([]byte{0x00, 0x1f}))
	if want := "20261129T150405Z-001f"; err != nil || id != want {
		t.Errorf("id is %q (%v), want %q", id, err, want)
	}
	if _, err := NewRunID(start, bytes.NewReader(nil)); err == nil {
		t.Error("no randomness gave an id")
	}
}

// countingDisk counts how often each file is renamed into place.
type countingDisk struct {
	Disk
	written map[string]int
}

func (d *countingDisk) Rename(from, to string) error {
	d.written[filepath.Base(to)]++
	return d.Disk.Rename(from, to)
}

func TestWhatIsLearnedLaterRewritesOneFileOfTheBurst(t *testing.T) {
	disk := &countingDisk{written: map[string]int{}}
	w, err := Create(t.TempDir(), Manifest{ID: "run"}, WithFileSystem(disk))
	if err != nil {
		t.Fatal(err)
	}
	b := aBurst("default", 1)
	if err := errors.Join(w.WriteProfile(Profile{Name: "default"}), w.WriteBurst(b)); err != nil {
		t.Fatal(err)
	}
	first := maps.Clone(disk.written)
	b.CleanupSeconds = 12.5
	if err := w.UpdateBurst(b); err != nil {
		t.Fatal(err)
	}
	first[burstFile]++
	if !maps.Equal(disk.written, first) || disk.written[watchFile] != 1 || disk.written[burstFile] != 2 {
		t.Errorf("files written %v, want each once and %s twice", disk.written, burstFile)
	}
	run, err := Read(w.Dir())
	if err != nil || len(run.Bursts) != 1 {
		t.Fatalf("%d bursts, %v", len(run.Bursts), err)
	}
	if got := run.Bursts[0]; got.CleanupSeconds != 12.5 || len(got.Problems) != len(b.Problems) || len(got.Watch) != len(b.Watch) || len(got.Metrics) != len(b.Metrics) {
		t.Errorf("read back: cleanup %v s, problems %v, %d observations, %d expositions", got.CleanupSeconds, got.Problems, len(got.Watch), len(got.Metrics))
	}
}

func TestABurstThatWasNotWrittenCannotBeUpdated(t *testing.T) {
	w, err := Create(t.TempDir(), Manifest{ID: "run"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.UpdateBurst(aBurst("default", 1)); err == nil || !strings.Contains(err.Error(), "default/burst-1") {
		t.Errorf("error %v", err)
	}
}
