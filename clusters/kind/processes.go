package kind

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/podburst/podburst/clusters"
)

// processScript takes names of components. For each process with such a name it
// prints the name, the pid, the start in ticks since boot, and the arguments,
// separated by the unit separator. It forks for matches only: a node has
// hundreds of processes in a burst.
const processScript = `wanted=" $* "; for dir in /proc/[0-9]*; do
  { read -r name <"$dir/comm"; } 2>/dev/null || continue
  case $wanted in *" $name "*) ;; *) continue ;; esac
  { read -r stat <"$dir/stat"; } 2>/dev/null || continue
  rest=${stat##*) }
  set -- $rest
  printf '%s %s %s ' "$name" "${dir#/proc/}" "${20}"
  tr '\0\n' '\037 ' <"$dir/cmdline" 2>/dev/null
  printf '\n'
done`

// nodeProcess is one process of a node.
type nodeProcess struct {
	// pid is its pid in its node; start is when it started, in ticks since boot.
	pid, start string
	args       []string
}

// id differs between two lives.
func (p nodeProcess) id() string { return p.pid + "@" + p.start }

func (c *Cluster) processesOn(ctx context.Context, node string) (map[clusters.Component]nodeProcess, error) {
	script := []string{"sh", "-c", processScript, "sh"}
	for _, component := range clusters.Components() {
		script = append(script, component.Comm())
	}
	text, err := c.inNode(ctx, node, script...)
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
		i := slices.IndexFunc(clusters.Components(), func(c clusters.Component) bool { return c.Comm() == parts[0] })
		if i < 0 {
			continue
		}
		found[clusters.Components()[i]] = nodeProcess{
			pid: parts[1], start: parts[2],
			args: strings.Split(strings.TrimRight(parts[3], "\x1f"), "\x1f"),
		}
	}
	return found
}

// watched is what Processes already knows and need not ask again.
type watched struct {
	mu    sync.Mutex
	lives []life
	at    time.Time
}

// life is one life of an instance.
type life struct {
	clusters.Process
	start string
	// host is its pid on this machine; 0 if it is not visible from here (an engine
	// in a virtual machine).
	host int
}

// unseenFor is how long an answer is valid if nodes' processes are not visible
// from this machine. Asking means running a program in every node, which is too
// expensive to do several times a second during a burst.
const unseenFor = 2 * time.Second

// Processes implements clusters.Cluster. It runs a program in each node once.
// After that, while every process lives, it only looks at this machine's
// process table, which takes well under a millisecond. If the engine is in a
// virtual machine, that table does not show them, and an answer is up to two
// seconds old.
func (c *Cluster) Processes(ctx context.Context) ([]clusters.Process, error) {
	c.watched.mu.Lock()
	defer c.watched.mu.Unlock()
	if !c.allLive() {
		lives, err := c.lookup(ctx)
		if err != nil {
			return nil, err
		}
		c.watched.lives, c.watched.at = lives, c.options.now()
	}
	list := make([]clusters.Process, len(c.watched.lives))
	for i, life := range c.watched.lives {
		list[i] = life.Process
	}
	return list, nil
}

// allLive reports whether all known lives still last.
func (c *Cluster) allLive() bool {
	for _, life := range c.watched.lives {
		switch {
		case !life.Running:
			return false // It may have been restarted.
		case life.host == 0:
			if c.options.now().Sub(c.watched.at) > unseenFor {
				return false
			}
		default:
			stat, err := c.options.proc.Stat(life.host)
			if err != nil || stat.Start != life.start {
				return false
			}
		}
	}
	return len(c.watched.lives) > 0
}

// lookup asks every node.
func (c *Cluster) lookup(ctx context.Context) ([]life, error) {
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
	var lives []life
	for _, instance := range c.Instances() {
		node, err := c.nodeOf(instance)
		if err != nil {
			return nil, err
		}
		process, ok := running[node][instance.Component]
		if !ok {
			exit := "it does not run; its log ends:\n" + c.lastLines(ctx, instance)
			lives = append(lives, life{Process: clusters.Process{Instance: instance, Exit: exit}})
			continue
		}
		lives = append(lives, life{
			Process: clusters.Process{Instance: instance, ID: process.id(), Running: true},
			start:   process.start,
			host:    hostPID(*c.options.proc, process.pid, process.start),
		})
	}
	return lives, nil
}
