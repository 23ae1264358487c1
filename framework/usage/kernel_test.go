package usage

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

// machine is a root folder whose files tests change.
type machine struct{ fstest.MapFS }

func newMachine() machine {
	m := machine{fstest.MapFS{}}
	m.file("proc/stat", "cpu  10 20 30 40 5 6 7 8 9 9\n")
	m.file("proc/meminfo", "MemTotal: 2048 kB\nMemAvailable: 512 kB\n")
	m.file("proc/pressure/cpu", "some avg10=1.00 avg60=0.10 avg300=0.00 total=1500000\n")
	m.file("proc/self/mountinfo", "33 31 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"+
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"+
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
	return m
}

func (m machine) file(name, format string, args ...any) {
	m.MapFS[name] = &fstest.MapFile{Data: fmt.Appendf(nil, format, args...)}
}

// process writes a process: ticks of 10 ms of itself and of children that have ended.
func (m machine) process(pid, parent int, start string, ticks, children, pages int) {
	m.file(fmt.Sprintf("proc/%d/stat", pid), "%d (a b) S %d 1 1 0 -1 0 0 0 0 0 %d 0 %d 0 20 0 1 0 %s 0 %d 0", pid, parent, ticks, children, start, pages)
}

func (m machine) thread(pid, id int, run, wait time.Duration) {
	m.file(fmt.Sprintf("proc/%d/task/%d/schedstat", pid, id), "%d %d 1\n", run, wait)
}

func (m machine) without(name string) {
	for path := range m.MapFS {
		if path == name || strings.HasPrefix(path, name+"/") {
			delete(m.MapFS, path)
		}
	}
}

func read(t *testing.T, k *Kernel, a clusters.Account) Counters {
	t.Helper()
	c, err := k.Account(a)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const ms = time.Millisecond

func TestTheCountersOfAnAccountAreThoseOfAllThreadsOfAllItsProcesses(t *testing.T) {
	m := newMachine()
	m.process(7, 1, "100", 3, 9, 2)
	m.thread(7, 7, 20*ms, 5*ms)
	m.thread(7, 8, 11*ms, 1*ms)
	m.process(9, 1, "100", 0, 0, 1)
	m.thread(9, 9, 4*ms, 2*ms)
	got := read(t, NewKernel(m), clusters.Account{Name: "etcd", PIDs: []int{7, 9}})
	// Not in steps of 10 ms, and without children.
	if want := (Counters{CPU: 35 * ms, RunQueue: 8 * ms, RunQueueKnown: true, MemoryBytes: 3 * int64(os.Getpagesize())}); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// What a thread used was lost with it, and the process's counter fell.
func TestWhatAThreadUsedBeforeItEndedStaysCounted(t *testing.T) {
	m, etcd := newMachine(), clusters.Account{Name: "etcd", PIDs: []int{7}}
	m.process(7, 1, "100", 10, 0, 2)
	m.thread(7, 7, 60*ms, 5*ms)
	m.thread(7, 8, 40*ms, 3*ms)
	k := NewKernel(m)
	first := read(t, k, etcd)
	m.without("proc/7/task/8")
	m.thread(7, 7, 61*ms, 6*ms)
	if c := read(t, k, etcd); c.CPU-first.CPU != 1*ms || c.RunQueue-first.RunQueue != 1*ms {
		t.Errorf("from %+v to %+v", first, c)
	}
	// Another thread with the same id.
	m.thread(7, 8, 2*ms, 1*ms)
	if c := read(t, k, etcd); c.CPU-first.CPU != 3*ms || c.RunQueue-first.RunQueue != 2*ms {
		t.Errorf("from %+v to %+v", first, c)
	}
	m.thread(7, 8, 1*ms, 0)
	if c := read(t, k, etcd); c.CPU-first.CPU != 4*ms || c.RunQueue-first.RunQueue != 2*ms {
		t.Errorf("from %+v to %+v with a third thread of that id", first, c)
	}
}

func TestThreadsThatCameAndWentBetweenTwoReadingsAreCountedInTicks(t *testing.T) {
	m, etcd := newMachine(), clusters.Account{Name: "etcd", PIDs: []int{7}}
	// 30 ms of a thread that had ended before the first reading.
	m.process(7, 1, "100", 13, 0, 2)
	m.thread(7, 7, 100*ms, 5*ms)
	k := NewKernel(m)
	first := read(t, k, etcd)
	if first.CPU != 130*ms {
		t.Errorf("first %v", first.CPU)
	}
	m.thread(7, 7, 101*ms, 5*ms)
	m.process(7, 1, "100", 63, 0, 2) // 50 ticks, of which the thread that lives used one millisecond
	if c := read(t, k, etcd); c.CPU != 630*ms {
		t.Errorf("then %v", c.CPU)
	}
}

func TestAProcessThatEndsIsAnError(t *testing.T) {
	for name, test := range map[string]struct {
		change func(machine)
		want   string
	}{
		"it is gone":                 {func(m machine) { m.without("proc/7") }, "process 7 has ended"},
		"a zombie":                   {func(m machine) { m.file("proc/7/stat", "7 (a) Z 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0") }, "process 7 has ended"},
		"another one has its pid":    {func(m machine) { m.process(7, 1, "200", 9, 0, 2) }, "process 7 has ended, and another one has its pid"},
		"its threads cannot be read": {func(m machine) { m.without("proc/7/task") }, "read the schedstat of process 7"},
		"its counters are torn":      {func(m machine) { m.file("proc/7/task/7/schedstat", "1 2") }, "is not three numbers"},
		"its counters make no sense": {func(m machine) { m.process(7, 1, "100", 1, 0, -5) }, "make no sense"},
	} {
		t.Run(name, func(t *testing.T) {
			m, etcd := newMachine(), clusters.Account{Name: "etcd", PIDs: []int{7}}
			m.process(7, 1, "100", 1, 0, 2)
			m.thread(7, 7, 10*ms, 5*ms)
			k := NewKernel(m)
			read(t, k, etcd)
			test.change(m)
			if c, err := k.Account(etcd); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

func TestAnAccountWithoutAProcessIsAnError(t *testing.T) {
	if c, err := NewKernel(newMachine()).Account(clusters.Account{Name: "etcd"}); err == nil {
		t.Error(c)
	}
}

// A kernel without CONFIG_SCHED_INFO.
func TestWithoutSchedstatTheRunQueueIsNotKnown(t *testing.T) {
	m := newMachine()
	m.process(7, 1, "100", 3, 0, 2)
	k := NewKernel(m)
	for range 2 {
		if c := read(t, k, clusters.Account{Name: "etcd", PIDs: []int{7}}); c.CPU != 30*ms || c.RunQueueKnown {
			t.Errorf("%+v", c)
		}
	}
}

// id is a container's.
const id = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestAContainerIsReadByItsControlGroup(t *testing.T) {
	for name, test := range map[string]struct {
		groups string
		files  map[string]string
		want   Counters
	}{
		"version 1": {
			"4:memory:/docker/" + id + "\n2:cpuacct:/docker/" + id + "/init.scope\n0::/\n",
			map[string]string{"cpuacct/docker/" + id + "/cpuacct.usage": "1500000000\n", "memory/docker/" + id + "/memory.usage_in_bytes": "4096\n"},
			Counters{CPU: 1500 * ms, MemoryBytes: 4096},
		},
		"version 2": {
			"0::/system.slice/docker-" + id + ".scope/init.scope\n",
			map[string]string{"unified/system.slice/docker-" + id + ".scope/cpu.stat": "usage_usec 2000000\nuser_usec 1\n", "unified/system.slice/docker-" + id + ".scope/memory.current": "5\n"},
			Counters{CPU: 2 * time.Second, MemoryBytes: 5},
		},
		"version 2 without its memory controller": {
			"0::/docker/" + id + "\n",
			map[string]string{"unified/docker/" + id + "/cpu.stat": "usage_usec 7\n"},
			Counters{CPU: 7 * time.Microsecond},
		},
		// Two pages and one, 50 + 20 and 30 ticks; process 50 is another's child.
		"no control group that names it": {"2:cpuacct:/\n", nil, Counters{CPU: time.Second, MemoryBytes: 3 * int64(os.Getpagesize())}},
		"a folder that is not there":     {"2:cpuacct:/docker/" + id + "\n", nil, Counters{CPU: time.Second, MemoryBytes: 3 * int64(os.Getpagesize())}},
		"a namespace that hides it":      {"0::/../docker/" + id + "\n", nil, Counters{CPU: time.Second, MemoryBytes: 3 * int64(os.Getpagesize())}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			m.process(7, 1, "100", 50, 20, 2)
			m.process(40, 7, "101", 30, 0, 1)
			m.process(50, 1, "101", 1000, 1000, 1000)
			m.file("proc/7/cgroup", "%s", test.groups)
			for name, text := range test.files {
				m.file("sys/fs/cgroup/"+name, "%s", text)
			}
			if got := read(t, NewKernel(m), clusters.Account{Name: "node a", PIDs: []int{7}, Container: id}); got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestWhatHasEndedInATreeIsInTheCountersOfWhoWaitedForIt(t *testing.T) {
	m, node := newMachine(), clusters.Account{Name: "node a", PIDs: []int{7}, Container: id}
	m.file("proc/7/cgroup", "0::/\n")
	m.process(7, 1, "100", 1, 0, 1)
	m.process(40, 7, "101", 30, 0, 1)
	m.process(41, 40, "102", 9, 0, 1)
	k := NewKernel(m)
	before := read(t, k, node)
	m.without("proc/41")
	m.without("proc/40")
	m.process(7, 1, "100", 1, 30+9, 1)
	if after := read(t, k, node); after.CPU != before.CPU {
		t.Errorf("from %v to %v", before.CPU, after.CPU)
	}
	m.without("proc/7")
	if _, err := k.Account(node); err == nil || !strings.Contains(err.Error(), "first process 7 has ended") {
		t.Error(err)
	}
}

// Processes may name themselves as their parents' parents while they are read.
func TestParentsThatGoInACircleAreNotFollowedForEver(t *testing.T) {
	m := newMachine()
	m.file("proc/7/cgroup", "0::/\n")
	m.process(7, 1, "100", 1, 0, 1)
	m.process(40, 41, "101", 30, 0, 1)
	m.process(41, 40, "102", 9, 0, 1)
	if c := read(t, NewKernel(m), clusters.Account{Name: "node a", PIDs: []int{7}, Container: id}); c.CPU != 10*ms {
		t.Errorf("%+v", c)
	}
}

func TestTheMachineIsBusyWhileItsProcessorsAreNotIdle(t *testing.T) {
	m := newMachine()
	c, err := NewKernel(m).Machine()
	// 10+20+30+6+7+8 ticks.
	if want := (Counters{CPU: 810 * ms, RunQueue: 1500 * ms, RunQueueKnown: true, MemoryBytes: 1536 << 10}); err != nil || c != want {
		t.Errorf("%+v, %v", c, err)
	}
	m.without("proc/pressure")
	m.without("proc/meminfo")
	if c, err := NewKernel(m).Machine(); err != nil || c != (Counters{CPU: 810 * ms}) {
		t.Errorf("without PSI: %+v, %v", c, err)
	}
	if c, err := NewKernel(fstest.MapFS{}).Machine(); err == nil {
		t.Errorf("without /proc: %+v", c)
	}
}

func TestThisProcessIsReadOnThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc here")
	}
	k, self := NewKernel(os.DirFS("/")), clusters.Account{Name: "observer", PIDs: []int{os.Getpid()}}
	first := read(t, k, self)
	if first.CPU <= 0 || first.MemoryBytes <= 0 {
		t.Errorf("%+v", first)
	}
	if again := read(t, k, self); again.CPU < first.CPU || again.RunQueue < first.RunQueue {
		t.Errorf("from %+v to %+v", first, again)
	}
}

func FuzzKernel(f *testing.F) {
	f.Add("7 (a b) S 1 1 1 0 -1 0 0 0 0 0 3 0 9 0 20 0 1 0 100 0 2 0", "20000000 5 1", "2:cpuacct:/docker/"+id, "15", "cpu 1 2 3 4 5 6 7 8")
	f.Add("7 () Z", "1 2", "0::/docker/"+id, "usage_usec 9223372036854775807", "cpu")
	f.Fuzz(func(t *testing.T, stat, schedstat, groups, usage, ticks string) {
		m := newMachine()
		m.file("proc/7/stat", "%s", stat)
		m.file("proc/7/task/7/schedstat", "%s", schedstat)
		m.file("proc/7/cgroup", "%s", groups)
		m.file("proc/stat", "%s", ticks)
		m.file("sys/fs/cgroup/cpuacct/docker/"+id+"/cpuacct.usage", "%s", usage)
		m.file("sys/fs/cgroup/unified/docker/"+id+"/cpu.stat", "%s", usage)
		k := NewKernel(m)
		check := func(c Counters, err error) {
			if c.CPU < 0 || c.RunQueue < 0 || c.MemoryBytes < 0 || err != nil && c != (Counters{}) {
				t.Errorf("%+v, %v", c, err)
			}
		}
		check(k.Machine())
		for range 2 {
			check(k.Account(clusters.Account{PIDs: []int{7}}))
			check(k.Account(clusters.Account{PIDs: []int{7}, Container: id}))
		}
	})
}

// BenchmarkKernel says what one reading of a process costs, also in processor time, which
// other work on the machine does not lengthen.
func BenchmarkKernel(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	k, self := NewKernel(os.DirFS("/")), clusters.Account{PIDs: []int{os.Getpid()}}
	defer k.Close()
	before, _ := procfs.ThreadCPU()
	threads, _ := os.ReadDir("/proc/self/task")
	for b.Loop() {
		if _, err := k.Account(self); err != nil {
			b.Skip(err)
		}
	}
	after, _ := procfs.ThreadCPU()
	b.ReportMetric(float64(after-before)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(len(threads)), "threads")
}
