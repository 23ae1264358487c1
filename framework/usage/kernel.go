package usage

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// Kernel is the Reader of a machine's kernel. It remembers what it has read, so that what
// threads used before they ended stays counted, and keeps files open: make a new one for
// every burst, and close it. It must not be used by two goroutines at once.
type Kernel struct {
	root      *procfs.Kept
	proc      procfs.FS
	processes map[int]*process
	groups    map[string]*group
}

// NewKernel reads the machine whose root folder is root: os.DirFS("/") for this one.
func NewKernel(root fs.FS) *Kernel {
	kept := procfs.Keep(root)
	proc, err := fs.Sub(kept, "proc")
	if err != nil {
		panic(err) // not reachable: the path is valid
	}
	return &Kernel{root: kept, proc: procfs.New(proc), processes: map[int]*process{}, groups: map[string]*group{}}
}

// Close closes the files that are kept open.
func (k *Kernel) Close() error { return k.root.Close() }

// Account implements Reader.
func (k *Kernel) Account(a clusters.Account) (sum Counters, err error) {
	switch {
	case len(a.PIDs) == 0:
		return Counters{}, errors.New("it has no process that is visible on this machine")
	case a.Container != "":
		sum, err = k.container(a.PIDs[0], a.Container)
	default:
		sum.RunQueueKnown = true
		for _, pid := range a.PIDs {
			c, err := k.process(pid)
			if err != nil {
				return Counters{}, err
			}
			sum.CPU += c.CPU
			sum.RunQueue += c.RunQueue
			sum.RunQueueKnown = sum.RunQueueKnown && c.RunQueueKnown
			sum.MemoryBytes += c.MemoryBytes
		}
	}
	return sum.checked(err)
}

// Machine implements Reader: the time that processors were not idle, the time that at
// least one task waited for one (PSI), and the memory that is not available.
func (k *Kernel) Machine() (Counters, error) {
	busy, err := k.proc.Busy()
	if err != nil {
		return Counters{}, err
	}
	c := Counters{CPU: busy}
	if pressure, err := k.proc.Pressure("cpu"); err == nil {
		c.RunQueue, c.RunQueueKnown = pressure.Some, true
	}
	if total, available, err := k.proc.Memory(); err == nil && available > 0 {
		c.MemoryBytes = total - available
	}
	return c.checked(nil)
}

// checked refuses counters that no kernel has.
func (c Counters) checked(err error) (Counters, error) {
	if err == nil && (c.CPU < 0 || c.RunQueue < 0 || c.MemoryBytes < 0) {
		err = fmt.Errorf("its counters make no sense: %+v", c)
	}
	if err != nil {
		return Counters{}, err
	}
	return c, nil
}

// process is what is remembered of one.
type process struct {
	start string
	// threads are those seen last; ended sums up those seen before that are gone.
	threads map[int]procfs.Schedstat
	ended   procfs.Schedstat
	// before is what threads had used that ended before the first reading.
	before time.Duration
	// counted: the kernel counts by thread.
	counted bool
}

// process reads one process. Its threads' counters are exact, but go with a thread that
// ends; /proc/<pid>/stat keeps those, in steps of 10 ms. The larger one of the two is no
// more than what was used, and neither falls.
func (k *Kernel) process(pid int) (Counters, error) {
	stat, err := k.proc.Stat(pid)
	if errors.Is(err, fs.ErrNotExist) || err == nil && stat.Ended() {
		return Counters{}, fmt.Errorf("process %d has ended", pid)
	}
	if err != nil {
		return Counters{}, err
	}
	p := k.processes[pid]
	first := p == nil
	if first {
		p = &process{start: stat.Start, counted: true}
		k.processes[pid] = p
	}
	if p.start != stat.Start {
		return Counters{}, fmt.Errorf("process %d has ended, and another one has its pid", pid)
	}
	c := Counters{CPU: stat.CPU, MemoryBytes: stat.MemoryBytes}
	if !p.counted {
		return c, nil
	}
	threads, err := k.proc.Threads(pid)
	if first && errors.Is(err, fs.ErrNotExist) {
		p.counted = false
		return c, nil
	}
	if err != nil {
		return Counters{}, err
	}
	sum := p.add(threads)
	if first {
		p.before = max(0, stat.CPU-sum.Run)
	}
	c.CPU = max(stat.CPU, p.before+sum.Run)
	c.RunQueue, c.RunQueueKnown = sum.Wait, true
	return c, nil
}

// add takes what the threads have used by now and returns the sum with those that ended.
func (p *process) add(threads map[int]procfs.Schedstat) procfs.Schedstat {
	for id, was := range p.threads {
		// One with smaller counters is another one with the same id.
		if is, lives := threads[id]; !lives || is.Run < was.Run || is.Wait < was.Wait {
			p.ended = p.ended.Plus(was)
		}
	}
	p.threads = threads
	sum := p.ended
	for _, s := range threads {
		sum = sum.Plus(s)
	}
	return sum
}
