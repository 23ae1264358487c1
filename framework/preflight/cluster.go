package preflight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/podburst/podburst/clusters"
)

// cluster checks the nodes, the room on them, and what can be read from the
// components.
func (l *listing) cluster(ctx context.Context, client kubernetes.Interface, o Options) {
	cluster, err := o.Open(ctx)
	if err != nil {
		l.add(Fail, "worker nodes", "see the permissions above; pods of a burst need Ready nodes that are not cordoned and have no taint", "%v", err)
		return
	}
	workers := cluster.WorkerNodes()
	l.add(OK, "worker nodes", "", "%d are Ready, schedulable and untainted", len(workers))
	l.nodes(ctx, client, workers, o)
	if standing, ok := cluster.(clusters.Standing); ok {
		switch free, err := standing.FreePods(ctx); {
		case err != nil:
			l.add(Fail, "free pod slots", "", "%v", err)
		case free < o.Pods:
			l.add(Fail, "free pod slots", fmt.Sprintf("free %d slots, add nodes, or set PODS=%d", o.Pods-free, free), "%d for a burst of %d pods", free, o.Pods)
		default:
			l.add(OK, "free pod slots", "", "%d for a burst of %d pods", free, o.Pods)
		}
	}
	l.readable(ctx, cluster)
}

// nodes checks what the worker nodes run and what room they have.
func (l *listing) nodes(ctx context.Context, client kubernetes.Interface, workers []string, o Options) {
	list, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		l.add(Fail, "kubelets", "", "list nodes: %v", err)
		return
	}
	versions := map[string]int{}
	var without []string
	for i := range list.Items {
		node := &list.Items[i]
		if !slices.Contains(workers, node.Name) {
			continue
		}
		info := node.Status.NodeInfo
		versions[info.KubeletVersion+" and "+info.ContainerRuntimeVersion]++
		if lacksImage(node, o.Image) {
			without = append(without, node.Name)
		}
	}
	l.kubelets(versions)
	if len(without) > 0 {
		l.add(Warn, "image", fmt.Sprintf("a burst that pulls is INVALID: load %s into these nodes, or let the warm-up pull it with enough pods to reach every node (WARMUP)", o.Image),
			"%d of %d worker nodes do not list %s: %s", len(without), len(workers), o.Image, some(without))
		return
	}
	l.add(OK, "image", "", "no worker node is known to lack %s", o.Image)
}

// maxImages is how many images a node's status lists, largest first (the kubelet's
// nodeStatusMaxImages): a small image may be present but not listed.
const maxImages = 50

// lacksImage is true only if the node lists its images, and lists all of them.
func lacksImage(node *corev1.Node, image string) bool {
	images := node.Status.Images
	return len(images) > 0 && len(images) < maxImages &&
		!slices.ContainsFunc(images, func(i corev1.ContainerImage) bool { return slices.Contains(i.Names, image) })
}

// readable says, for each kind of component, what reports will know.
func (l *listing) readable(ctx context.Context, cluster clusters.Cluster) {
	type tally struct {
		read, all int
		why       error
	}
	of := map[clusters.Component]*tally{}
	var order []clusters.Component
	for _, instance := range cluster.Instances() {
		t := of[instance.Component]
		if t == nil {
			t = &tally{}
			of[instance.Component] = t
			order = append(order, instance.Component)
		}
		t.all++
		if _, err := cluster.Metrics(ctx, instance); err != nil {
			t.why = err
		} else {
			t.read++
		}
	}
	for _, component := range order {
		t := of[component]
		name := string(component) + " metrics"
		switch {
		case t.why == nil:
			l.add(OK, name, "", "read (%d)", t.all)
		case errors.Is(t.why, clusters.ErrUnsupported):
			l.add(Warn, name, "", "unavailable, and so is how long it waited in its limiter (%d of %d read): %v", t.read, t.all, t.why)
		default:
			l.add(Warn, name, "", "%d of %d read: %v", t.read, t.all, t.why)
		}
	}
	effective, err := cluster.EffectiveConfig(ctx)
	name := "limits in force"
	if len(effective) == 0 && err != nil {
		l.add(Warn, name, "a profile that states kubeAPIQPS or kubeAPIBurst would be INVALID here: use PROFILES=default", "none can be read back")
	} else {
		l.add(OK, name, "", "read back of %d components", len(effective))
	}
	log, err := cluster.AuditLog(ctx)
	switch {
	case err != nil:
		l.add(OK, "source of marks", "", "the watch, by this machine's clock (no audit log)")
	default:
		_ = log.Close() // only read
		l.add(OK, "source of marks", "", "the audit log")
	}
}

// some joins the first names.
func some(names []string) string {
	const shown = 5
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
