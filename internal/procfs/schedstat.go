package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Schedstat is what the scheduler has counted for a thread or a process since it
// started.
type Schedstat struct {
	// Run is the time spent on a processor, Wait the time spent runnable while
	// none was free.
	Run, Wait time.Duration
	// Slices is how many times it was given a processor.
	Slices int64
}

// Plus adds the counters up.
func (s Schedstat) Plus(o Schedstat) Schedstat {
	return Schedstat{Run: s.Run + o.Run, Wait: s.Wait + o.Wait, Slices: s.Slices + o.Slices}
}

// Schedstat sums up Threads, because the process's own file counts its main thread
// only. Threads that have ended are not included.
func (p FS) Schedstat(pid int) (Schedstat, error) {
	threads, err := p.Threads(pid)
	var sum Schedstat
	for _, s := range threads {
		sum = sum.Plus(s)
	}
	return sum, err
}

// Threads reads /proc/<pid>/task/*/schedstat, by thread id. If the kernel keeps no such
// counters (CONFIG_SCHED_INFO), the error wraps fs.ErrNotExist: that does not mean zero.
func (p FS) Threads(pid int) (map[int]Schedstat, error) {
	dir := fmt.Sprintf("%d/task", pid)
	tasks, err := fs.ReadDir(p.root, dir)
	if err != nil {
		return nil, fmt.Errorf("read the schedstat of process %d: %w", pid, err)
	}
	threads := make(map[int]Schedstat, len(tasks))
	for _, task := range tasks {
		id, err := strconv.Atoi(task.Name())
		if err != nil {
			continue // no thread
		}
		text, err := p.Text(dir + "/" + task.Name() + "/schedstat")
		if errors.Is(err, fs.ErrNotExist) {
			continue // The thread has ended meanwhile.
		}
		if err != nil {
			return nil, fmt.Errorf("read the schedstat of process %d: %w", pid, err)
		}
		numbers, err := integers(strings.Fields(text)...)
		if err != nil || len(numbers) != 3 {
			return nil, fmt.Errorf("read the schedstat of process %d: %q is not three numbers", pid, text)
		}
		threads[id] = Schedstat{Run: time.Duration(numbers[0]), Wait: time.Duration(numbers[1]), Slices: numbers[2]}
	}
	if len(threads) == 0 {
		return nil, fmt.Errorf("read the schedstat of process %d: %w", pid, fs.ErrNotExist)
	}
	return threads, nil
}
