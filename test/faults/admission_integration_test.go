//go:build integration

package faults_test

import (
	"context"
	"errors"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/burst"
	"github.com/podburst/podburst/framework/load"
	"github.com/podburst/podburst/framework/recording"
	"github.com/podburst/podburst/framework/watch"
	"github.com/podburst/podburst/test/internal/suite"
)

// admissionFaults are bursts whose objects cannot be created, or not all of them.
func admissionFaults() map[string]func(l *lab) {
	return map[string]func(l *lab){
		"no pod is ever made": func(l *lab) {
			lift := l.quota(corev1.ResourcePods)
			b := l.invalid(trial{change: short}, []string{recording.ProblemPodLost, recording.ProblemNoSamples})
			lift()
			if b.Accounting.Lost != burstSize {
				l.Errorf("accounting %+v", b.Accounting)
			}
		},
		"the Job is refused": func(l *lab) {
			lift := l.quota("count/jobs.batch")
			b, report, err := l.run(l.Context(), trial{})
			lift()
			if !apierrors.IsForbidden(err) {
				l.Errorf("error %v", err)
			}
			l.wantInvalid(b, report, []string{recording.ProblemRefused, recording.ProblemPodLost, recording.ProblemNoSamples})
		},
		"the run is interrupted": func(l *lab) {
			ctx, interrupt := context.WithCancelCause(l.Context())
			b, report, err := l.run(ctx, trial{job: func(j *load.Job) { j.NodeSelector = map[string]string{gateLabel: "nobody"} }, change: func(o *burst.Options) {
				o.OnProgress = func(c watch.Counts, _ time.Duration) {
					if c.Seen == burstSize {
						interrupt(errInterrupted)
					}
				}
			}})
			if !errors.Is(err, errInterrupted) {
				l.Errorf("error %v", err)
			}
			l.wantInvalid(b, report, []string{recording.ProblemInterrupted, recording.ProblemPodPending, recording.ProblemNoSamples}, recording.ProblemAuditGap)
		},
	}
}

var errInterrupted = errors.New("interrupted by the test")

// quota forbids one kind of thing in the namespace, and returns a function that
// allows it again.
func (l *lab) quota(what corev1.ResourceName) (lift func()) {
	l.Helper()
	quotas := l.admin.CoreV1().ResourceQuotas(l.namespace)
	none := corev1.ResourceList{what: resource.MustParse("0")}
	made, err := quotas.Create(l.Context(), &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "none"}, Spec: corev1.ResourceQuotaSpec{Hard: none}}, metav1.CreateOptions{})
	suite.Must(l.T, err)
	// No controller counts quotas here: admission goes by the status.
	made.Status = corev1.ResourceQuotaStatus{Hard: none, Used: none}
	_, err = quotas.UpdateStatus(l.Context(), made, metav1.UpdateOptions{})
	suite.Must(l.T, err)
	l.admits(false)
	return func() {
		l.Helper()
		suite.Must(l.T, quotas.Delete(l.Context(), "none", metav1.DeleteOptions{}))
		l.admits(true)
	}
}

// admits waits until the API server would, or would not, create a Job and a pod:
// admission learns of quotas through its own watch.
func (l *lab) admits(want bool) {
	l.Helper()
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	job := load.Job{Pods: 1}.Object(load.Place{Namespace: l.namespace, Name: "sample", RunID: l.runID})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "sample"}, Spec: job.Spec.Template.Spec}
	suite.Must(l.T, l.eventually(l.Context(), "admission to know the quota", func() (bool, error) {
		_, errJob := l.admin.BatchV1().Jobs(l.namespace).Create(l.Context(), job.DeepCopyObject().(*batchv1.Job), dry)
		_, errPod := l.admin.CoreV1().Pods(l.namespace).Create(l.Context(), pod.DeepCopy(), dry)
		err := errors.Join(errJob, errPod)
		return (err == nil) == want, err
	}))
}
