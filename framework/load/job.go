package load

import (
	"context"
	"errors"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// Job is one Job whose pods are all created at once; none is replaced.
type Job Request

var _ Load = Job{}

// Check implements Load.
func (j Job) Check() error {
	if j.Pods < 1 {
		return fmt.Errorf("%d pods asked for, at least 1 is needed", j.Pods)
	}
	return nil
}

// jobFinalizer keeps a pod until its Job has counted it (KEP-2307).
const jobFinalizer = "batch.kubernetes.io/job-tracking"

// Terms implements Load. With backoffLimit 0, one pod that fails makes the Job
// controller delete the others. The finalizers have to go while the Job still exists:
// when it is deleted, its controller queues a patch for every pod that has one, and
// works through that queue at its limiter's pace even when the pods are long gone.
func (j Job) Terms() Terms {
	return Terms{Pods: j.Pods, FailFast: true, Together: true, Finalizer: jobFinalizer}
}

// Of implements Load.
func (j Job) Of(pods int) Load {
	j.Pods = pods
	return j
}

// Describe implements Load.
func (j Job) Describe(b *recording.Burst) { b.Workload = recording.Job(b.BurstID, "") }

// Doing implements Load.
func (j Job) Doing(int) string { return fmt.Sprintf("sending %d pods", j.Pods) }

// Submit implements Load.
func (j Job) Submit(ctx context.Context, client kubernetes.Interface, at Place, now func() time.Time) ([]Submission, error) {
	job := j.Object(at)
	s := Submission{Name: at.Name, Sent: now()}
	created, err := client.BatchV1().Jobs(at.Namespace).Create(ctx, job, metav1.CreateOptions{})
	s.Returned = now()
	if err != nil {
		return []Submission{s}, fmt.Errorf("create Job %s/%s: %w%s", at.Namespace, at.Name, err, refused(err, "jobs"))
	}
	s.UID = string(created.UID)
	return []Submission{s}, nil
}

// refused says what to do when an object could not be created.
func refused(err error, resource string) string {
	switch {
	case apierrors.IsAlreadyExists(err):
		return " (a burst of this name is left in the namespace: delete the namespace, or give the burst another index)"
	case apierrors.IsNotFound(err):
		return " (the namespace is gone: make it with EnsureNamespace before the burst)"
	case apierrors.IsForbidden(err):
		return " (allow the observer to create " + resource + ", or raise the namespace's quota)"
	case apierrors.IsInvalid(err):
		return " (it does not suit this API server: see the fields named)"
	case errors.As(err, new(apierrors.APIStatus)):
		return ""
	}
	return " (no answer: is the API server running?)"
}

// Remove implements Load.
func (Job) Remove(ctx context.Context, client kubernetes.Interface, at Place) error {
	err := client.BatchV1().Jobs(at.Namespace).Delete(ctx, at.Name, metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("delete Job %s/%s: %w", at.Namespace, at.Name, err)
	}
	return nil
}

// DryRun implements Load.
func (j Job) DryRun(ctx context.Context, client kubernetes.Interface, at Place) (sent, admitted corev1.PodTemplateSpec, err error) {
	job := j.Object(at)
	got, err := client.BatchV1().Jobs(at.Namespace).Create(ctx, job, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return job.Spec.Template, corev1.PodTemplateSpec{}, err
	}
	return job.Spec.Template, got.Spec.Template, nil
}

// Rights implements Load.
func (Job) Rights() []Right {
	return []Right{
		{Verb: "create", Group: "batch", Resource: "jobs", Why: "submit a burst"},
		{Verb: "delete", Group: "batch", Resource: "jobs", Why: "remove a burst"},
		{Verb: "patch", Resource: "pods", Optional: true, Why: "take the Job controller's finalizer, which takes it a second for 20 pods otherwise"},
	}
}

// Object is the Job as it is submitted.
func (j Job) Object(at Place) *batchv1.Job {
	pods := int32(j.Pods)
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: at.Name, Namespace: at.Namespace, Labels: at.Labels()},
		Spec: batchv1.JobSpec{
			Parallelism: &pods,
			Completions: &pods,
			// A failed pod must not be replaced: the replacement would look like
			// another pod's start.
			BackoffLimit: new(int32),
			Template:     Request(j).Template(at.Labels(), corev1.RestartPolicyNever),
		},
	}
}
