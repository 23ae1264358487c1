package embedded

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func node(name string, ready corev1.ConditionStatus, taints ...corev1.Taint) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.NodeSpec{Taints: taints},
		Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready, Message: "because"}}},
	}
}

func TestNodesReady(t *testing.T) {
	ready := node("worker-1", corev1.ConditionTrue)
	for _, row := range []struct {
		name   string
		second *corev1.Node
		says   string
	}{
		{"all ready", node("worker-2", corev1.ConditionTrue), ""},
		{"not registered", node("stranger", corev1.ConditionTrue), "worker-2 has not registered"},
		{"not ready", node("worker-2", corev1.ConditionFalse), "worker-2 is not ready: because"},
		{"no condition yet", &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker-2"}}, "no Ready condition"},
		{"ready but still tainted", node("worker-2", corev1.ConditionTrue, corev1.Taint{Key: corev1.TaintNodeNotReady}), "taint node.kubernetes.io/not-ready"},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := nodesReady(t.Context(), fake.NewClientset(ready, row.second), []string{"worker-1", "worker-2"})
			if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
				t.Errorf("nodesReady = %v, want %q", err, row.says)
			}
		})
	}
}
