package embedded

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// nodesReady returns nil once every node named is Ready and takes pods. A node
// that has just become Ready keeps its not-ready taint for a moment, and a
// burst sent in that moment would wait.
func nodesReady(ctx context.Context, client kubernetes.Interface, names []string) error {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	missing := make(map[string]string, len(names))
	for _, name := range names {
		missing[name] = "has not registered"
	}
	for _, node := range list.Items {
		if why := unready(node); why != "" {
			missing[node.Name] = why
		} else {
			delete(missing, node.Name)
		}
	}
	for _, name := range names { // In a fixed order, so that messages stay the same.
		if why, found := missing[name]; found {
			return fmt.Errorf("node %s %s", name, why)
		}
	}
	return nil
}

func unready(node corev1.Node) string {
	why := "has no Ready condition"
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			why = ""
			if condition.Status != corev1.ConditionTrue {
				why = "is not ready: " + condition.Message
			}
		}
	}
	if why == "" && len(node.Spec.Taints) > 0 {
		why = "has the taint " + node.Spec.Taints[0].Key
	}
	return why
}
