package testbed

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/framework/recording"
)

// nodeInfo asks the cluster what its nodes run, once, before any burst. It is empty
// if the observer may not list nodes.
func nodeInfo(ctx context.Context, client kubernetes.Interface) []recording.NodeInfo {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil
	}
	nodes := make([]recording.NodeInfo, 0, len(list.Items))
	for i := range list.Items {
		info := &list.Items[i].Status.NodeInfo
		nodes = append(nodes, recording.NodeInfo{
			Name: list.Items[i].Name, Kubelet: info.KubeletVersion, ContainerRuntime: info.ContainerRuntimeVersion,
			OSImage: info.OSImage, Kernel: info.KernelVersion,
		})
	}
	slices.SortFunc(nodes, func(x, y recording.NodeInfo) int { return strings.Compare(x.Name, y.Name) })
	return nodes
}
