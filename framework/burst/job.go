package burst

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/framework/recording"
)

// Sample is the Job that a burst of so many pods submits, for a look at what a
// cluster's admission makes of it. image is Options.Image.
func Sample(namespace, name, runID, image string, pods int) *batchv1.Job {
	o := Options{RunID: runID, Image: image}
	o.setDefaults()
	return job(recording.Burst{Namespace: namespace, JobName: name, BurstID: name, Pods: pods}, o)
}

// job is the burst as it is submitted. Its pods pass the restricted pod
// security standard, and ask for nothing that is not part of starting a pod: no
// token, no service environment, no requests, no image pull.
func job(b recording.Burst, o Options) *batchv1.Job {
	labels := map[string]string{
		recording.LabelManagedBy: recording.ManagedBy,
		recording.LabelRun:       o.RunID,
		recording.LabelBurst:     b.BurstID,
	}
	pods := int32(b.Pods)
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: b.JobName, Namespace: b.Namespace, Labels: labels},
		Spec: batchv1.JobSpec{
			Parallelism: &pods,
			Completions: &pods,
			// A pod that fails must not be replaced: it would count as another pod's start.
			BackoffLimit: new(int32),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: o.Annotations},
				Spec: corev1.PodSpec{
					RestartPolicy:                 corev1.RestartPolicyNever,
					TerminationGracePeriodSeconds: pointer(int64(1)),
					AutomountServiceAccountToken:  pointer(false),
					EnableServiceLinks:            pointer(false),
					NodeSelector:                  o.NodeSelector,
					SecurityContext: &corev1.PodSecurityContext{
						RunAsNonRoot:   pointer(true),
						RunAsUser:      pointer(int64(65535)),
						RunAsGroup:     pointer(int64(65535)),
						SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
					},
					Containers: []corev1.Container{{
						Name:            "pause",
						Image:           o.Image,
						ImagePullPolicy: corev1.PullIfNotPresent,
						SecurityContext: &corev1.SecurityContext{
							AllowPrivilegeEscalation: pointer(false),
							ReadOnlyRootFilesystem:   pointer(true),
							Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
						},
					}},
				},
			},
		},
	}
}

func pointer[T any](v T) *T { return &v }
