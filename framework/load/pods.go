package load

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PauseImage does nothing. Nodes already have it, since every pod sandbox uses it.
const PauseImage = "registry.k8s.io/pause:3.10"

// Request is what a user asks for of a load that podburst sends. Each kind of load is
// a type of this shape: Job(request).
type Request struct {
	// Pods is how many pods are asked for, at least 1.
	Pods int
	// Image of the one container. Default: PauseImage.
	Image string
	// NodeSelector restricts the pods to nodes with these labels. Default: none;
	// control planes are kept out by their taint.
	NodeSelector map[string]string
	// Annotations of the pods, for a cluster that reacts to them (hollow nodes end
	// containers by them). Default: none.
	Annotations map[string]string
}

// image is Image or its default.
func (r Request) image() string {
	if r.Image == "" {
		return PauseImage
	}
	return r.Image
}

// Template is what the pods are made from. They pass the restricted Pod Security
// Standard and need nothing that is not part of starting a pod: no token, no service
// environment, no requests, no image pull.
func (r Request) Template(labels map[string]string, restart corev1.RestartPolicy) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: r.Annotations},
		Spec: corev1.PodSpec{
			RestartPolicy:                 restart,
			TerminationGracePeriodSeconds: new(int64(1)),
			AutomountServiceAccountToken:  new(false),
			EnableServiceLinks:            new(false),
			NodeSelector:                  r.NodeSelector,
			SecurityContext: &corev1.PodSecurityContext{
				RunAsNonRoot:   new(true),
				RunAsUser:      new(int64(65535)),
				RunAsGroup:     new(int64(65535)),
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			Containers: []corev1.Container{{
				Name:            "pause",
				Image:           r.image(),
				ImagePullPolicy: corev1.PullIfNotPresent,
				SecurityContext: &corev1.SecurityContext{
					AllowPrivilegeEscalation: new(false),
					ReadOnlyRootFilesystem:   new(true),
					Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
				},
			}},
		},
	}
}
