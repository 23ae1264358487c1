package fingerprint

import (
	"io/fs"
	"runtime"

	"github.com/podburst/podburst/internal/procfs"
)

// Environment describes the machine that observed a burst (with the embedded provider
// and kind, it also ran the cluster). An empty or zero field is unknown.
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

// Load is how busy the machine was: the load average over one minute, and the jiffies
// of CPU time since boot, in total and stolen by other guests.
type Load struct {
	OneMinute   float64 `json:"oneMinute"`
	CPUTicks    int64   `json:"cpuTicks,omitempty"`
	StolenTicks int64   `json:"stolenTicks,omitempty"`
}

// Read takes the fingerprint. root is the machine's root folder (os.DirFS("/")).
func Read(root fs.FS, commit string) Environment {
	proc := procOf(root)
	kernel, _ := proc.Kernel()
	model, _ := proc.CPUModel()
	memory, _, _ := proc.Memory()
	return Environment{
		OS:            runtime.GOOS,
		Arch:          runtime.GOARCH,
		Kernel:        kernel,
		TimerHz:       timerHz(root, kernel),
		CPUModel:      model,
		CPUs:          runtime.NumCPU(),
		MemoryBytes:   memory,
		CgroupVersion: cgroupVersion(root),
		GoVersion:     runtime.Version(),
		Commit:        commit,
		Load:          ReadLoad(root),
	}
}

// ReadLoad reads how busy the machine is now.
func ReadLoad(root fs.FS) Load {
	proc := procOf(root)
	var l Load
	l.OneMinute, _ = proc.Load()
	l.CPUTicks, l.StolenTicks, _ = proc.CPUTicks()
	return l
}

func procOf(root fs.FS) procfs.FS {
	proc, err := fs.Sub(root, "proc")
	if err != nil {
		panic(err) // not reachable: the path is valid
	}
	return procfs.New(proc)
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
