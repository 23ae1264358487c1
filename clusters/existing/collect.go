package existing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// evidence is cluster.json: what explains a failure, as far as a user of the
// cluster may see it. It contains no addresses and no credentials.
type evidence struct {
	Context     string            `json:"context"`
	Version     string            `json:"kubernetesVersion"`
	Workers     []string          `json:"workerNodes"`
	Unavailable map[string]string `json:"unavailable,omitempty"`
	Nodes       []node            `json:"nodes"`
}

type node struct {
	Name       string                 `json:"name"`
	Unfit      string                 `json:"unfit,omitempty"`
	Pods       string                 `json:"allocatablePods"`
	Info       corev1.NodeSystemInfo  `json:"nodeInfo"`
	Taints     []corev1.Taint         `json:"taints,omitempty"`
	Conditions []corev1.NodeCondition `json:"conditions"`
}

// Collect implements clusters.Cluster.
func (c *Cluster) Collect(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	e := evidence{Context: c.Name(), Version: c.version, Workers: c.workers, Unavailable: map[string]string{}}
	for instance, why := range c.metricsUnavailable {
		e.Unavailable["metrics of "+instance.String()] = why.Error()
	}
	for instance, why := range c.configUnavailable {
		e.Unavailable["limits of "+instance.String()] = why.Error()
	}
	nodes, listing := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if listing == nil {
		for i := range nodes.Items {
			n := &nodes.Items[i]
			info := n.Status.NodeInfo
			// They identify the machine and say nothing about its behavior.
			info.MachineID, info.SystemUUID, info.BootID = "", "", ""
			e.Nodes = append(e.Nodes, node{Name: n.Name, Unfit: unfit(n), Pods: n.Status.Allocatable.Pods().String(),
				Info: info, Taints: n.Spec.Taints, Conditions: n.Status.Conditions})
		}
	}
	text, err := json.MarshalIndent(e, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "cluster.json"), append(text, '\n'), 0o644)
	}
	return errors.Join(listing, err)
}
