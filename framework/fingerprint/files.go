package fingerprint

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// maxFile bounds how much of one file is read; the largest (a kernel's config) has
// about 300 KiB.
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

// timerHz reads CONFIG_HZ from the running kernel's configuration: /proc/config.gz
// (CONFIG_IKCONFIG_PROC) or the file beside the kernel in /boot.
func timerHz(root fs.FS, kernel string) int {
	config := gunzip(read(root, "proc/config.gz"))
	if config == nil {
		config = read(root, "boot/config-"+kernel)
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
