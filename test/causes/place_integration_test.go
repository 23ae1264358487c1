//go:build integration

package causes

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
)

const gate = "podburst.dev/cause-lab"

// gates keep the pods from the scheduler for GateTime.
func gates(testing.TB) *injection {
	return &injection{
		job: func(job *batchv1.Job) {
			job.Spec.Template.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: gate}}
		},
		during: func(ctx context.Context, b *bench) error {
			if err := pause(ctx, GateTime); err != nil {
				return err
			}
			pods, err := b.client.CoreV1().Pods(b.namespace).List(ctx, metav1.ListOptions{LabelSelector: recording.LabelBurst + "=" + b.burst})
			if err != nil {
				return err
			}
			if len(pods.Items) != b.pods {
				return fmt.Errorf("remove the gates: %d of %d pods were created within %s", len(pods.Items), b.pods, GateTime)
			}
			// The last patch is answered after the last pod may be ready.
			ctx = context.WithoutCancel(ctx)
			names := make(chan string, len(pods.Items))
			for i := range pods.Items {
				names <- pods.Items[i].Name
			}
			close(names)
			var (
				workers sync.WaitGroup
				mu      sync.Mutex
				errs    []error
			)
			for range 16 {
				workers.Go(func() {
					for name := range names {
						from := time.Now()
						_, err := b.client.CoreV1().Pods(b.namespace).Patch(ctx, name, types.JSONPatchType, []byte(`[{"op":"remove","path":"/spec/schedulingGates"}]`), metav1.PatchOptions{})
						b.lets(name, from, time.Now())
						mu.Lock()
						errs = append(errs, err)
						mu.Unlock()
					}
				})
			}
			workers.Wait()
			return errors.Join(errs...)
		},
	}
}

// fillers is the namespace of the pods that fill the nodes.
const fillers = "podburst-cause-lab"

// fullNodes have one pod each that asks for all their processors, until FullTime after
// the submission; the burst's pods ask for a little.
func fullNodes(testing.TB) *injection {
	return &injection{
		job: func(job *batchv1.Job) {
			job.Spec.Template.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m")}
		},
		start: fill,
		during: func(ctx context.Context, b *bench) error {
			if err := pause(ctx, FullTime); err != nil {
				return err
			}
			from := time.Now()
			return empty(context.WithoutCancel(ctx), b, func() { b.works(from, time.Now()); from = time.Now() })
		},
		stop: func(ctx context.Context, b *bench) error {
			ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
			defer cancel()
			return empty(ctx, b, func() {})
		},
	}
}

// fill puts a pod on each node and waits until all of them run.
func fill(ctx context.Context, b *bench) error {
	_, err := b.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: fillers}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	for _, name := range b.cluster.WorkerNodes() {
		node, err := b.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		template := load.Request{Pods: 1}.Template(nil, corev1.RestartPolicyAlways)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "filler-" + name, Namespace: fillers}, Spec: template.Spec}
		pod.Spec.NodeSelector = map[string]string{corev1.LabelHostname: name}
		pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: node.Status.Allocatable[corev1.ResourceCPU]}
		if _, err := b.client.CoreV1().Pods(fillers).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	for range 300 {
		list, err := b.client.CoreV1().Pods(fillers).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		running := 0
		for i := range list.Items {
			if list.Items[i].Status.Phase == corev1.PodRunning {
				running++
			}
		}
		if running == len(b.cluster.WorkerNodes()) {
			return nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New("fill the nodes: the pods do not run within 30 s")
}

// empty removes the fillers; gone is called when the first node, and when the last one, is
// free.
func empty(ctx context.Context, b *bench, gone func()) error {
	pods := b.client.CoreV1().Pods(fillers)
	list, err := pods.List(ctx, metav1.ListOptions{})
	if err != nil || len(list.Items) == 0 {
		return err
	}
	for i := range list.Items {
		if err := pods.Delete(ctx, list.Items[i].Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	left := len(list.Items)
	for left > 0 {
		now, err := pods.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		if len(now.Items) < left {
			gone()
		}
		if left = len(now.Items); left > 0 {
			if err := pause(ctx, 20*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
}
