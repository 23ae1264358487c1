package main

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/podburst/podburst/framework/fingerprint"
)

// memory is the machine's memory in bytes, 0 if unknown.
func memory() int64 { return fingerprint.Read(os.DirFS("/"), "").MemoryBytes }

// free is how many bytes this user can still write to the folder, 0 if unknown.
func free(folder string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0
	}
	return int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // their types differ between architectures
}
