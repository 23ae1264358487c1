package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// sizes bound what a reader accepts, in bytes unless stated otherwise: a recording
// may come from anyone's pull request. The defaults are about ten times what a burst
// of 10,000 pods writes.
type sizes struct {
	document int64 // run.json, profile.json, burst.json
	stream   int64 // one .jsonl
	line     int   // one line of it
	metrics  int64 // one .prom
	folders  int   // entries of one folder
	pods     int   // pods of one burst
}

func defaultSizes() sizes {
	return sizes{document: 16 << 20, stream: 1 << 30, line: 4 << 20, metrics: 128 << 20, folders: 10_000, pods: 1_000_000}
}

// openFile opens a regular file of at most limit bytes.
func openFile(fsys fs.FS, name string, limit int64) (fs.File, error) {
	// Stat before Open: opening a named pipe would block.
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes; no recording's file of that name is larger than %d", name, info.Size(), limit)
	}
	return fsys.Open(name)
}

func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := openFile(fsys, name, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// readStream passes every line to decode. cut is true if the last line has no line
// end and does not decode; any other bad line is an error.
func readStream(fsys fs.FS, name string, limit sizes, decode func(line []byte) error) (cut bool, err error) {
	f, err := openFile(fsys, name, limit.stream)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	cut, err = decodeLines(io.LimitReader(f, limit.stream), limit.line, decode)
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return cut, nil
}

func decodeLines(r io.Reader, maxLine int, decode func(line []byte) error) (cut bool, err error) {
	lines := bufio.NewReaderSize(r, 1<<16)
	var long []byte
	for number := 1; ; number++ {
		long = long[:0]
		line, err := lines.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) {
			if long = append(long, line...); len(long) > maxLine {
				break
			}
			line, err = lines.ReadSlice('\n')
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if len(line) > maxLine {
			return false, fmt.Errorf("line %d is longer than %d bytes", number, maxLine)
		}
		atEnd := errors.Is(err, io.EOF)
		if err != nil && !atEnd {
			return false, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			if err := decode(line); err != nil {
				if atEnd {
					return true, nil
				}
				return false, fmt.Errorf("line %d: %w", number, err)
			}
		}
		if atEnd {
			return false, nil
		}
	}
}

// subfolders returns the paths of the folders in dir, sorted by name.
func subfolders(fsys fs.FS, dir string, limit int) ([]string, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > limit {
		return nil, fmt.Errorf("%s has %d entries; no recording's folder has more than %d", dir, len(entries), limit)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, path.Join(dir, e.Name()))
		}
	}
	return folders, nil
}
