package recording

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// FileSystem is what writing a run needs from a disk. It is an interface so that
// tests can fill up the disk; everything else uses Disk.
type FileSystem interface {
	// MkdirAll is os.MkdirAll.
	MkdirAll(dir string, perm fs.FileMode) error
	// CreateTemp is os.CreateTemp: a new file in dir, open for writing.
	CreateTemp(dir, pattern string) (File, error)
	// Rename is os.Rename: it atomically replaces an existing target.
	Rename(from, to string) error
	// Remove is os.Remove.
	Remove(name string) error
	// Exists tells whether anything has that name.
	Exists(name string) (bool, error)
}

// File is a file being written.
type File interface {
	io.WriteCloser
	Name() string
	Chmod(mode fs.FileMode) error
	Sync() error
}

// Disk is the machine's own file system.
type Disk struct{}

// MkdirAll implements FileSystem.
func (Disk) MkdirAll(dir string, perm fs.FileMode) error { return os.MkdirAll(dir, perm) }

// CreateTemp implements FileSystem.
func (Disk) CreateTemp(dir, pattern string) (File, error) { return os.CreateTemp(dir, pattern) }

// Rename implements FileSystem.
func (Disk) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FileSystem.
func (Disk) Remove(name string) error { return os.Remove(name) }

// Exists implements FileSystem.
func (Disk) Exists(name string) (bool, error) {
	_, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

const (
	fileMode   fs.FileMode = 0o644
	folderMode fs.FileMode = 0o755
)

// WriteFile creates or replaces the file at path with what write produces, whole or
// not at all: the bytes go to a temporary file in the same folder, which is synced,
// made readable for all (0644) and renamed. Missing folders are created (0755). If
// anything fails, the temporary file is removed and an earlier file at path stays as
// it was.
//
// The sync is not only for power cuts: it surfaces late errors of a full disk, and it
// keeps the kernel from writing the pages back during the next burst.
func WriteFile(fsys FileSystem, path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	if err := fsys.MkdirAll(dir, folderMode); err != nil {
		return fmt.Errorf("make folder of %s: %w", path, err)
	}
	file, err := fsys.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	open := true
	defer func() {
		if err == nil {
			return
		}
		err = fmt.Errorf("write %s: %w", path, err)
		if open {
			err = errors.Join(err, file.Close())
		}
		if rmErr := fsys.Remove(file.Name()); rmErr != nil && !errors.Is(rmErr, fs.ErrNotExist) {
			err = errors.Join(err, rmErr)
		}
	}()
	buffer := bufio.NewWriterSize(file, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if err := file.Chmod(fileMode); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	open = false
	if err := file.Close(); err != nil {
		return err
	}
	return fsys.Rename(file.Name(), path)
}

// DiskFailed tells a full or broken disk from a folder that may not be written: no
// other input would have avoided the former.
func DiskFailed(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EIO)
}

// WriteJSON writes v with WriteFile, indented for people.
func WriteJSON(fsys FileSystem, path string, v any) error {
	return WriteFile(fsys, path, func(out io.Writer) error {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(v)
	})
}
