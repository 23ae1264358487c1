package fingerprint

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// maxFile bounds what is read of any one file; the largest (a kernel's config) has about 300 KiB.
const maxFile = 4 << 20

func read(root fs.FS, name string) []byte {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	return data
}

// line is the file's first line, trimmed.
func line(root fs.FS, name string) string {
	first, _, _ := strings.Cut(string(read(root, name)), "\n")
	return strings.TrimSpace(first)
}

// value finds "key<blanks>: value" and returns the first value.
func value(root fs.FS, name, key string) string {
	s := bufio.NewScanner(bytes.NewReader(read(root, name)))
	for s.Scan() {
		k, v, ok := strings.Cut(s.Text(), ":")
		if ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// timerHz reads CONFIG_HZ from the running kernel's configuration, which is in
// /proc/config.gz (CONFIG_IKCONFIG_PROC) or beside the kernel in /boot.
func timerHz(root fs.FS) int {
	config := gunzip(read(root, "proc/config.gz"))
	if config == nil {
		config = read(root, "boot/config-"+line(root, "proc/sys/kernel/osrelease"))
	}
	for l := range strings.Lines(string(config)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(l), "CONFIG_HZ="); ok {
			hz, err := strconv.Atoi(v)
			if err != nil {
				return 0
			}
			return hz
		}
	}
	return 0
}

func gunzip(data []byte) []byte {
	if data == nil {
		return nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxFile))
	if err != nil {
		return nil
	}
	return plain
}
