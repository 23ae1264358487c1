package fingerprint

import (
	"io/fs"
	"runtime"
	"strconv"
	"strings"
)

// Environment describes the machine that observed (and for the embedded
// provider and kind also ran) a burst. An empty or zero field is unknown.
type Environment struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	// Kernel is the release, as uname -r prints it.
	Kernel string `json:"kernel,omitempty"`
	// TimerHz is the kernel's CONFIG_HZ in ticks a second: it decides how fine
	// the scheduler's time slices are.
	TimerHz  int    `json:"timerHz,omitempty"`
	CPUModel string `json:"cpuModel,omitempty"`
	CPUs     int    `json:"cpus"`
	// MemoryBytes is the machine's total memory.
	MemoryBytes int64 `json:"memoryBytes,omitempty"`
	// CgroupVersion is "v1", "v2" or "hybrid".
	CgroupVersion string `json:"cgroupVersion,omitempty"`
	GoVersion     string `json:"goVersion"`
	// Commit is the podburst commit, where the build knows it.
	Commit string `json:"commit,omitempty"`
	// Load is the state when the run began.
	Load Load `json:"load"`
}

// Load is how busy the machine was: the load average over one minute and the
// jiffies of CPU time since boot, of which those stolen by other guests.
type Load struct {
	OneMinute   float64 `json:"oneMinute"`
	CPUTicks    int64   `json:"cpuTicks,omitempty"`
	StolenTicks int64   `json:"stolenTicks,omitempty"`
}

// Read takes the fingerprint. root is the machine's root folder (os.DirFS("/")).
func Read(root fs.FS, commit string) Environment {
	return Environment{
		OS:            runtime.GOOS,
		Arch:          runtime.GOARCH,
		Kernel:        line(root, "proc/sys/kernel/osrelease"),
		TimerHz:       timerHz(root),
		CPUModel:      value(root, "proc/cpuinfo", "model name"),
		CPUs:          runtime.NumCPU(),
		MemoryBytes:   memory(root),
		CgroupVersion: cgroupVersion(root),
		GoVersion:     runtime.Version(),
		Commit:        commit,
		Load:          ReadLoad(root),
	}
}

// ReadLoad reads how busy the machine is now.
func ReadLoad(root fs.FS) Load {
	var l Load
	if f := strings.Fields(line(root, "proc/loadavg")); len(f) > 0 {
		l.OneMinute, _ = strconv.ParseFloat(f[0], 64)
	}
	// "cpu user nice system idle iowait irq softirq steal guest guest_nice";
	// guest time is already part of user time.
	f := strings.Fields(line(root, "proc/stat"))
	if len(f) < 9 || f[0] != "cpu" {
		return l
	}
	for i, s := range f[1:9] {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return Load{OneMinute: l.OneMinute}
		}
		l.CPUTicks += n
		if i == 7 {
			l.StolenTicks = n
		}
	}
	return l
}

func memory(root fs.FS) int64 {
	f := strings.Fields(value(root, "proc/meminfo", "MemTotal"))
	if len(f) != 2 || f[1] != "kB" {
		return 0
	}
	n, err := strconv.ParseInt(f[0], 10, 64)
	if err != nil {
		return 0
	}
	return n * 1024
}

func cgroupVersion(root fs.FS) string {
	exists := func(name string) bool { _, err := fs.Stat(root, name); return err == nil }
	switch {
	case exists("sys/fs/cgroup/cgroup.controllers"):
		return "v2"
	case exists("sys/fs/cgroup/unified/cgroup.controllers"):
		return "hybrid"
	case exists("sys/fs/cgroup/cpu") || exists("sys/fs/cgroup/memory"):
		return "v1"
	}
	return ""
}
