package procfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// keptFiles is how many files a Kept keeps open at most; further ones are opened for every
// reading.
const keptFiles = 2048

// Kept reads the kernel's files again and again at a fraction of the price: it keeps them
// open, and the kernel writes them anew for each reading from the beginning. Finding a
// thread's file in /proc takes several times as long as reading it. Close it after use. It
// must not be used by two goroutines at once.
type Kept struct {
	root   fs.FS
	files  map[string]*os.File
	buffer []byte
}

// Keep reads the files in root. Those that are not the system's (tests') are not kept.
func Keep(root fs.FS) *Kept {
	return &Kept{root: root, files: map[string]*os.File{}, buffer: make([]byte, 1<<12)}
}

// Open implements fs.FS.
func (k *Kept) Open(name string) (fs.File, error) { return k.root.Open(name) }

// file is the open file, or nil for one that cannot be kept.
func (k *Kept) file(name string) (*os.File, error) {
	if f, ok := k.files[name]; ok || len(k.files) >= keptFiles {
		return f, nil
	}
	opened, err := k.root.Open(name)
	if err != nil {
		return nil, err
	}
	f, ok := opened.(*os.File)
	if !ok {
		return nil, opened.Close()
	}
	k.files[name] = f
	return f, nil
}

// ReadFile implements fs.ReadFileFS.
func (k *Kept) ReadFile(name string) ([]byte, error) {
	f, err := k.file(name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return fs.ReadFile(k.root, name)
	}
	for read := 0; ; {
		n, err := f.ReadAt(k.buffer[read:], int64(read))
		read += n
		switch {
		case errors.Is(err, io.EOF):
			return append([]byte(nil), k.buffer[:read]...), nil
		case err != nil:
			return nil, k.drop(name, err)
		}
		k.buffer = append(k.buffer, make([]byte, len(k.buffer))...)
	}
}

// ReadDir implements fs.ReadDirFS. The entries are in no order.
func (k *Kept) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := k.file(name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return fs.ReadDir(k.root, name)
	}
	_, err = f.Seek(0, io.SeekStart)
	var entries []fs.DirEntry
	if err == nil {
		entries, err = f.ReadDir(-1)
	}
	if err == nil && len(entries) == 0 { // a process that has ended has no threads
		err = syscall.ESRCH
	}
	if err != nil {
		return nil, k.drop(name, err)
	}
	return entries, nil
}

// drop closes a file that could not be read. What is said of an ended process is then that
// it does not exist, as it is when its files are opened.
func (k *Kept) drop(name string, err error) error {
	err = errors.Join(err, k.files[name].Close())
	delete(k.files, name)
	if errors.Is(err, syscall.ESRCH) {
		return &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return fmt.Errorf("read %s: %w", name, err)
}

// Close closes the files.
func (k *Kept) Close() error {
	var errs []error
	for _, f := range k.files {
		errs = append(errs, f.Close())
	}
	clear(k.files)
	return errors.Join(errs...)
}
