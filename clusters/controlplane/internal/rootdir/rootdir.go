// Package rootdir confines a kubelet's file operations to its root directory.
// A kubelet also works outside of it: it keeps links to logs in
// /var/log/containers, and removes dead ones there. On a machine that is not
// its own, it must not.
package rootdir

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// OS performs file operations below a root directory. What would change
// something elsewhere does nothing and succeeds, as far as the kubelet goes on
// well without it; what would open a file elsewhere for writing fails. Reading
// is confined too: a directory elsewhere is empty.
//
// It has the methods of the kubelet's OSInterface.
type OS struct {
	root string
}

// New confines to root, which becomes absolute.
func New(root string) (OS, error) {
	absolute, err := filepath.Abs(root)
	if err != nil {
		return OS{}, fmt.Errorf("find root directory %q: %w", root, err)
	}
	return OS{root: absolute}, nil
}

// Root is the absolute path of the root directory.
func (o OS) Root() string { return o.root }

// inside reports whether path is the root directory or below it, by name:
// symbolic links are not followed, for the kubelet makes none that lead out.
func (o OS) inside(path string) bool {
	relative, err := filepath.Rel(o.root, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, "../")
}

func (o OS) outside(operation, path string) error {
	return &fs.PathError{Op: operation, Path: path, Err: fmt.Errorf("outside of the root directory %s: %w", o.root, fs.ErrPermission)}
}

// MkdirAll makes a directory and its parents, or nothing outside.
func (o OS) MkdirAll(path string, perm os.FileMode) error {
	if !o.inside(path) {
		return nil
	}
	return os.MkdirAll(path, perm)
}

// Symlink makes newname a link to oldname, or nothing if newname is outside.
func (o OS) Symlink(oldname, newname string) error {
	if !o.inside(newname) {
		return nil
	}
	return os.Symlink(oldname, newname)
}

// Stat describes a file. Files outside do not exist.
func (o OS) Stat(path string) (os.FileInfo, error) {
	if !o.inside(path) {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return os.Stat(path)
}

// Remove removes a file, or nothing outside.
func (o OS) Remove(path string) error {
	if !o.inside(path) {
		return nil
	}
	return os.Remove(path)
}

// RemoveAll removes a file with all below it, or nothing outside.
func (o OS) RemoveAll(path string) error {
	if !o.inside(path) {
		return nil
	}
	return os.RemoveAll(path)
}

// Create makes or empties a file.
func (o OS) Create(path string) (*os.File, error) {
	if !o.inside(path) {
		return nil, o.outside("create", path)
	}
	return os.Create(path)
}

// Chmod changes a file's mode, or nothing outside.
func (o OS) Chmod(path string, perm os.FileMode) error {
	if !o.inside(path) {
		return nil
	}
	return os.Chmod(path, perm)
}

// Hostname is the machine's.
func (o OS) Hostname() (string, error) { return os.Hostname() }

// Chtimes changes a file's times, or nothing outside.
func (o OS) Chtimes(path string, atime, mtime time.Time) error {
	if !o.inside(path) {
		return nil
	}
	return os.Chtimes(path, atime, mtime)
}

// Pipe is os.Pipe.
func (o OS) Pipe() (r, w *os.File, err error) { return os.Pipe() }

// ReadDir lists a directory. Outside they are empty.
func (o OS) ReadDir(path string) ([]os.DirEntry, error) {
	if !o.inside(path) {
		return nil, nil
	}
	return os.ReadDir(path)
}

// Glob lists the files that match. Outside none do.
func (o OS) Glob(pattern string) ([]string, error) {
	if !o.inside(pattern) {
		return nil, nil
	}
	return filepath.Glob(pattern)
}

// Open opens a file for reading.
func (o OS) Open(path string) (*os.File, error) {
	if !o.inside(path) {
		return nil, o.outside("open", path)
	}
	return os.Open(path)
}

// OpenFile opens a file.
func (o OS) OpenFile(path string, flag int, perm os.FileMode) (*os.File, error) {
	if !o.inside(path) {
		return nil, o.outside("open", path)
	}
	return os.OpenFile(path, flag, perm)
}

// Rename moves a file, or nothing if either end is outside.
func (o OS) Rename(oldpath, newpath string) error {
	if !o.inside(oldpath) || !o.inside(newpath) {
		return nil
	}
	return os.Rename(oldpath, newpath)
}
