package builder

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"syscall"

	"github.com/podburst/podburst/internal/command"
)

// Errors that a caller may want to tell apart. Each is wrapped in a sentence
// that says what to do.
var (
	// ErrNoGo: there is no go command.
	ErrNoGo = errors.New("no go command found")
	// ErrModules: a module could not be fetched or does not match its checksum.
	ErrModules = errors.New("modules cannot be fetched")
	// ErrCompile: the compiler or the linker refused the sources.
	ErrCompile = errors.New("the sources do not compile")
)

// DiskNeeded is how many bytes a cold build writes to Go's module and build
// caches, its temporary folder and podburst's cache. A measured build left 5.2
// GB of build cache, 0.7 GB of modules (including the suite's own) and a binary
// of 0.15 GB.
const DiskNeeded = 6 << 30

var moduleTrouble = regexp.MustCompile(`(?m)dial tcp|proxyconnect|i/o timeout|TLS handshake|connection refused|no such host|checksum mismatch|SECURITY ERROR|module lookup disabled|disabled by GOPROXY|missing go\.sum entry|: (404|410|403|5\d\d) |unrecognized import path|verifying (module|go\.mod)`)

// explain turns a go command failure into an error that says what to do next.
func explain(doing string, err error) error {
	failed := &command.Error{}
	errors.As(err, &failed)
	switch {
	case failed.Stopped:
		return fmt.Errorf("%s: %w", doing, err)
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s: %w (%w); install Go from https://go.dev/dl/ or name a binary that is already built", doing, ErrNoGo, err)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%s: the disk is full: a cold build needs about %d GB for Go's caches (GOMODCACHE, GOCACHE), its temporary folder (GOTMPDIR) and podburst's cache (%s); free some or move them\n%w",
			doing, DiskNeeded>>30, CacheEnv, err)
	case moduleTrouble.MatchString(failed.Output):
		return fmt.Errorf("%s: %w; check the network and GOPROXY, then run again (what is fetched already stays)\n%w", doing, ErrModules, err)
	default:
		return fmt.Errorf("%s: %w\n%w", doing, ErrCompile, err)
	}
}
