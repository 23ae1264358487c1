package rootdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// setUp makes a root directory and, beside it, a directory with one file that
// must stay as it is. The latter's name begins with the former's.
func setUp(t *testing.T) (files OS, outside string) {
	t.Helper()
	base := t.TempDir()
	files, err := New(filepath.Join(base, "root"))
	if err != nil {
		t.Fatal(err)
	}
	outside = filepath.Join(base, "root-of-another")
	for _, dir := range []string{files.Root(), outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "file"), []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	return files, outside
}

func TestOperationsWorkBelowTheRootDirectory(t *testing.T) {
	files, _ := setUp(t)
	dir := filepath.Join(files.Root(), "a", "b")
	file := filepath.Join(dir, "file")
	steps := []struct {
		name string
		do   func() error
	}{
		{"MkdirAll", func() error { return files.MkdirAll(dir, 0o755) }},
		{"Create", func() error { f, err := files.Create(file); return errors.Join(err, f.Close()) }},
		{"Chmod", func() error { return files.Chmod(file, 0o600) }},
		{"Chtimes", func() error { return files.Chtimes(file, time.Now(), time.Now()) }},
		{"Stat", func() error { _, err := files.Stat(file); return err }},
		{"Open", func() error { f, err := files.Open(file); return errors.Join(err, f.Close()) }},
		{"OpenFile", func() error {
			f, err := files.OpenFile(file, os.O_WRONLY, 0)
			return errors.Join(err, f.Close())
		}},
		{"Symlink", func() error { return files.Symlink(file, filepath.Join(dir, "link")) }},
		{"Rename", func() error { return files.Rename(filepath.Join(dir, "link"), filepath.Join(dir, "moved")) }},
		{"ReadDir", func() error {
			if list, err := files.ReadDir(dir); err != nil || len(list) != 2 {
				return errors.Join(err, errors.New("not two entries"))
			}
			return nil
		}},
		{"Glob", func() error {
			if list, err := files.Glob(filepath.Join(dir, "*")); err != nil || len(list) != 2 {
				return errors.Join(err, errors.New("not two matches"))
			}
			return nil
		}},
		{"Remove", func() error { return files.Remove(file) }},
		{"RemoveAll", func() error { return files.RemoveAll(filepath.Join(files.Root(), "a")) }},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	if left, err := os.ReadDir(files.Root()); err != nil || len(left) != 0 {
		t.Errorf("left over: %v (%v)", left, err)
	}
}

func TestNothingChangesOutsideOfTheRootDirectory(t *testing.T) {
	files, outside := setUp(t)
	file := filepath.Join(outside, "file")
	upwards := files.Root() + "/../root-of-another/file"
	for _, path := range []string{file, upwards} {
		for name, do := range map[string]func() error{
			"MkdirAll":    func() error { return files.MkdirAll(filepath.Join(outside, "new"), 0o755) },
			"Chmod":       func() error { return files.Chmod(path, 0) },
			"Chtimes":     func() error { return files.Chtimes(path, time.Time{}, time.Time{}) },
			"Remove":      func() error { return files.Remove(path) },
			"RemoveAll":   func() error { return files.RemoveAll(filepath.Dir(path)) },
			"Symlink":     func() error { return files.Symlink("/", filepath.Join(outside, "link")) },
			"Rename away": func() error { return files.Rename(path, filepath.Join(files.Root(), "taken")) },
			"Rename over": func() error { return files.Rename(filepath.Join(files.Root(), "none"), path) },
		} {
			if err := do(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := files.Create(path); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Create: %v", err)
		}
		if _, err := files.OpenFile(path, os.O_TRUNC|os.O_WRONLY, 0); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("OpenFile: %v", err)
		}
		if _, err := files.Open(path); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Open: %v", err)
		}
		if _, err := files.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Stat: %v", err)
		}
	}
	if list, err := files.ReadDir(outside); err != nil || len(list) != 0 {
		t.Errorf("ReadDir: %v (%v)", list, err)
	}
	if list, err := files.Glob(filepath.Join(outside, "*")); err != nil || len(list) != 0 {
		t.Errorf("Glob: %v (%v)", list, err)
	}

	left, err := os.ReadDir(outside)
	if err != nil || len(left) != 1 {
		t.Errorf("the other directory holds %v (%v), want its one file", left, err)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "kept" {
		t.Errorf("the other file is now %q (%v)", content, err)
	}
}
