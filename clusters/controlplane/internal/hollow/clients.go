package hollow

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	corev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
)

// clients are a kubelet's ways to the API server, one limiter each.
type clients struct {
	// kubelet does nearly everything; its limiter is kubeAPIQPS and kubeAPIBurst.
	kubelet *kubernetes.Clientset
	// events has the limiter eventRecordQPS and eventBurst.
	events *corev1.CoreV1Client
	// heartbeat has no limiter, so that a busy node stays Ready.
	heartbeat *kubernetes.Clientset
	// authorization asks what somebody who reads this kubelet's metrics may do.
	// A real kubelet asks that through its main limiter; here a reader must not
	// slow down what is being measured.
	authorization *kubernetes.Clientset
}

func newClients(kubeconfig string, c *kubeletconfig.KubeletConfiguration) (*clients, error) {
	base, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig %q: %w", kubeconfig, err)
	}
	base.UserAgent = userAgent()
	base.ContentType = c.ContentType
	base.AcceptContentTypes = strings.Join([]string{runtime.ContentTypeProtobuf, runtime.ContentTypeJSON}, ",")

	limited := rest.CopyConfig(base)
	limited.QPS, limited.Burst = float32(c.KubeAPIQPS), int(c.KubeAPIBurst)

	events := rest.CopyConfig(base)
	events.QPS, events.Burst = float32(c.EventRecordQPS), int(c.EventBurst)
	if c.EventRecordQPS == 0 {
		events.QPS = -1
	}

	heartbeat := rest.CopyConfig(base)
	heartbeat.QPS = -1
	heartbeat.Timeout = min(c.NodeStatusUpdateFrequency.Duration, time.Duration(c.NodeLeaseDurationSeconds)*time.Second)

	authorization := rest.CopyConfig(base)
	authorization.QPS = -1

	made := &clients{}
	if made.kubelet, err = kubernetes.NewForConfig(limited); err != nil {
		return nil, fmt.Errorf("make the kubelet's client: %w", err)
	}
	if made.events, err = corev1.NewForConfig(events); err != nil {
		return nil, fmt.Errorf("make the client for events: %w", err)
	}
	if made.heartbeat, err = kubernetes.NewForConfig(heartbeat); err != nil {
		return nil, fmt.Errorf("make the client for heartbeats: %w", err)
	}
	if made.authorization, err = kubernetes.NewForConfig(authorization); err != nil {
		return nil, fmt.Errorf("make the client for authorization: %w", err)
	}
	return made, nil
}

// userAgent is the one that client-go gives to an executable called kubelet,
// so that audit logs attribute requests as they do for real nodes.
func userAgent() string {
	_, rest, _ := strings.Cut(rest.DefaultKubernetesUserAgent(), "/")
	return "kubelet/" + rest
}
