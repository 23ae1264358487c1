package procfs

import (
	"fmt"
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
	numbers, err := p.cpuTicks()
	if err != nil {
		return 0, 0, err
	}
	for _, n := range numbers {
		total += n
	}
	return total, numbers[7], nil
}

// Busy is the time since boot that the processors were not idle, all of them together,
// in steps of 10 ms. What other guests of the host took is included: it was not there
// to be used.
func (p FS) Busy() (time.Duration, error) {
	numbers, err := p.cpuTicks()
	if err != nil {
		return 0, err
	}
	var busy int64
	for i, n := range numbers {
		if i != 3 && i != 4 { // idle, and idle while a disk works
			busy += n
		}
	}
	return ticks(busy), nil
}

// cpuTicks are "user nice system idle iowait irq softirq steal" of all processors. The
// file goes on with guest times, which are already part of user time.
func (p FS) cpuTicks() ([]int64, error) {
	text, err := p.Text("stat")
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(first)
	if len(fields) < 9 || fields[0] != "cpu" {
		return nil, fmt.Errorf("read the processors' time: %q is short", first)
	}
	numbers, err := integers(fields[1:9]...)
	if err != nil {
		return nil, fmt.Errorf("read the processors' time: %w", err)
	}
	return numbers, nil
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
