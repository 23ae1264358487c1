package usage

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/podburst/podburst/internal/procfs"
)

// group is where a container's counters are, found once.
type group struct {
	// start is the first process's, which tells it from another one with its pid.
	start string
	// cpu and memory are files; cpu is "" where the processes are added up, memory
	// where it is not known.
	cpu, memory string
	// key is the line of cpu that counts, and unit what it counts in. Without a key, the
	// file is a number.
	key  string
	unit time.Duration
}

// container reads all that runs, or has ended, in the container whose first process is
// pid: by its control group or, if that cannot be read, by adding up the process's
// descendants. Neither tells how long threads waited for a processor.
func (k *Kernel) container(pid int, id string) (Counters, error) {
	stat, err := k.proc.Stat(pid)
	if err != nil || stat.Ended() {
		return Counters{}, fmt.Errorf("the container's first process %d has ended", pid)
	}
	g := k.groups[id]
	if g == nil {
		g = k.find(pid, id)
		g.start = stat.Start
		k.groups[id] = g
	}
	if g.start != stat.Start {
		return Counters{}, fmt.Errorf("the container's first process %d has ended, and another one has its pid", pid)
	}
	if g.cpu == "" {
		return k.descendants(pid)
	}
	n, err := k.number(g.cpu, g.key)
	if err != nil {
		return Counters{}, err
	}
	c := Counters{CPU: time.Duration(n) * g.unit}
	if g.memory != "" {
		if c.MemoryBytes, err = k.number(g.memory, ""); err != nil {
			return Counters{}, err
		}
	}
	return c, nil
}

// find looks for the control groups of a container: those of its first process, which may
// be below the container's own, up to the folder that is named after the container.
func (k *Kernel) find(pid int, id string) *group {
	groups, err := k.proc.Cgroups(pid)
	if err != nil {
		return &group{}
	}
	folder := func(controller string) (string, bool) {
		of, ok := groups[controller]
		if !ok {
			return "", false
		}
		at := strings.Index(of.Path, id)
		if id == "" || at < 0 {
			return "", false
		}
		rest, _, _ := strings.Cut(of.Path[at:], "/")
		of.Path = of.Path[:at] + rest
		return k.proc.CgroupFolder(controller, of)
	}
	g := &group{}
	try := func(controller, file, key string) (string, bool) {
		in, ok := folder(controller)
		if !ok {
			return "", false
		}
		name := path.Join(in, file)
		_, err := k.number(name, key)
		return name, err == nil
	}
	if name, ok := try("cpuacct", "cpuacct.usage", ""); ok {
		g.cpu, g.unit = name, time.Nanosecond
	} else if name, ok := try("", "cpu.stat", "usage_usec"); ok {
		g.cpu, g.key, g.unit = name, "usage_usec", time.Microsecond
	}
	if name, ok := try("memory", "memory.usage_in_bytes", ""); ok {
		g.memory = name
	} else if name, ok := try("", "memory.current", ""); ok {
		g.memory = name
	}
	return g
}

// number reads a number from a file that holds nothing else or, with a key, from the line
// "key number".
func (k *Kernel) number(name, key string) (int64, error) {
	data, err := fs.ReadFile(k.root, name)
	if err != nil {
		return 0, err
	}
	text := strings.TrimSpace(string(data))
	if key != "" {
		found := false
		for line := range strings.Lines(text) {
			if value, ok := strings.CutPrefix(line, key+" "); ok {
				text, found = strings.TrimSpace(value), true
			}
		}
		if !found {
			return 0, fmt.Errorf("read %s: it has no %s", name, key)
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", name, err)
	}
	return n, nil
}

// descendants adds up a process and all that descend from it. What has ended is in the
// counters of the one that waited for it. Memory that processes share counts for each.
func (k *Kernel) descendants(root int) (Counters, error) {
	pids, err := k.proc.PIDs()
	if err != nil {
		return Counters{}, err
	}
	all := make(map[int]procfs.Stat, len(pids))
	for _, pid := range pids {
		stat, err := k.proc.Stat(pid)
		if errors.Is(err, fs.ErrNotExist) {
			continue // It has ended meanwhile.
		}
		if err != nil {
			return Counters{}, err
		}
		all[pid] = stat
	}
	if _, lives := all[root]; !lives {
		return Counters{}, fmt.Errorf("the container's first process %d has ended", root)
	}
	inside := map[int]bool{root: true}
	var sum Counters
	for pid, stat := range all {
		if descends(all, inside, pid) {
			sum.CPU += stat.CPU + stat.Children
			sum.MemoryBytes += stat.MemoryBytes
		}
	}
	return sum, nil
}

// descends tells whether a process is inside or descends from one that is, and remembers
// the answer for all on the way.
func descends(all map[int]procfs.Stat, inside map[int]bool, pid int) bool {
	var way []int
	for at := pid; ; {
		known, seen := inside[at]
		stat, lives := all[at]
		if seen || !lives || len(way) > len(all) {
			for _, p := range way {
				inside[p] = known
			}
			return known
		}
		way = append(way, at)
		at = stat.Parent
	}
}
