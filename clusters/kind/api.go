package kind

import (
	"context"
	"fmt"
	"net"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// client is what this package needs from a cluster's API server.
type client interface {
	// config returns a fresh client configuration.
	config() *rest.Config
	// nodes says why each registered node is not Ready, by name ("" if it is).
	nodes(ctx context.Context) (map[string]string, error)
	// get returns the server's answer at a path.
	get(ctx context.Context, path string) ([]byte, error)
}

type clientMaker func(kubeconfig string) (client, error)

// restClient is the client of a real cluster.
type restClient struct {
	restConfig *rest.Config
	clientset  *kubernetes.Clientset
}

func newClient(kubeconfig string) (client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read the cluster's kubeconfig: %w", err)
	}
	if err := checkLoopback(config.Host); err != nil {
		return nil, err
	}
	// No limiter: the observer must never throttle itself.
	config.QPS = -1
	config.UserAgent = "podburst"
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	return &restClient{restConfig: config, clientset: clientset}, nil
}

// checkLoopback refuses an API server that is not on loopback: measuring
// through a network would measure the network, and a remote engine is not this
// machine.
func checkLoopback(server string) error {
	parsed, err := url.Parse(server)
	if err != nil {
		return fmt.Errorf("read the cluster's kubeconfig: %w", err)
	}
	if ip := net.ParseIP(parsed.Hostname()); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("the API server is published at %s, not on loopback: the Docker engine must run on this machine (is DOCKER_HOST set?)", server)
	}
	return nil
}

func (c *restClient) config() *rest.Config { return rest.CopyConfig(c.restConfig) }

func (c *restClient) nodes(ctx context.Context) (map[string]string, error) {
	list, err := c.clientset.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	nodes := map[string]string{}
	for _, node := range list.Items {
		nodes[node.Name] = notReady(node.Status.Conditions)
	}
	return nodes, nil
}

// notReady is why a node is not Ready, or "".
func notReady(conditions []corev1.NodeCondition) string {
	for _, condition := range conditions {
		switch {
		case condition.Type != corev1.NodeReady:
		case condition.Status == corev1.ConditionTrue:
			return ""
		default:
			return fmt.Sprintf("%s: %s", condition.Reason, condition.Message)
		}
	}
	return "it has not reported yet"
}

func (c *restClient) get(ctx context.Context, path string) ([]byte, error) {
	// Unlike AbsPath, RequestURI takes a query along.
	return c.clientset.RESTClient().Get().RequestURI(path).DoRaw(ctx)
}
