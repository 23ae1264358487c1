package listcost

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/load"
)

// The pods name a scheduler that nobody runs, so that they exist only in the API
// server and etcd.
const (
	nobodysScheduler = "podburst.dev-nobody"
	// LabelPods marks them, with the value "true".
	LabelPods = "podburst.dev/listcost"
	// annotationChange is what a change sets.
	annotationChange = "podburst.dev/change"
)

// atOnce is how many creates and patches are in flight at a time.
const atOnce = 16

// pods are the pods that are listed. The client has no limiter.
type pods struct {
	client           kubernetes.Interface
	namespace, runID string
	made             int
}

// grow creates pods until there are n.
func (p *pods) grow(ctx context.Context, n int) error {
	err := parallel(ctx, p.made, n, func(ctx context.Context, i int) error {
		_, err := p.client.CoreV1().Pods(p.namespace).Create(ctx, p.pod(i), metav1.CreateOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("make %d pods in namespace %s: %w", n-p.made, p.namespace, err)
	}
	p.made = n
	return nil
}

// pod is like a burst's pod before it is scheduled.
func (p *pods) pod(i int) *corev1.Pod {
	template := load.Request{}.Template(load.Place{Name: "listcost", RunID: p.runID}.Labels(), corev1.RestartPolicyNever)
	template.Labels[LabelPods] = "true"
	template.Spec.SchedulerName = nobodysScheduler
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: podName(i), Namespace: p.namespace, Labels: template.Labels},
		Spec:       template.Spec,
	}
}

func podName(i int) string { return fmt.Sprintf("listed-%05d", i) }

// change gives the first n pods an annotation that they did not have.
func (p *pods) change(ctx context.Context, n int, value string) error {
	patch := []byte(`{"metadata":{"annotations":{"` + annotationChange + `":` + strconv.Quote(value) + `}}}`)
	err := parallel(ctx, 0, n, func(ctx context.Context, i int) error {
		_, err := p.client.CoreV1().Pods(p.namespace).Patch(ctx, podName(i), types.MergePatchType, patch, metav1.PatchOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("change %d pods in namespace %s: %w", n, p.namespace, err)
	}
	return nil
}

// remove deletes all of them and waits until they are gone. Deleting the namespace
// removes whatever this leaves.
func (p *pods) remove(ctx context.Context) error {
	these := metav1.ListOptions{LabelSelector: LabelPods + "=true"}
	now := int64(0)
	err := p.client.CoreV1().Pods(p.namespace).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, these)
	these.Limit = 1
	for err == nil {
		var left *corev1.PodList
		left, err = p.client.CoreV1().Pods(p.namespace).List(ctx, these)
		if err != nil || len(left.Items) == 0 {
			break
		}
		select {
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
	if err != nil {
		return fmt.Errorf("remove the listed pods: %w (by hand: kubectl delete pods -n %s -l %s=true)", err, p.namespace, LabelPods)
	}
	return nil
}

// parallel calls what for each number from first up to, but not including, end, until
// one call fails.
func parallel(ctx context.Context, first, end int, what func(context.Context, int) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	numbers := make(chan int)
	var group sync.WaitGroup
	errs := make([]error, atOnce)
	for w := range atOnce {
		group.Go(func() {
			for i := range numbers {
				if errs[w] = what(ctx, i); errs[w] != nil {
					cancel()
					return
				}
			}
		})
	}
	for i := first; i < end && ctx.Err() == nil; i++ {
		select {
		case numbers <- i:
		case <-ctx.Done():
		}
	}
	close(numbers)
	group.Wait()
	for _, err := range errs {
		// The others end because the first one failed.
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errors.Join(errs...), context.Cause(ctx))
}
