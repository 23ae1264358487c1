package burst

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/exposition"
	"github.com/podburst/podburst/framework/recording"
)

// snapshot is what the components report about themselves at one time.
type snapshot struct {
	metrics     map[string][]byte
	failed      map[string]string
	unavailable map[string]string
	processes   []clusters.Process
}

// snapshot asks all instances at once: the closer their times, the better their
// differences explain one another.
func (r *runner) snapshot(ctx context.Context) snapshot {
	ctx, cancel := context.WithTimeout(ctx, r.SnapshotTimeout)
	defer cancel()
	s := snapshot{metrics: map[string][]byte{}, failed: map[string]string{}, unavailable: map[string]string{}}
	var (
		mu    sync.Mutex
		tasks sync.WaitGroup
	)
	note := func(name string, err error) {
		switch {
		case errors.Is(err, clusters.ErrUnsupported):
			s.unavailable[name] = err.Error()
		case err != nil:
			s.failed[name] = err.Error()
		}
	}
	for _, instance := range r.Cluster.Instances() {
		tasks.Go(func() {
			text, err := r.Cluster.Metrics(ctx, instance)
			mu.Lock()
			defer mu.Unlock()
			note(instance.String(), err)
			if err == nil {
				s.metrics[instance.String()] = text
			}
		})
	}
	tasks.Go(func() {
		processes, err := r.Cluster.Processes(ctx)
		mu.Lock()
		defer mu.Unlock()
		note("processes", err)
		if err == nil {
			s.processes = processes
		}
	})
	tasks.Wait()
	return s
}

// compare records what the two snapshots show together.
func (r *runner) compare(after snapshot) {
	b := r.burst
	b.Metrics = map[string]recording.MetricsPair{}
	for name, text := range r.before.metrics {
		b.Metrics[name] = recording.MetricsPair{Before: text}
	}
	for name, text := range after.metrics {
		pair := b.Metrics[name]
		pair.After = text
		b.Metrics[name] = pair
	}
	b.MetricsErrors = map[string]string{}
	for name, reason := range r.before.failed {
		b.MetricsErrors[name] = "before the burst: " + reason
	}
	for name, reason := range after.failed {
		b.MetricsErrors[name] = strings.TrimPrefix(b.MetricsErrors[name]+"; after the burst: "+reason, "; ")
	}
	b.MetricsUnavailable = after.unavailable
	delete(b.MetricsUnavailable, "processes") // no exposition
	if after.processes == nil {
		r.sameStarts()
		return
	}
	for _, was := range r.before.processes {
		r.survived(was, after.processes)
	}
}

// startTime is the metric, in every component, that tells whether it restarted.
const startTime = "process_start_time_seconds"

// sameStarts replaces survived where processes cannot be seen: each component's own
// metrics tell when it started. The API server is left out, since several may take
// turns behind one address. If one of them restarts, the watch breaks anyway.
func (r *runner) sameStarts() {
	for _, instance := range r.Cluster.Instances() {
		pair := r.burst.Metrics[instance.String()]
		before, errBefore := exposition.Values(pair.Before, startTime, "")
		after, errAfter := exposition.Values(pair.After, startTime, "")
		if instance.Component == clusters.KubeAPIServer || errBefore != nil || errAfter != nil || before[""] == after[""] {
			continue
		}
		r.problem(recording.ProblemComponentRestarted, "%s: by its metrics its process was started %.3f s later than the one before the burst", instance, after[""]-before[""])
	}
}

// survived records a process that did not survive the burst.
func (r *runner) survived(was clusters.Process, after []clusters.Process) {
	name := was.Instance.String()
	same := func(p clusters.Process) bool { return p.Instance == was.Instance && p.ID == was.ID }
	var exit string
	if i := slices.IndexFunc(after, same); i >= 0 {
		if after[i].Running {
			return
		}
		exit = after[i].Exit
	}
	if i := slices.IndexFunc(after, func(p clusters.Process) bool { return p.Instance == was.Instance && p.ID != was.ID && p.Running }); i >= 0 {
		r.problem(recording.ProblemComponentRestarted, "%s: process %s was followed by %s%s", name, was.ID, after[i].ID, because(exit))
		return
	}
	r.problem(recording.ProblemComponentExited, "%s: process %s does not run any more%s", name, was.ID, because(exit))
}

func because(exit string) string {
	if exit == "" {
		return ""
	}
	return ": " + exit
}

// nodes records nodes that were not Ready for some of the burst: worker nodes and, if
// others send the load, the nodes on which its pods landed.
func (r *runner) nodes() {
	used := slices.Clone(r.burst.WorkerNodes)
	if r.terms.Others() {
		for i := range r.burst.Watch {
			used = append(used, r.burst.Watch[i].Node)
		}
	}
	for _, c := range r.Watcher.NotReady(r.burst.Began()) {
		if len(used) == 0 || slices.Contains(used, c.Node) {
			r.problem(recording.ProblemNodeNotReady, "%s since %s (%s)", c.Node, c.At.Format("15:04:05.000"), c.Reason)
		}
	}
}
