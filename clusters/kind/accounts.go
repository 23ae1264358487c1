package kind

import (
	"context"
	"fmt"
	"strconv"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/internal/procfs"
)

var _ clusters.Accountant = (*Cluster)(nil)

// Accounts implements clusters.Accountant: one for every instance, for each node's
// containerd, and for each node as a whole. Where nodes' processes are not visible from
// here, the engine runs on another machine or in a virtual one.
func (c *Cluster) Accounts(ctx context.Context) ([]clusters.Account, error) {
	if _, err := c.Processes(ctx); err != nil {
		return nil, err
	}
	c.watched.mu.Lock()
	defer c.watched.mu.Unlock()
	var accounts []clusters.Account
	inits := map[string]int{}
	for _, life := range c.watched.lives {
		account := clusters.Account{Name: life.Instance.String()}
		if life.host != 0 {
			account.PIDs = []int{life.host}
			node, err := c.nodeOf(life.Instance)
			if err != nil {
				return nil, err
			}
			// A static pod's first process is the first of the pod's own namespace.
			if life.Instance.Component == clusters.Kubelet {
				inits[node] = firstProcess(*c.options.proc, life.host)
			}
		}
		accounts = append(accounts, account)
	}
	seen := false
	for _, node := range c.nodes {
		runtime, whole := clusters.Account{Name: "containerd-" + node}, clusters.Account{Name: "node " + node, Container: c.ids[node]}
		if first := inits[node]; first != 0 {
			seen = true
			whole.PIDs = []int{first}
			runtime.PIDs = containerds(*c.options.proc, first)
		}
		accounts = append(accounts, runtime, whole)
	}
	if !seen {
		return nil, fmt.Errorf("%w: the nodes' processes cannot be seen from here, so the Docker engine runs on another machine or in a virtual one", clusters.ErrUnsupported)
	}
	return accounts, nil
}

// firstProcess is the pid on this machine of the first process of the pid namespace that
// a process is in; 0 if it cannot be found.
func firstProcess(here procfs.FS, pid int) int {
	depth := 0
	for pid > 1 {
		names, err := here.NamespacePIDs(pid)
		if err != nil || len(names) < 2 || depth > 0 && len(names) != depth {
			return 0
		}
		depth = len(names)
		if names[depth-1] == "1" {
			return pid
		}
		stat, err := here.Stat(pid)
		if err != nil {
			return 0
		}
		pid = stat.Parent
	}
	return 0
}

// containerds are the containerd processes that a node's first process started; those that
// they started themselves are not among them.
func containerds(here procfs.FS, first int) []int {
	pids, err := here.PIDs()
	if err != nil {
		return nil
	}
	var found []int
	for _, pid := range pids {
		if comm, err := here.Text(strconv.Itoa(pid) + "/comm"); err != nil || comm != "containerd" {
			continue
		}
		if stat, err := here.Stat(pid); err == nil && stat.Parent == first {
			found = append(found, pid)
		}
	}
	return found
}
