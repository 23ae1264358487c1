package kind

import (
	"slices"

	"github.com/podburst/podburst/internal/procfs"
)

// dockerBusy looks for docker commands that are about to run a node of the
// cluster: kind does not wait for all of its own when one fails, and those of a
// process that was killed live on. Where there is no /proc it finds none, and the
// removal's second look must do.
func dockerBusy(cluster string) bool {
	here := procfs.Local()
	pids, err := here.PIDs()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(pids, func(pid int) bool {
		// What has ended meanwhile, or is another user's, is not to be read.
		args, err := here.CommandLine(pid)
		return err == nil && slices.Contains(args, "run") && slices.Contains(args, clusterLabel+"="+cluster)
	})
}

// hostPID finds the process that a node calls by the given pid, or 0: where the
// engine is in a virtual machine, processes of nodes are not to be seen from here.
// Ticks since boot are the same in every namespace.
func hostPID(pid, start string) int {
	here := procfs.Local()
	pids, err := here.PIDs()
	if err != nil {
		return 0
	}
	for _, host := range pids {
		if stat, err := here.Stat(host); err != nil || stat.Start != start {
			continue
		}
		names, err := here.NamespacePIDs(host)
		if err == nil && len(names) > 1 && names[len(names)-1] == pid {
			return host
		}
	}
	return 0
}
