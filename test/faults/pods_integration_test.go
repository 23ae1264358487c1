//go:build integration

package faults_test

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/test/internal/suite"
)

// failedJob are reasons that follow when the Job controller gives up on its Job. It
// does so when one pod has failed or was deleted, and then deletes the others.
var failedJob = []string{recording.ProblemPodDeleted, recording.ProblemPodLost, recording.ProblemPodPending,
	recording.ProblemPodFailed, recording.ProblemPodReplaced, recording.ProblemNoSamples, recording.ProblemMarkMissing}

// early are reasons that follow when an extra pod is Ready: the burst seems to have
// ended before the last of its own pods is ready.
var early = []string{recording.ProblemPodPending, recording.ProblemMarkMissing}

// short is for bursts that can end only at their deadline.
func short(o *burst.Options) { o.Deadline = 6 * time.Second }

// podFaults are done to the pods of a burst.
func podFaults() map[string]func(l *lab) {
	return map[string]func(l *lab){
		"a pod is deleted": func(l *lab) {
			l.invalid(trial{change: short, fault: func(ctx context.Context, b live) error {
				return l.admin.CoreV1().Pods(l.namespace).Delete(ctx, names(b)[0], metav1.DeleteOptions{})
			}}, []string{recording.ProblemPodDeleted, recording.ProblemPodLost}, failedJob...)
		},
		"a container crashes": func(l *lab) {
			b := l.invalid(trial{job: func(j *load.Job) {
				j.Annotations = map[string]string{"hollow.podburst.dev/exit-after": "0s", "hollow.podburst.dev/exit-code": "3"}
			}}, []string{recording.ProblemPodFailed},
				// Such a container is never seen running: only the kubelet's log
				// gives its start, which is before the sandbox's condition is
				// written.
				append(failedJob, recording.ProblemNegativeDuration)...)
			if b.EndReason != recording.EndPodFailed {
				l.Errorf("ended as %s: observing went on after the Job had failed", b.EndReason)
			}
		},
		"no node suits": func(l *lab) {
			b := l.invalid(trial{change: short, job: func(j *load.Job) {
				j.NodeSelector = map[string]string{gateLabel: "nobody"}
			}}, []string{recording.ProblemPodPending, recording.ProblemNoSamples})
			if b.Accounting.Pending != burstSize {
				l.Errorf("accounting %+v", b.Accounting)
			}
		},
		"a container has restarted": func(l *lab) {
			l.invalid(trial{fault: func(ctx context.Context, b live) error {
				return l.patchStatus(ctx, names(b)[0], `{"status":{"containerStatuses":[{"name":"pause","image":"pause","imageID":"","ready":false,"restartCount":1,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}`)
			}}, []string{recording.ProblemPodRestarted})
		},
		"pods are Ready that never ran": func(l *lab) {
			l.invalid(trial{closed: true, fault: func(ctx context.Context, b live) error {
				for _, name := range names(b) {
					if err := l.patchStatus(ctx, name, `{"status":{"conditions":[{"type":"Ready","status":"True"}]}}`); err != nil {
						return err
					}
				}
				return nil
			}}, []string{recording.ProblemMarkMissing})
		},
		"a pod is replaced by one of its name": func(l *lab) {
			l.invalid(trial{change: short, fault: func(ctx context.Context, b live) error {
				old, err := l.vanish(ctx, names(b)[0])
				if err != nil {
					return err
				}
				return l.create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: old.Name, Labels: map[string]string{recording.LabelBurst: b.id}}, Spec: bare(old.Spec)})
			}}, []string{recording.ProblemForeignPod, recording.ProblemPodLost}, failedJob...)
		},
		"the Job gets a pod more": func(l *lab) {
			l.invalid(trial{change: short, fault: func(ctx context.Context, b live) error {
				first, err := l.admin.CoreV1().Pods(l.namespace).Get(ctx, names(b)[0], metav1.GetOptions{})
				if err != nil {
					return err
				}
				return l.create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
					Name: b.id + "-more", Labels: first.Labels, OwnerReferences: first.OwnerReferences, Finalizers: first.Finalizers,
				}, Spec: bare(first.Spec)})
			}}, []string{recording.ProblemPodReplaced}, failedJob...)
		},
		"a stranger has the burst's label": func(l *lab) {
			l.invalid(trial{fault: func(ctx context.Context, b live) error {
				return l.stranger(ctx, b, "labeled", map[string]string{recording.LabelBurst: b.id})
			}}, []string{recording.ProblemForeignPod}, early...)
		},
		"a stranger is in the namespace": func(l *lab) {
			l.invalid(trial{fault: func(ctx context.Context, b live) error {
				return l.stranger(ctx, b, "unlabeled", nil)
			}}, []string{recording.ProblemForeignPod})
			_, err := l.vanish(l.Context(), "unlabeled")
			suite.Must(l.T, err)
		},
		"an image is pulled": func(l *lab) {
			l.invalid(trial{fault: func(ctx context.Context, b live) error {
				pod, err := l.admin.CoreV1().Pods(l.namespace).Get(ctx, names(b)[0], metav1.GetOptions{})
				if err != nil {
					return err
				}
				// As a kubelet reports it.
				event := &corev1.Event{
					ObjectMeta:     metav1.ObjectMeta{Name: pod.Name + ".pulling"},
					InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
					Reason:         "Pulling", Message: `Pulling image "pause"`, Type: corev1.EventTypeNormal,
					Source: corev1.EventSource{Component: "kubelet", Host: "worker-1"},
				}
				_, err = l.admin.CoreV1().Events(l.namespace).Create(ctx, event, metav1.CreateOptions{})
				return err
			}}, []string{recording.ProblemImagePulled})
		},
		"a node is not Ready for a moment": func(l *lab) {
			// Not the node with the pods: with half the nodes it would be another
			// burst.
			node := l.cluster.WorkerNodes()[1]
			set := func(ctx context.Context, status corev1.ConditionStatus) error {
				patch := `{"status":{"conditions":[{"type":"Ready","status":"` + string(status) + `","reason":"Test"}]}}`
				_, err := l.admin.CoreV1().Nodes().Patch(ctx, node, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
				return err
			}
			l.invalid(trial{fault: func(ctx context.Context, _ live) error {
				if err := set(ctx, corev1.ConditionFalse); err != nil {
					return err
				}
				return set(ctx, corev1.ConditionTrue)
			}}, []string{recording.ProblemNodeNotReady})
			suite.Must(l.T, l.eventually(l.Context(), "the node's taint to go", func() (bool, error) {
				n, err := l.admin.CoreV1().Nodes().Get(l.Context(), node, metav1.GetOptions{})
				return err == nil && len(n.Spec.Taints) == 0, err
			}))
		},
	}
}

// names are the burst's pods, sorted.
func names(b live) []string {
	var all []string
	for _, pod := range b.tracker.Remaining() {
		all = append(all, pod.Name)
	}
	slices.Sort(all)
	return all
}

// bare is the spec without what admission added for the pod's node and name.
func bare(spec corev1.PodSpec) corev1.PodSpec {
	return corev1.PodSpec{Containers: spec.Containers, SecurityContext: spec.SecurityContext, RestartPolicy: spec.RestartPolicy,
		NodeSelector: spec.NodeSelector, AutomountServiceAccountToken: spec.AutomountServiceAccountToken,
		TerminationGracePeriodSeconds: spec.TerminationGracePeriodSeconds}
}

func (l *lab) create(ctx context.Context, pod *corev1.Pod) error {
	_, err := l.admin.CoreV1().Pods(l.namespace).Create(ctx, pod, metav1.CreateOptions{})
	return err
}

// stranger creates a pod that looks like the burst's but belongs to nobody.
func (l *lab) stranger(ctx context.Context, b live, name string, labels map[string]string) error {
	first, err := l.admin.CoreV1().Pods(l.namespace).Get(ctx, names(b)[0], metav1.GetOptions{})
	if err != nil {
		return err
	}
	return l.create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Spec: bare(first.Spec)})
}

func (l *lab) patchStatus(ctx context.Context, pod, patch string) error {
	_, err := l.admin.CoreV1().Pods(l.namespace).Patch(ctx, pod, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	return err
}

// vanish deletes a pod immediately, waits until it is gone, and returns it as it was.
func (l *lab) vanish(ctx context.Context, name string) (*corev1.Pod, error) {
	pods := l.admin.CoreV1().Pods(l.namespace)
	old, err := pods.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	if err := pods.Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}); err != nil {
		return nil, err
	}
	_, err = pods.Patch(ctx, name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil, err
	}
	return old, l.eventually(ctx, "the pod to go", func() (bool, error) {
		found, err := pods.Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err) || err == nil && found.UID != old.UID, err
	})
}
