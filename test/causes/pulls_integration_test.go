//go:build integration

package causes

import (
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// pulls makes each pod pull its image anew: the nodes of the profile take their time.
func pulls(testing.TB) *injection {
	return &injection{job: func(job *batchv1.Job) {
		job.Spec.Template.Spec.Containers[0].ImagePullPolicy = corev1.PullAlways
	}}
}
