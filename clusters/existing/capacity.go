package existing

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pageSize is how many pods one request lists: a large cluster has 100,000.
const pageSize = 500

// FreePods implements clusters.Standing. It counts pod slots only: a burst's
// pods request neither CPU nor memory.
func (c *Cluster) FreePods(ctx context.Context) (int, error) {
	nodes, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0, fmt.Errorf("count free pod slots: list nodes: %w", err)
	}
	free := map[string]int{}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		if slices.Contains(c.workers, node.Name) {
			free[node.Name] = int(node.Status.Allocatable.Pods().Value())
		}
	}
	list := metav1.ListOptions{FieldSelector: "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed", Limit: pageSize}
	for {
		pods, err := c.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, list)
		if err != nil {
			return 0, fmt.Errorf("count free pod slots: list pods: %w", err)
		}
		for i := range pods.Items {
			if node := pods.Items[i].Spec.NodeName; free[node] > 0 {
				free[node]--
			}
		}
		if list.Continue = pods.Continue; list.Continue == "" {
			break
		}
	}
	sum := 0
	for _, n := range free {
		sum += n
	}
	return sum, nil
}
