package kind

import (
	"slices"

	"github.com/podburst/podburst/internal/procfs"
)

// dockerBusy looks for docker commands that are about to start a node of the
// cluster: kind does not wait for all of its own when one fails, and those of a
// killed process live on. Without /proc it finds none, and the removal's second
// look must suffice.
func dockerBusy(cluster string) bool {
	here := procfs.Local()
	pids, err := here.PIDs()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(pids, func(pid int) bool {
		// Processes that have ended, and those of other users, cannot be read.
		args, err := here.CommandLine(pid)
		return err == nil && slices.Contains(args, "run") && slices.Contains(args, clusterLabel+"="+cluster)
	})
}

// hostPID finds this machine's pid of the process with the given pid in a node.
// It returns 0 if the engine is in a virtual machine, where nodes' processes
// are not visible from here. Ticks since boot are the same in every namespace.
func hostPID(here procfs.FS, pid, start string) int {
	pids, err := here.PIDs()
	if err != nil {
		return 0
	}
	for _, host := range pids {
		if stat, err := here.Stat(host); err != nil || stat.Start != start {
			continue
		}
		names, err := here.NamespacePIDs(host)
		// A static pod has a namespace of its own within its node's.
		if err == nil && len(names) > 1 && slices.Contains(names[1:], pid) {
			return host
		}
	}
	return 0
}
