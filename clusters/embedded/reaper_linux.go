package embedded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// reaperScript waits for the end of its standard input. An orderly Delete
// writes "done" first. Without that word, the parent died of a panic or a
// SIGKILL: the kernel then kills the children, and the script removes the
// folder once they are gone.
const reaperScript = `trap '' INT TERM HUP QUIT
if read -r word && [ "$word" = done ]; then exit 0; fi
tries=0
while [ "$tries" -lt 100 ]; do
	rm -rf -- "$1" 2>/dev/null && [ ! -e "$1" ] && exit 0
	tries=$((tries + 1))
	sleep 0.1 2>/dev/null || sleep 1
done
exit 1
`

// reaper removes a folder if this process dies before doing so.
type reaper struct {
	pipe io.WriteCloser
	done chan struct{}
}

// startReaper starts the reaper of dir in its own session, out of reach of the
// terminal's signals. It does not disturb measurements: it sleeps in read.
func startReaper(dir string) (*reaper, error) {
	if !filepath.IsAbs(dir) || filepath.Dir(dir) == dir {
		return nil, fmt.Errorf("start the reaper: refusing to remove %q", dir)
	}
	// Not CommandContext: it must outlive this process.
	cmd := &exec.Cmd{
		Path:        "/bin/sh",
		Args:        []string{"podburst-reaper", "-c", reaperScript, "podburst-reaper", dir},
		Dir:         "/",
		Env:         []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the reaper: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the reaper: %w", err)
	}
	r := &reaper{pipe: pipe, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // Nobody is left who cares about its exit code.
		close(r.done)
	}()
	return r, nil
}

// dismiss ends the reaper without removing anything.
func (r *reaper) dismiss() error {
	_, err := io.WriteString(r.pipe, "done\n")
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) {
		err = nil // It has already gone.
	}
	if closeErr := r.pipe.Close(); !errors.Is(closeErr, os.ErrClosed) {
		err = errors.Join(err, closeErr)
	}
	timer := time.NewTimer(5 * time.Second)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-timer.C:
		err = errors.Join(err, errors.New("it does not end"))
	}
	if err != nil {
		return fmt.Errorf("dismiss the reaper: %w", err)
	}
	return nil
}
