package fingerprint

import (
	"bytes"
	"compress/gzip"
	"testing"
	"testing/fstest"
)

func gz(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

func TestReadTakesTheMachineFromTheKernelsFiles(t *testing.T) {
	root := fstest.MapFS{
		"proc/sys/kernel/osrelease":        file("6.1.0-9\n"),
		"proc/config.gz":                   {Data: gz(t, "# CONFIG_HZ_250 is not set\nCONFIG_HZ_1000=y\nCONFIG_HZ=1000\n")},
		"proc/cpuinfo":                     file("processor\t: 0\nmodel name\t: A CPU\nprocessor\t: 1\nmodel name\t: Another\n"),
		"proc/meminfo":                     file("MemTotal:       2048 kB\nMemFree: 1 kB\n"),
		"proc/loadavg":                     file("0.50 0.40 0.30 1/100 42\n"),
		"proc/stat":                        file("cpu  10 20 30 40 5 6 7 8 9 9\ncpu0 1 1 1 1\n"),
		"sys/fs/cgroup/cgroup.controllers": file("cpu memory\n"),
	}
	got := Read(root, "abc")
	// 10+20+30+40+5+6+7+8 = 126; user time already includes guest time.
	want := Environment{OS: got.OS, Arch: got.Arch, CPUs: got.CPUs, GoVersion: got.GoVersion,
		Kernel: "6.1.0-9", TimerHz: 1000, CPUModel: "A CPU", MemoryBytes: 2048 * 1024, CgroupVersion: "v2",
		Commit: "abc", Load: Load{OneMinute: 0.5, CPUTicks: 126, StolenTicks: 8}}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got.CPUs < 1 || got.OS == "" || got.GoVersion == "" {
		t.Errorf("the runtime's own facts are missing: %+v", got)
	}
}

func TestReadLeavesUnknownFieldsEmpty(t *testing.T) {
	for name, root := range map[string]fstest.MapFS{
		"no files at all": {},
		"files of rubbish": {
			"proc/config.gz": file("not gzip"), "proc/meminfo": file("MemTotal: lots\n"),
			"proc/stat": file("cpu a b c d e f g h i\n"), "proc/loadavg": file("\n"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Read(root, "")
			if got.Kernel != "" || got.TimerHz != 0 || got.CPUModel != "" || got.MemoryBytes != 0 || got.CgroupVersion != "" || got.Load != (Load{}) {
				t.Errorf("an unreadable machine got values: %+v", got)
			}
		})
	}
}

func TestTimerHzFallsBackToTheFileInBoot(t *testing.T) {
	root := fstest.MapFS{"proc/sys/kernel/osrelease": file("5.4\n"), "boot/config-5.4": file("CONFIG_HZ=250\n")}
	if got := Read(root, "").TimerHz; got != 250 {
		t.Errorf("timerHz = %d, want 250", got)
	}
}

func TestCgroupVersion(t *testing.T) {
	for want, name := range map[string]string{
		"v2": "sys/fs/cgroup/cgroup.controllers", "hybrid": "sys/fs/cgroup/unified/cgroup.controllers", "v1": "sys/fs/cgroup/cpu/tasks",
	} {
		if got := cgroupVersion(fstest.MapFS{name: file("")}); got != want {
			t.Errorf("with %s: %q, want %q", name, got, want)
		}
	}
}
