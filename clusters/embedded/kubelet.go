package embedded

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/podburst/podburst/clusters"
)

// kubelet returns the flags of one hollow node.
func (s settings) kubelet(node string) (flags, error) {
	spec := s.spec.Kubelet
	f := flags{
		"name":                 node,
		"kubeconfig":           s.layout.kubeconfig(node),
		"root-dir":             s.layout.kubeletRoot(node),
		"address":              "127.0.0.1",
		"node-ip":              "127.0.0.1",
		"port":                 strconv.Itoa(s.ports.kubelets[node]),
		"client-ca-file":       s.layout.pki("ca.crt"),
		"tls-cert-file":        s.layout.pki("kubelet.crt"),
		"tls-private-key-file": s.layout.pki("kubelet.key"),
	}
	if spec.MaxPods != nil {
		f["max-pods"] = strconv.Itoa(*spec.MaxPods)
	}
	if spec.SerializeImagePulls != nil {
		f["serialize-image-pulls"] = strconv.FormatBool(*spec.SerializeImagePulls)
	}
	if spec.MaxParallelImagePulls != nil {
		f["max-parallel-image-pulls"] = strconv.Itoa(*spec.MaxParallelImagePulls)
	}
	runtime := s.spec.HollowRuntime
	for name, latency := range map[string]*metav1.Duration{
		"runtime-sandbox-latency":    runtime.SandboxLatency,
		"runtime-create-latency":     runtime.CreateLatency,
		"runtime-start-latency":      runtime.StartLatency,
		"runtime-image-pull-latency": runtime.ImagePullLatency,
		"runtime-container-lifetime": runtime.ContainerLifetime,
	} {
		if latency != nil {
			f[name] = latency.Duration.String()
		}
	}
	if runtime.Parallelism != nil {
		f["runtime-parallelism"] = strconv.Itoa(*runtime.Parallelism)
	}
	f.withCommon(clusters.Kubelet, s.spec)
	return f, f.withExtra(clusters.Kubelet, spec.ExtraArgs)
}
