package nodeimage

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// layer writes one image layer: a tar whose bytes depend on the names, modes
// and contents of its files only, not on when or in which order they were made.
type layer struct {
	file *os.File
	hash hash.Hash
	tar  *tar.Writer
	dirs map[string]bool
}

// layerFile is a layer on disk.
type layerFile struct {
	path   string
	digest string // "sha256:…" of the whole tar
	size   int64  // bytes
}

// epoch is the time of every file: time zero would be older than what some
// tools take for a time.
var epoch = time.Unix(1e9, 0).UTC()

func newLayer(path string) (*layer, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("write a layer: %w", err)
	}
	l := &layer{file: file, hash: sha256.New(), dirs: map[string]bool{}}
	l.tar = tar.NewWriter(io.MultiWriter(file, l.hash))
	return l, nil
}

// close ends the layer. It must be called once, also after an error.
func (l *layer) close() (layerFile, error) {
	err := l.tar.Close()
	size, seekErr := l.file.Seek(0, io.SeekEnd)
	err = errors.Join(err, seekErr, l.file.Close())
	return layerFile{path: l.file.Name(), digest: "sha256:" + hex.EncodeToString(l.hash.Sum(nil)), size: size}, err
}

// parents adds the folders above name that the layer does not have yet.
func (l *layer) parents(name string) error {
	dir := path.Dir(name)
	if dir == "." || l.dirs[dir] {
		return nil
	}
	if err := l.parents(dir); err != nil {
		return err
	}
	l.dirs[dir] = true
	return l.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: epoch})
}

// content adds a file with the given bytes. Names have no leading slash.
func (l *layer) content(name string, mode int64, data []byte) error {
	if err := l.parents(name); err != nil {
		return err
	}
	if err := l.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(data)), ModTime: epoch}); err != nil {
		return err
	}
	_, err := l.tar.Write(data)
	return err
}

// link adds a symbolic link.
func (l *layer) link(name, target string) error {
	if err := l.parents(name); err != nil {
		return err
	}
	return l.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: target, Mode: 0o777, ModTime: epoch})
}

// copy adds a file of this machine, executable for all.
func (l *layer) copy(name, from string) error {
	if err := l.parents(name); err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := l.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o755, Size: info.Size(), ModTime: epoch}); err != nil {
		return err
	}
	return l.body(from)
}

func (l *layer) body(from string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	_, err = io.Copy(l.tar, file)
	return errors.Join(err, file.Close())
}

// tree adds what is below root, under prefix, but for what skip names (relative
// to root). Device nodes, pipes and sockets are left out: a container has its own.
func (l *layer) tree(root, prefix string, skip func(name string) bool) error {
	return filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, at)
		if err != nil || relative == "." {
			return err
		}
		name := filepath.ToSlash(relative)
		if skip(name) {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		return l.entry(at, path.Join(prefix, name), entry)
	})
}

func (l *layer) entry(at, name string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	target := ""
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		if target, err = os.Readlink(at); err != nil {
			return err
		}
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil
	}
	header, err := tar.FileInfoHeader(info, target)
	if err != nil {
		return err
	}
	header.Name = name
	header.ModTime, header.AccessTime, header.ChangeTime = epoch, time.Time{}, time.Time{}
	// Names belong to the machine that builds; numbers to the image.
	header.Uname, header.Gname = "", ""
	if info.IsDir() {
		header.Name = strings.TrimSuffix(name, "/") + "/"
		l.dirs[name] = true
	} else if err := l.parents(name); err != nil {
		return err
	}
	if err := l.tar.WriteHeader(header); err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	return l.body(at)
}
