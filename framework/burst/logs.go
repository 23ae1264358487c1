package burst

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/componentlog"
	"github.com/podburst/podburst/framework/recording"
)

// recordedKinds are the lines that are marks of pods or explain them.
var recordedKinds = map[componentlog.Kind]string{
	componentlog.Throttled: recording.LogThrottled,
	componentlog.Bound:     recording.LogBound,
	componentlog.Created:   recording.LogCreated,
	componentlog.Started:   recording.LogStarted,
}

// logs records what the scheduler and the kubelets logged about the burst's pods, and
// which waits in their own limiters they and the controller manager logged. Logs are
// a second source, so one that cannot be read is noted and is not a problem: the
// phases that need it are then unavailable.
func (r *runner) logs(ctx context.Context) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.SnapshotTimeout, fmt.Errorf("not within %v", r.SnapshotTimeout))
	defer cancel()
	var (
		mu      sync.Mutex
		tasks   sync.WaitGroup
		reasons []string
	)
	// Computed once: the burst is written to below, and Began copies all of it.
	began, namespace := r.burst.Began(), r.burst.Namespace
	for _, instance := range r.Cluster.Instances() {
		marks := instance.Component == clusters.KubeScheduler || instance.Component == clusters.Kubelet
		if !marks && instance.Component != clusters.KubeControllerManager {
			continue
		}
		tasks.Go(func() {
			lines, err := r.logOf(ctx, instance, began, namespace)
			mu.Lock()
			defer mu.Unlock()
			r.burst.Logs = append(r.burst.Logs, lines...)
			if err != nil && marks {
				reasons = append(reasons, fmt.Sprintf("%s: %v", instance, err))
			}
		})
	}
	tasks.Wait()
	slices.SortFunc(r.burst.Logs, func(a, b recording.LogLine) int { return a.At.Compare(b.At) })
	slices.Sort(reasons)
	r.burst.LogsUnavailable = strings.Join(reasons, "; ")
}

var errLogGap = errors.New("the log does not reach back to the burst's beginning")

func (r *runner) logOf(ctx context.Context, instance clusters.Instance, began time.Time, namespace string) ([]recording.LogLine, error) {
	text, err := r.Cluster.Logs(ctx, instance)
	if err != nil {
		return nil, err
	}
	log, err := componentlog.Read(text, began, time.UTC)
	if err := errors.Join(err, text.Close()); err != nil {
		return nil, err
	}
	var lines []recording.LogLine
	for _, line := range log.Lines {
		kind, wanted := recordedKinds[line.Kind]
		if !wanted || line.Init || line.At.Before(began) ||
			line.Kind != componentlog.Throttled && line.Pod.Namespace != namespace {
			continue
		}
		lines = append(lines, recording.LogLine{
			At: line.At, Kind: kind, Instance: instance.String(),
			Namespace: line.Pod.Namespace, Name: line.Pod.Name, Container: line.Container, Node: line.Node,
			WaitSeconds: line.Wait.Seconds(),
		})
	}
	if coverage := log.Covers(began); coverage != componentlog.Covered {
		return lines, fmt.Errorf("%w (%s)", errLogGap, coverage)
	}
	return lines, nil
}
