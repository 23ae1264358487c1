package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// program says how an instance is started.
type program struct {
	instance clusters.Instance
	args     []string // the program, by the name it is to have, and its arguments
	dir      string
	environ  []string
	log      string // file that receives stdout and stderr
}

// process is one life of an instance.
type process struct {
	command program
	pid     int
	start   string // start time as the kernel counts it, to tell two uses of a pid apart
	begin   int64  // where this life's output starts in the log

	done chan struct{} // closed once the process has ended and was reaped
	exit string        // how it ended; read after done

	mu       sync.Mutex
	ended    bool // it may be reaped: its pid is no longer ours to signal
	stopping bool // we asked it to end
}

// startProcess starts a child in its own process group, so that Ctrl-C on the
// terminal does not reach it: its cluster is stopped in order. The kernel kills
// it when this process dies.
func startProcess(c program) (*process, error) {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.instance, err)
	}
	defer log.Close()
	begin, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.instance, err)
	}
	// Not CommandContext: the child outlives the call that started it, and is
	// stopped in order (see stop).
	cmd := &exec.Cmd{
		Path: c.args[0], Args: c.args, Dir: c.dir, Env: c.environ, Stdout: log, Stderr: log,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	if err := onSpawner(cmd.Start); err != nil {
		return nil, fmt.Errorf("start %s: %w", c.instance, err)
	}
	p := &process{command: c, pid: cmd.Process.Pid, begin: begin, done: make(chan struct{})}
	stat, err := procfs.Local().Stat(p.pid)
	p.start = stat.Start
	go p.wait(cmd)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", c.instance, err), p.kill())
	}
	return p, nil
}

// wait reaps the process. Until then the pid is certainly ours, so the rest of
// its group is killed before that.
func (p *process) wait(cmd *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	p.mu.Lock()
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // Usually ESRCH: nothing else was in the group.
	p.ended = true
	p.mu.Unlock()
	err := cmd.Wait()
	switch {
	case cmd.ProcessState != nil:
		p.exit = cmd.ProcessState.String()
	default:
		p.exit = fmt.Sprint(err)
	}
	close(p.done)
}

// running reports whether the process is still running.
func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// signal sends a signal to the whole group, if it is still alive.
func (p *process) signal(sig syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopping = true
	if p.ended {
		return nil
	}
	if err := syscall.Kill(-p.pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stop %s: kill: %w", p.command.instance, err)
	}
	return nil
}

func (p *process) asked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopping
}

// stop asks the process to end, and kills it if it has not done so within grace
// or when ctx ends.
func (p *process) stop(ctx context.Context, grace time.Duration) error {
	if err := p.signal(syscall.SIGTERM); err != nil {
		return err
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
		return nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return p.kill()
}

// kill ends the process at once and waits for its end. SIGKILL cannot be
// refused: kill fails only for a process stuck in the kernel.
func (p *process) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	select {
	case <-p.done:
		return nil
	case <-timer.C:
		return fmt.Errorf("stop %s: process %d is still there 10 s after SIGKILL", p.command.instance, p.pid)
	}
}

// tailLines is how much of a log an error shows.
const tailLines = 15

// exitError says how the process ended and shows its last log lines.
func (p *process) exitError() error {
	return fmt.Errorf("%s ended: %s; its last log lines:\n%s", p.command.instance, p.exit, p.tail())
}

// tail returns the last lines that this life wrote, without secrets.
func (p *process) tail() string {
	log, err := os.Open(p.command.log)
	if err != nil {
		return "  (no log: " + err.Error() + ")"
	}
	defer log.Close()
	const window = 32 << 10
	from := p.begin
	if size, err := log.Seek(0, io.SeekEnd); err == nil {
		from = max(from, size-window)
	}
	text, err := io.ReadAll(io.NewSectionReader(log, from, window))
	if err != nil {
		return "  (no log: " + err.Error() + ")"
	}
	text = bytes.TrimSpace(redact(text))
	if len(text) == 0 {
		return "  (it wrote nothing)"
	}
	lines := strings.Split(string(text), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	for i, line := range lines {
		const widest = 600
		if len(line) > widest {
			line = strings.ToValidUTF8(line[:widest], "") + " ..."
		}
		lines[i] = "  " + line
	}
	return strings.Join(lines, "\n")
}

// addressInUse reports whether it ended because a port was taken.
func (p *process) addressInUse() bool {
	return !p.running() && strings.Contains(p.tail(), syscall.EADDRINUSE.Error())
}
