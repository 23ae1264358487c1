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
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
)

// CleanupOptions say how a burst is removed. Client and Watcher are the burst's own.
type CleanupOptions struct {
	Client  kubernetes.Interface
	Watcher *watch.Watcher
	// Effective are the limiters in force (clusters.Cluster.EffectiveConfig):
	// the slowest to refill is waited for.
	Effective clusters.Effective
	// MaxQuiet caps that wait. Default: 10 s.
	MaxQuiet time.Duration
	// Timeout bounds the whole cleanup. Default: 2 min.
	Timeout time.Duration
}

const (
	// requesters is how many pods are removed at the same time.
	requesters = 16
	// retryAfter is when a pod that is still there is asked to go again. Only
	// the first requests count as a rule; a lost one must not stop the run.
	retryAfter = 5 * time.Second
	// coalesce is for how long events gather before they are looked at.
	coalesce = 20 * time.Millisecond
)

// Cleanup deletes the burst's Job and pods, waits until the watcher has seen
// all of them go and the cluster is quiet, sets b.CleanupSeconds, and closes the
// burst's tracker. It is an error, which names what remains, not to be done
// within Timeout; the namespace is then best given up.
//
// Quiet means: since the last event of a pod of the burst, as long has passed
// as the slowest limiter in force takes to fill its bucket. A burst that found
// a bucket empty would be charged for the one before.
func Cleanup(ctx context.Context, b *recording.Burst, o CleanupOptions) error {
	setDuration(&o.MaxQuiet, 10*time.Second)
	setDuration(&o.Timeout, 2*time.Minute)
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
	// due is by UID when a pod is to be asked to go, if not at once.
	due map[string]time.Time
}

func (c *cleaner) run(ctx context.Context) error {
	err := c.Client.BatchV1().Jobs(c.burst.Namespace).Delete(ctx, c.burst.JobName,
		metav1.DeleteOptions{PropagationPolicy: pointer(metav1.DeletePropagationBackground)})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete Job %s/%s: %w", c.burst.Namespace, c.burst.JobName, err)
	}
	quiet := c.quiet()
	var failed error
	for {
		left := c.tracker.Remaining()
		wait := quiet - time.Since(c.lastActivity())
		if len(left) == 0 && wait <= 0 {
			return nil
		}
		if len(left) > 0 {
			failed = cmp.Or(c.remove(ctx, left), failed)
			wait = time.Second
		}
		timer := time.NewTimer(wait)
		select {
		case <-c.tracker.Changed():
			// A large burst goes in thousands of events: look at some at a time.
			time.Sleep(coalesce)
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return c.unfinished(ctx, failed)
		}
		timer.Stop()
	}
}

// quiet is how long the slowest bucket takes to fill.
func (c *cleaner) quiet() time.Duration {
	var longest time.Duration
	for _, limits := range c.Effective {
		longest = max(longest, limits.Refill())
	}
	return min(longest, c.MaxQuiet)
}

// lastActivity is the burst's last event, or the cleanup's start: deleting the
// Job keeps its controller busy even if there was no pod.
func (c *cleaner) lastActivity() time.Time {
	if last := c.tracker.LastEvent(); last.After(c.started) {
		return last
	}
	return c.started
}

// remove deletes pods and takes the Job controller's finalizer from them. The
// controller would do the latter itself, but through its own limiter (100
// patches at 20 a second), which would also leave its bucket empty. The Job is
// gone, so nobody counts these pods any more. Pods are deleted one by one and
// side by side, for the API server deletes a collection in sequence.
// It returns one of the errors: a hundred would say no more.
func (c *cleaner) remove(ctx context.Context, left map[string]watch.Pod) (failed error) {
	var (
		mu    sync.Mutex
		tasks sync.WaitGroup
		busy  = make(chan struct{}, requesters)
		now   = time.Now()
	)
	maps.DeleteFunc(left, func(uid string, _ watch.Pod) bool { return now.Before(c.due[uid]) })
	for uid, pod := range left {
		busy <- struct{}{}
		tasks.Go(func() {
			defer func() { <-busy }()
			err := c.removeOne(ctx, uid, pod)
			mu.Lock()
			defer mu.Unlock()
			c.due[uid] = now.Add(retryAfter)
			failed = cmp.Or(failed, err)
		})
	}
	tasks.Wait()
	return failed
}

func (c *cleaner) removeOne(ctx context.Context, uid string, pod watch.Pod) error {
	pods := c.Client.CoreV1().Pods(c.burst.Namespace)
	if !pod.Deleting {
		err := pods.Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(uid)})
		switch {
		case apierrors.IsNotFound(err), apierrors.IsConflict(err):
			return nil // gone, or another pod of that name
		case err != nil:
			return fmt.Errorf("delete pod %s: %w", pod.Name, err)
		}
	}
	patch := fmt.Sprintf(`{"metadata":{"uid":%q,"$deleteFromPrimitiveList/finalizers":[%q]}}`, uid, jobFinalizer)
	_, err := pods.Patch(ctx, pod.Name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) && !apierrors.IsForbidden(err) {
		return fmt.Errorf("take finalizer from pod %s: %w", pod.Name, err)
	}
	return nil // where it is not allowed, the controller will do it
}

// jobFinalizer keeps a pod until its Job has counted it (KEP-2307).
const jobFinalizer = "batch.kubernetes.io/job-tracking"

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
