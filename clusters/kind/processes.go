package kind

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/podburst/podburst/clusters"
)

// processScript prints for each process of a wanted name: the name, the pid, its
// start in ticks since boot, and its arguments, separated by the unit separator.
// It forks for matches only: a node has hundreds of processes in a burst.
const processScript = `for dir in /proc/[0-9]*; do
  { read -r name <"$dir/comm"; } 2>/dev/null || continue
  case $name in etcd|kube-apiserver|kube-controller|kube-scheduler|kubelet) ;; *) continue ;; esac
  { read -r stat <"$dir/stat"; } 2>/dev/null || continue
  rest=${stat##*) }
  set -- $rest
  printf '%s %s %s ' "$name" "${dir#/proc/}" "${20}"
  tr '\0\n' '\037 ' <"$dir/cmdline" 2>/dev/null
  printf '\n'
done`

// nodeProcess is one process of a node.
type nodeProcess struct {
	// id is its pid and start time, by which two lives differ.
	id   string
	args []string
}

// byComm maps a process's name, of which the kernel keeps 15 characters.
var byComm = map[string]clusters.Component{
	"etcd":            clusters.Etcd,
	"kube-apiserver":  clusters.KubeAPIServer,
	"kube-controller": clusters.KubeControllerManager,
	"kube-scheduler":  clusters.KubeScheduler,
	"kubelet":         clusters.Kubelet,
}

func (c *Cluster) processesOn(ctx context.Context, node string) (map[clusters.Component]nodeProcess, error) {
	text, err := c.inNode(ctx, node, "sh", "-c", processScript)
	if err != nil {
		return nil, err
	}
	return parseProcesses(string(text)), nil
}

func parseProcesses(text string) map[clusters.Component]nodeProcess {
	found := map[clusters.Component]nodeProcess{}
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimRight(line, "\n"), " ", 4)
		if len(parts) < 4 {
			continue
		}
		component, ok := byComm[parts[0]]
		if !ok {
			continue
		}
		found[component] = nodeProcess{
			id:   parts[1] + "@" + parts[2],
			args: strings.Split(strings.TrimRight(parts[3], "\x1f"), "\x1f"),
		}
	}
	return found
}

// Processes implements clusters.Cluster: pids as each node sees them.
func (c *Cluster) Processes(ctx context.Context) ([]clusters.Process, error) {
	running := map[string]map[clusters.Component]nodeProcess{}
	var errs []error
	for _, node := range c.nodes {
		found, err := c.processesOn(ctx, node)
		if err != nil {
			errs = append(errs, fmt.Errorf("look at the processes of node %s: %w", node, err))
		}
		running[node] = found
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var list []clusters.Process
	for _, instance := range c.Instances() {
		node, err := c.nodeOf(instance)
		if err != nil {
			return nil, err
		}
		process, ok := running[node][instance.Component]
		state := clusters.Process{Instance: instance, ID: process.id, Running: ok}
		if !ok {
			state.Exit = "it does not run; its log ends:\n" + c.lastLines(ctx, instance)
		}
		list = append(list, state)
	}
	return list, nil
}
