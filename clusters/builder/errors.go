package builder

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
)

// Errors that a caller may want to tell apart; each comes wrapped in a sentence
// that says what to do.
var (
	// ErrNoGo: there is no go command.
	ErrNoGo = errors.New("no go command found")
	// ErrDiskFull: the build ran out of disk space.
	ErrDiskFull = errors.New("no space left on device")
	// ErrModules: a module could not be fetched or does not match its checksum.
	ErrModules = errors.New("modules cannot be fetched")
	// ErrCompile: the compiler or the linker refused the sources.
	ErrCompile = errors.New("the sources do not compile")
)

// DiskNeeded is what a cold build writes to Go's module and build caches, its
// temporary folder and podburst's cache, in bytes; a measured one left 5.2 GB of
// build cache and 0.7 GB of modules (the suite's own included) and a binary of 0.15 GB.
const DiskNeeded = 6 << 30

// keptLines is how much of the go command's output an error shows.
const keptLines = 15

var moduleTrouble = regexp.MustCompile(`(?m)dial tcp|proxyconnect|i/o timeout|TLS handshake|connection refused|no such host|checksum mismatch|SECURITY ERROR|module lookup disabled|disabled by GOPROXY|missing go\.sum entry|: (404|410|403|5\d\d) |unrecognized import path|verifying (module|go\.mod)`)

// explain turns a failure of the go command into an error that says what to do
// next. output is what the command wrote to stderr.
func explain(ctx context.Context, doing string, err error, output string) error {
	tail := lastLines(output, keptLines)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: stopped: %w", doing, context.Cause(ctx))
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%s: %w (%w); install Go from https://go.dev/dl/ or name a binary that is already built", doing, ErrNoGo, err)
	case errors.Is(err, syscall.ENOSPC) || strings.Contains(output, syscall.ENOSPC.Error()):
		return fmt.Errorf("%s: %w: a cold build needs about %d GB for Go's caches (GOMODCACHE, GOCACHE), its temporary folder (GOTMPDIR) and podburst's cache (%s); free some or move them\n%s",
			doing, ErrDiskFull, DiskNeeded>>30, CacheEnv, tail)
	case moduleTrouble.MatchString(output):
		return fmt.Errorf("%s: %w: %w; check the network and GOPROXY, then run again (what is fetched already stays)\n%s", doing, ErrModules, err, tail)
	default:
		return fmt.Errorf("%s: %w: %w\n%s", doing, ErrCompile, err, tail)
	}
}

// lastLines returns the last n lines that are not empty, indented.
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n\t "); line != "" {
			lines = append(lines, "  "+line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
