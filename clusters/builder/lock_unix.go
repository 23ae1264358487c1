//go:build unix

package builder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// lockPoll is how often a waiting builder retries the lock: a context cannot
// interrupt flock.
const lockPoll = 250 * time.Millisecond

// acquire takes the file's lock and returns a function that releases it. If
// another process holds the lock, waiting is called once with what that process
// wrote about itself. When a process dies, the kernel releases its lock.
func acquire(ctx context.Context, clock Clock, path string, waiting func(holder string)) (release func() error, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the cache: %w", err)
	}
	for said := false; ; {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock the cache: flock %s: %w", path, err), file.Close())
		}
		if !said {
			said = true
			holder, _ := os.ReadFile(path) // Only for the message.
			waiting(strings.TrimSpace(string(holder)))
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for another build: %w", context.Cause(ctx)), file.Close())
		case <-clock.After(lockPoll):
		}
	}
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(fmt.Sprintf("process %d\n", os.Getpid())), 0)
	}
	// Closing the only descriptor releases the lock.
	return file.Close, nil
}
