package procfs

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// recorded is a small machine.
var recorded = New(fstest.MapFS{
	// A process may give itself any name.
	"42/stat":                   file("42 (a) Z (b) S 7 42 42 0 -1 4194560 1 0 0 0 150 50 9 9 20 0 3 0 12345 1 2\n"),
	"42/cmdline":                file("prog\x00--a=b c\x00\x00"),
	"42/status":                 file("Name:\tprog\nNSpid:\t42\t5\n"),
	"42/task/42/schedstat":      file("1000 200 3\n"),
	"42/task/43/schedstat":      file("10 2000000000 4\n"),
	"42/task/44":                {Mode: fs.ModeDir}, // It has ended.
	"43/stat":                   file("43 (z) Z 42 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 99 0 0\n"),
	"43/cmdline":                file(""),
	"44/stat":                   file("44 (short) S 1\n"),
	"44/task/44/schedstat":      file("1 2\n"),
	"cpuinfo":                   file("processor\t: 0\nmodel name\t: A CPU\n"),
	"loadavg":                   file("0.50 0.40 0.30 1/100 42\n"),
	"meminfo":                   file("MemTotal:       2048 kB\nMemFree: 1 kB\nMemAvailable: 512 kB\n"),
	"pressure/cpu":              file("some avg10=1.00 avg60=0.10 avg300=0.00 total=1500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
	"pressure/io":               file("some avg10=1.00\n"),
	"self/ns/pid":               {Data: []byte("pid:[1]"), Mode: fs.ModeSymlink},
	"stat":                      file("cpu  10 20 30 40 5 6 7 8 9 9\ncpu0 1 1 1 1\n"),
	"sys/kernel/osrelease":      file("6.1.0-9\n"),
	"sys/kernel/random/boot_id": file("boot\n"),
})

func TestStatIsCountedFromTheEndOfTheName(t *testing.T) {
	got, err := recorded.Stat(42)
	// 150 + 50 ticks of 10 ms, 9 + 9 of children, 2 pages.
	if want := (Stat{State: 'S', Parent: 7, CPU: 2 * time.Second, Children: 180 * time.Millisecond, MemoryBytes: 2 * int64(os.Getpagesize()), Start: "12345"}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if _, err := recorded.Stat(44); err == nil {
		t.Error("a short stat was taken")
	}
	if _, err := recorded.Stat(1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a process that is not there: %v", err)
	}
}

func TestCommandLine(t *testing.T) {
	if got, err := recorded.CommandLine(42); err != nil || !slices.Equal(got, []string{"prog", "--a=b c"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := recorded.CommandLine(43); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("of a zombie: %v", err)
	}
}

func TestProcessesAndTheirNames(t *testing.T) {
	if got, err := recorded.PIDs(); err != nil || !slices.Equal(got, []int{42, 43, 44}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := recorded.NamespacePIDs(42); err != nil || !slices.Equal(got, []string{"42", "5"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSchedstatSumsThreads(t *testing.T) {
	got, err := recorded.Schedstat(42)
	if want := (Schedstat{Run: 1010, Wait: 2*time.Second + 200, Slices: 7}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, pid := range []int{44, 1} {
		if _, err := recorded.Schedstat(pid); err == nil {
			t.Errorf("process %d has one", pid)
		}
	}
}

func TestPressureIsTheTimeStalled(t *testing.T) {
	got, err := recorded.Pressure("cpu")
	if want := (Pressure{Some: 1500 * time.Millisecond, Full: 7 * time.Microsecond}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	for _, resource := range []string{"io", "memory"} {
		if _, err := recorded.Pressure(resource); err == nil {
			t.Errorf("pressure on %s was read", resource)
		}
	}
}

func TestMachine(t *testing.T) {
	total, available, err := recorded.Memory()
	if total != 2048*1024 || available != 512*1024 || err != nil {
		t.Errorf("memory %d, %d, %v", total, available, err)
	}
	// 10+20+30+6+7+8 = 81: without idle and iowait.
	if busy, err := recorded.Busy(); busy != 810*time.Millisecond || err != nil {
		t.Errorf("busy %v, %v", busy, err)
	}
	// 10+20+30+40+5+6+7+8 = 126.
	ticks, stolen, err := recorded.CPUTicks()
	if ticks != 126 || stolen != 8 || err != nil {
		t.Errorf("ticks %d, %d, %v", ticks, stolen, err)
	}
	load, err := recorded.Load()
	if load != 0.5 || err != nil {
		t.Errorf("load %v, %v", load, err)
	}
	model, _ := recorded.CPUModel()
	kernel, _ := recorded.Kernel()
	if model != "A CPU" || kernel != "6.1.0-9" {
		t.Errorf("processor %q, kernel %q", model, kernel)
	}
}

func TestAZombieIsNotAlive(t *testing.T) {
	here := Process{Boot: "boot", Namespace: "pid:[1]"}
	for name, test := range map[string]struct {
		change func(*Process)
		want   bool
	}{
		"it runs":                         {func(p *Process) { p.PID, p.Start = 42, "12345" }, true},
		"a zombie":                        {func(p *Process) { p.PID, p.Start = 43, "99" }, false},
		"its pid is another's now":        {func(p *Process) { p.PID, p.Start = 42, "1" }, false},
		"it has gone":                     {func(p *Process) { p.PID, p.Start = 1, "1" }, false},
		"no record":                       {func(*Process) {}, false},
		"of another boot":                 {func(p *Process) { p.PID, p.Start, p.Boot = 42, "12345", "other" }, false},
		"of another namespace":            {func(p *Process) { p.PID, p.Namespace = 1, "pid:[2]" }, true},
		"that cannot be read":             {func(p *Process) { p.PID = 44 }, true},
		"a record without the start time": {func(p *Process) { p.PID = 42 }, true},
	} {
		t.Run(name, func(t *testing.T) {
			process := here
			test.change(&process)
			if got := recorded.Alive(process); got != test.want {
				t.Errorf("alive: got %t, want %t", got, test.want)
			}
		})
	}
}

func TestThisProcessIsAlive(t *testing.T) {
	if self := Local().Self(); self.PID != os.Getpid() || !Local().Alive(self) {
		t.Errorf("%+v is not alive", self)
	}
	// Also without /proc.
	if !New(fstest.MapFS{}).Alive(Process{PID: os.Getpid()}) {
		t.Error("without /proc, this process is not alive")
	}
}

func TestARealZombieIsNotAlive(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc here")
	}
	child := exec.CommandContext(t.Context(), "/bin/cat")
	pipe, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	stat, err := Local().Stat(child.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	owner := Local().Self()
	owner.PID, owner.Start = child.Process.Pid, stat.Start
	if !Local().Alive(owner) {
		t.Error("it runs, and is not alive")
	}
	pipe.Close()
	for !stat.Ended() {
		if stat, err = Local().Stat(child.Process.Pid); err != nil {
			t.Fatal(err)
		}
	}
	if Local().Alive(owner) {
		t.Error("a zombie is alive")
	}
}

func TestOwnCPUTimeAndSchedstat(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc here")
	}
	if cpu, ok := SelfCPU(); !ok || cpu <= 0 {
		t.Errorf("got %s, %t", cpu, ok)
	}
	if own, err := Local().Schedstat(os.Getpid()); err != nil || own.Run <= 0 || own.Slices <= 0 {
		t.Errorf("got %+v, %v", own, err)
	}
}
