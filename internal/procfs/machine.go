package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Kernel is the kernel's release, as uname -r prints it.
func (p FS) Kernel() (string, error) { return p.Text("sys/kernel/osrelease") }

// CPUModel is the model of the first processor, "" if the kernel names none.
func (p FS) CPUModel() (string, error) {
	text, err := p.Text("cpuinfo")
	return field(text, "model name"), err
}

// Memory is the machine's memory in bytes: the total, and what is available to
// programs now.
func (p FS) Memory() (total, available int64, err error) {
	text, err := p.Text("meminfo")
	if err != nil {
		return 0, 0, err
	}
	total, err = kilobytes(field(text, "MemTotal"))
	if err != nil {
		return 0, 0, fmt.Errorf("read meminfo: %w", err)
	}
	available, _ = kilobytes(field(text, "MemAvailable")) // Since Linux 3.14.
	return total, available, nil
}

func kilobytes(text string) (int64, error) {
	number, ok := strings.CutSuffix(text, " kB")
	if !ok {
		return 0, fmt.Errorf("%q is no size in kB", text)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	return n * 1024, err
}

// Load is the load average over one minute.
func (p FS) Load() (float64, error) {
	text, err := p.Text("loadavg")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(text, " ")
	return strconv.ParseFloat(first, 64)
}

// CPUTicks is the time of all processors since boot, in ticks: the total, and
// what other guests of the host took (steal).
func (p FS) CPUTicks() (total, stolen int64, err error) {
	text, err := p.Text("stat")
	if err != nil {
		return 0, 0, err
	}
	first, _, _ := strings.Cut(text, "\n")
	// "cpu user nice system idle iowait irq softirq steal guest guest_nice"; guest
	// time is already part of user time.
	fields := strings.Fields(first)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0, fmt.Errorf("read the processors' time: %q is short", first)
	}
	numbers, err := integers(fields[1:9]...)
	if err != nil {
		return 0, 0, fmt.Errorf("read the processors' time: %w", err)
	}
	for _, n := range numbers {
		total += n
	}
	return total, numbers[7], nil
}

// Schedstat is what the scheduler has counted for a process since it started.
type Schedstat struct {
	// Run is the time spent on a processor, Wait the time spent runnable while
	// none was free.
	Run, Wait time.Duration
	// Slices is how many times it was given a processor.
	Slices int64
}

// Schedstat sums /proc/<pid>/task/*/schedstat, because the process's own file
// counts its main thread only. Threads that have ended are not included.
func (p FS) Schedstat(pid int) (Schedstat, error) {
	dir := fmt.Sprintf("%d/task", pid)
	tasks, err := fs.ReadDir(p.root, dir)
	if err != nil {
		return Schedstat{}, fmt.Errorf("read the schedstat of process %d: %w", pid, err)
	}
	var sum Schedstat
	read := 0
	for _, task := range tasks {
		text, err := p.Text(dir + "/" + task.Name() + "/schedstat")
		if errors.Is(err, fs.ErrNotExist) {
			continue // The thread has ended meanwhile.
		}
		if err != nil {
			return Schedstat{}, fmt.Errorf("read the schedstat of process %d: %w", pid, err)
		}
		numbers, err := integers(strings.Fields(text)...)
		if err != nil || len(numbers) != 3 {
			return Schedstat{}, fmt.Errorf("read the schedstat of process %d: %q is not three numbers", pid, text)
		}
		sum.Run += time.Duration(numbers[0])
		sum.Wait += time.Duration(numbers[1])
		sum.Slices += numbers[2]
		read++
	}
	if read == 0 {
		// Also if the kernel keeps none (CONFIG_SCHED_INFO): that does not mean zero.
		return Schedstat{}, fmt.Errorf("read the schedstat of process %d: %w", pid, fs.ErrNotExist)
	}
	return sum, nil
}

// Pressure is how long work has stalled since boot for lack of a resource (PSI).
type Pressure struct {
	// Some is the time in which at least one task stalled, Full the time in which
	// all non-idle tasks did (0 for the processors of a whole machine).
	Some, Full time.Duration
}

// Pressure reads the pressure on "cpu", "memory" or "io".
func (p FS) Pressure(resource string) (Pressure, error) {
	text, err := p.Text("pressure/" + resource)
	if err != nil {
		return Pressure{}, err
	}
	var found Pressure
	for line := range strings.Lines(text) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, total, ok := strings.Cut(rest, "total=")
		µs, err := strconv.ParseInt(total, 10, 64)
		if !ok || err != nil {
			return Pressure{}, fmt.Errorf("read the pressure on %s: %q has no total", resource, line)
		}
		switch stalled := time.Duration(µs) * time.Microsecond; kind {
		case "some":
			found.Some = stalled
		case "full":
			found.Full = stalled
		}
	}
	return found, nil
}
