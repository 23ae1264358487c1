package burst

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
	"github.com/podburst/podburst/framework/audit"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// CleanupOptions say how to remove a burst. Load, Client and Watcher are the burst's
// own.
type CleanupOptions struct {
	Load    load.Load
	Client  kubernetes.Interface
	Watcher *watch.Watcher
	// Effective are the limiters in force (clusters.Cluster.EffectiveConfig). Cleanup
	// waits for the slowest to refill.
	Effective clusters.Effective
	// Audit is the burst's own cursor. It shows the cleanup requests that no watch
	// shows. nil: only the last event of a pod counts.
	Audit *audit.Cursor
	// MinQuiet is the shortest wait after the last event of a pod, for a cluster
	// whose limiters or requests cannot be seen (see Blind). Default: 0.
	MinQuiet time.Duration
	// MaxQuiet caps that wait. Default: 10 s.
	MaxQuiet time.Duration
	// Timeout bounds the whole cleanup. Default: 2 min.
	Timeout time.Duration
}

const (
	// requesters is how many pods are removed in parallel.
	requesters = 16
	// retryAfter is when to delete a pod again that is still there. Normally the
	// first request is enough, but a lost one must not stop the run.
	retryAfter = 5 * time.Second
	// quietInterval is how often the audit log is read.
	quietInterval = 100 * time.Millisecond
	// coalesce is how long events gather before they are handled.
	coalesce = 20 * time.Millisecond
)

// Cleanup removes the burst's load and pods, waits until the watcher has seen all of
// them go and the cluster is quiet, sets b.CleanupSeconds, and closes the burst's
// tracker. If that takes longer than Timeout, the error names what remains; it is
// then best to give up the namespace.
//
// The cluster is quiet once the slowest limiter in force has had time to fill its
// bucket. That time counts from the last event of a pod of the burst, or, if later,
// from the last request about its namespace (in the audit log) by a component that
// the next burst needs. A burst that found a bucket empty would be charged for the
// one before: the Job controller alone can go on for seconds after the last pod is
// gone.
//
// Nothing is removed of a load that others send.
func Cleanup(ctx context.Context, b *recording.Burst, o CleanupOptions) error {
	setDuration(&o.MaxQuiet, 10*time.Second)
	setDuration(&o.Timeout, 2*time.Minute)
	if o.Load.Terms().Others() {
		return nil
	}
	tracker := o.Watcher.Tracker(b.BurstID)
	if tracker == nil {
		return fmt.Errorf("clean up burst %q: the watcher does not track it (was it cleaned up before?)", b.BurstID)
	}
	defer tracker.Close()
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("not within %v", o.Timeout))
	defer cancel()
	c := &cleaner{CleanupOptions: o, burst: b, tracker: tracker, started: time.Now(), due: map[string]time.Time{}}
	if err := c.run(ctx); err != nil {
		return fmt.Errorf("clean up burst %q: %w", b.BurstID, err)
	}
	b.CleanupSeconds = time.Since(b.End).Seconds()
	return nil
}

type cleaner struct {
	CleanupOptions
	burst   *recording.Burst
	tracker *watch.Tracker
	started time.Time
	// requested is when the last request was read from the audit log.
	requested time.Time
	// due is, by UID, when to delete a pod, if not at once.
	due map[string]time.Time
}

func (c *cleaner) run(ctx context.Context) error {
	failed := c.each(ctx, c.tracker.Remaining(), c.release)
	if err := c.Load.Remove(ctx, c.Client, place(c.burst, "")); err != nil {
		return err
	}
	quiet := c.quiet()
	for {
		left := c.tracker.Remaining()
		c.look(ctx)
		wait := quiet - time.Since(c.lastActivity())
		if len(left) == 0 && wait <= 0 {
			return nil
		}
		if len(left) > 0 {
			failed = cmp.Or(c.remove(ctx, left), failed)
			wait = time.Second
		}
		if c.Audit != nil {
			wait = min(wait, quietInterval)
		}
		select {
		case <-c.tracker.Changed():
			// Deleting a large burst makes thousands of events: handle them in
			// batches.
			wait = coalesce
		case <-time.After(wait):
			continue
		case <-ctx.Done():
			return c.unfinished(ctx, failed)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return c.unfinished(ctx, failed)
		}
	}
}

// quiet is how long the slowest bucket takes to fill.
func (c *cleaner) quiet() time.Duration {
	longest := c.MinQuiet
	for _, limits := range c.Effective {
		longest = max(longest, limits.Refill())
	}
	return min(longest, c.MaxQuiet)
}

// lastActivity is the last event or request, or the cleanup's start: deleting
// a workload keeps its controller busy even if there was no pod.
func (c *cleaner) lastActivity() time.Time {
	last := c.started
	for _, t := range []time.Time{c.tracker.LastEvent(), c.requested} {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// look reads what is new in the audit log. A request counts from when it is read, by
// the observer's own clock. A log that cannot be read is left to the next burst to
// report.
func (c *cleaner) look(ctx context.Context) {
	if c.Audit == nil {
		return
	}
	busy := false
	_, _, _, err := c.Audit.Next(ctx, audit.Window{}, func(e recording.AuditEvent) bool {
		busy = busy || e.Namespace == c.burst.Namespace && limited(e)
		return false
	})
	if err == nil && busy {
		c.requested = time.Now()
	}
}

// garbageCollector is the user of the controller that deletes what a deleted workload
// owned. It asks for pods that are already gone, through a limiter of its own.
const garbageCollector = "system:serviceaccount:kube-system:generic-garbage-collector"

// limited reports whether the request went through a limiter that the next burst has
// to pass. The scheduler and the kubelets send Events through another client.
func limited(e recording.AuditEvent) bool {
	switch {
	case e.User == garbageCollector, strings.HasPrefix(e.UserAgent, observerPrefix):
		return false
	case e.Resource == "events":
		return e.User != "system:kube-scheduler" && !strings.HasPrefix(e.User, "system:node:")
	}
	return true
}

// observerPrefix is how the user agents of all podburst observers begin.
var observerPrefix, _, _ = strings.Cut(watch.UserAgent(), "/")

// remove deletes the pods that are still there.
func (c *cleaner) remove(ctx context.Context, left map[string]watch.Pod) error {
	now := time.Now()
	maps.DeleteFunc(left, func(uid string, _ watch.Pod) bool { return now.Before(c.due[uid]) })
	for uid := range left {
		c.due[uid] = now.Add(retryAfter)
	}
	return c.each(ctx, left, c.removeOne)
}

// each calls work for all pods in parallel: the API server would delete a collection
// one by one. It returns only one of the errors: a hundred would say no more.
func (c *cleaner) each(ctx context.Context, pods map[string]watch.Pod, work func(ctx context.Context, uid string, pod watch.Pod) error) (failed error) {
	var (
		mu    sync.Mutex
		tasks sync.WaitGroup
		busy  = make(chan struct{}, requesters)
	)
	for uid, pod := range pods {
		busy <- struct{}{}
		tasks.Go(func() {
			defer func() { <-busy }()
			err := work(ctx, uid, pod)
			mu.Lock()
			defer mu.Unlock()
			failed = cmp.Or(failed, err)
		})
	}
	tasks.Wait()
	return failed
}

func (c *cleaner) removeOne(ctx context.Context, uid string, pod watch.Pod) error {
	if pod.Deleting {
		// Only its finalizer keeps it, which could not be removed before.
		return c.release(ctx, uid, pod)
	}
	err := c.Client.CoreV1().Pods(c.burst.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(uid)})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) { // gone, or another pod of that name
		return fmt.Errorf("delete pod %s: %w", pod.Name, err)
	}
	return nil
}

// release removes the finalizer of the load's controller, if there is one, from a
// pod. The controller would do so itself, but at 20 a second by default. If the
// observer may not do it, the controller has to.
func (c *cleaner) release(ctx context.Context, uid string, pod watch.Pod) error {
	finalizer := c.Load.Terms().Finalizer
	if finalizer == "" {
		return nil
	}
	patch := fmt.Sprintf(`{"metadata":{"uid":%q,"$deleteFromPrimitiveList/finalizers":[%q]}}`, uid, finalizer)
	_, err := c.Client.CoreV1().Pods(c.burst.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) && !apierrors.IsForbidden(err) {
		return fmt.Errorf("take finalizer from pod %s: %w", pod.Name, err)
	}
	return nil
}

func (c *cleaner) unfinished(ctx context.Context, failed error) error {
	var names []string
	for _, pod := range c.tracker.Remaining() {
		names = append(names, pod.Name)
	}
	slices.Sort(names)
	const shown = 5
	what := "pods are gone, but the cluster is not quiet yet"
	if n := len(names); n > 0 {
		what = fmt.Sprintf("%d pods remain: %s", n, strings.Join(names[:min(n, shown)], ", "))
		if n > shown {
			what += ", …"
		}
	}
	return errors.Join(fmt.Errorf("%s: %w", what, context.Cause(ctx)), failed)
}
